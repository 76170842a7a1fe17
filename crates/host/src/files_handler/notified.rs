//! The kernel's word that something in a folder has changed (inotify of Linux). Elsewhere, and for file systems that other machines
//! write, one has to look.

use std::{collections::BTreeSet, path::PathBuf};

/// Folders that are watched.
#[derive(Debug, Default)]
pub(super) struct Notified {
    watched: BTreeSet<PathBuf>,
    #[cfg(target_os = "linux")]
    kernel: Option<rustix::fd::OwnedFd>,
}

impl Notified {
    /// Watches these folders, if they are others than before.
    pub(super) fn watch(&mut self, folders: BTreeSet<PathBuf>) {
        if self.watched == folders {
            return;
        }
        #[cfg(target_os = "linux")]
        {
            self.kernel = linux::watch(&folders);
        }
        self.watched = folders;
    }

    /// Whether something may have changed since the last call.
    #[cfg(target_os = "linux")]
    pub(super) fn has_news(&self) -> bool {
        self.kernel.as_ref().is_none_or(linux::has_events)
    }

    /// Whether something may have changed since the last call.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn has_news(&self) -> bool {
        true
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{collections::BTreeSet, mem::MaybeUninit, path::PathBuf};

    use rustix::{
        fd::OwnedFd,
        fs::inotify::{self, CreateFlags, WatchFlags},
    };

    /// Watches folders; `None` if one of them cannot be.
    pub(super) fn watch(folders: &BTreeSet<PathBuf>) -> Option<OwnedFd> {
        let kernel = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        let changes = WatchFlags::ATTRIB
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MODIFY
            | WatchFlags::MOVE
            | WatchFlags::MOVE_SELF;
        folders.iter().all(|it| inotify::add_watch(&kernel, &**it, changes).is_ok()).then_some(kernel)
    }

    /// Whether there are events; all of them are taken.
    pub(super) fn has_events(kernel: &OwnedFd) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = inotify::Reader::new(kernel, &mut buffer);
        let mut has_any = false;
        while reader.next().is_ok() {
            has_any = true;
        }
        has_any
    }
}
