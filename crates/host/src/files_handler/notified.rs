//! Notifications of the kernel that something in a folder has changed (inotify of Linux). On other systems, and for file
//! systems that other machines write, files have to be polled.

use std::{collections::BTreeSet, path::PathBuf};

/// Folders that are watched.
#[derive(Debug, Default)]
pub(super) struct Notified {
    #[cfg(target_os = "linux")]
    watched: Option<linux::Watched>,
    folders: BTreeSet<PathBuf>,
}

impl Notified {
    /// Watches these folders; returns whether they are others than before, which may have changed before they were watched.
    #[cfg(target_os = "linux")]
    pub(super) fn watch(&mut self, folders: BTreeSet<PathBuf>) -> bool {
        if self.folders == folders && self.watched.as_ref().is_some_and(linux::Watched::is_there) {
            return false;
        }
        self.watched = linux::Watched::new(&folders);
        let is_other = self.folders != folders;
        self.folders = folders;
        is_other || self.watched.is_some()
    }

    /// Watches these folders; returns whether they are others than before, which may have changed before they were watched.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn watch(&mut self, folders: BTreeSet<PathBuf>) -> bool {
        let is_other = self.folders != folders;
        self.folders = folders;
        is_other
    }

    /// True if something may have changed since the last call.
    #[cfg(target_os = "linux")]
    pub(super) fn has_news(&self) -> bool {
        self.watched.as_ref().is_none_or(linux::Watched::has_news)
    }

    /// True if something may have changed since the last call.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn has_news(&self) -> bool {
        true
    }

    /// True if all changes are known to the kernel: no other machine writes to these folders.
    #[cfg(target_os = "linux")]
    pub(super) fn is_complete(&self) -> bool {
        self.watched.as_ref().is_some_and(|it| it.is_local)
    }

    /// True if all changes are known to the kernel: no other machine writes to these folders.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn is_complete(&self) -> bool {
        false
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        collections::BTreeSet,
        fs,
        mem::MaybeUninit,
        os::unix::fs::MetadataExt as _,
        path::{Path, PathBuf},
    };

    use rustix::{
        fd::OwnedFd,
        fs::{
            inotify::{self, CreateFlags, WatchFlags},
            statfs,
        },
    };

    /// The file systems that only this machine writes, by their numbers: ext2 to ext4, XFS, Btrfs, F2FS, ZFS, bcachefs, tmpfs, ramfs,
    /// overlayfs, FAT, exFAT.
    const LOCAL: [i128; 11] = [
        0xef53,
        0x5846_5342,
        0x9123_683e,
        0xf2f5_2010,
        0x2fc1_2fc1,
        0xca45_1a4e,
        0x0102_1994,
        0x8584_58f6,
        0x794c_7630,
        0x4d44,
        0x2011_bab0,
    ];

    /// Folders that the kernel watches.
    #[derive(Debug)]
    pub(super) struct Watched {
        kernel: OwnedFd,
        /// Each folder with the numbers of its device and itself: another one may take its place, of which the kernel says nothing.
        folders: Vec<(PathBuf, Option<(u64, u64)>)>,
        pub(super) is_local: bool,
    }

    impl Watched {
        /// `None` if one of the folders cannot be watched.
        pub(super) fn new(folders: &BTreeSet<PathBuf>) -> Option<Self> {
            let changes = WatchFlags::ATTRIB
                | WatchFlags::CLOSE_WRITE
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::DELETE_SELF
                | WatchFlags::MODIFY
                | WatchFlags::MOVE
                | WatchFlags::MOVE_SELF;
            let kernel = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            let is_local = folders.iter().all(|it| is_local(it));
            let folders = folders.iter().map(|it| (it.clone(), numbers(it)));
            let watched = Self { kernel, folders: folders.collect(), is_local };
            let mut paths = watched.folders.iter().map(|(path, _)| &**path);
            paths.all(|it| inotify::add_watch(&watched.kernel, it, changes).is_ok()).then_some(watched)
        }

        /// True if the folders are still those that were watched.
        pub(super) fn is_there(&self) -> bool {
            self.folders.iter().all(|(path, was)| was.is_some() && numbers(path) == *was)
        }

        /// True if there are events, all of which are taken, or folders have others in their place.
        pub(super) fn has_news(&self) -> bool {
            let mut buffer = [MaybeUninit::uninit(); 4096];
            let mut reader = inotify::Reader::new(&self.kernel, &mut buffer);
            let mut has_any = false;
            while reader.next().is_ok() {
                has_any = true;
            }
            has_any || !self.is_there()
        }
    }

    fn numbers(folder: &Path) -> Option<(u64, u64)> {
        fs::metadata(folder).ok().map(|it| (it.dev(), it.ino()))
    }

    fn is_local(folder: &Path) -> bool {
        // Some processors have 32 bits for it, with a sign.
        statfs(folder).is_ok_and(|it| LOCAL.contains(&(i128::from(it.f_type) & 0xffff_ffff)))
    }
}
