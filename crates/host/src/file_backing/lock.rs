use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::Write,
    path::Path,
};

use super::{beside, reader::failed};
use crate::new_file::private;

/// The exclusive use of a path: the system's lock on a file beside it, free at once when its process is dead. The file names
/// the process, and is never removed. It outlives the data file, which compactions replace.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    pub(super) fn take(store: &Path) -> Result<Self, String> {
        let path = beside(store, ".lock");
        let mut options = OpenOptions::new();
        private(options.read(true).write(true).create(true).truncate(false));
        let mut file = options.open(&path).map_err(|why| failed("open", &path, &why))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(store, &path)),
            Err(TryLockError::Error(why)) => return Err(failed("lock", &path, &why)),
        }
        let host = crate::machine().unwrap_or_default();
        let text = format!("process {} on {host}\n", std::process::id());
        // It is only for people: on a full disk, the lock is held nevertheless.
        drop(file.write_all(text.as_bytes()).and_then(|()| file.set_len(text.len() as u64)));
        Ok(Self(file))
    }
}

/// Locks the data file too: it can have another name, and somebody may have removed the file beside it. `file` was opened as
/// `path`; the lock holds until it is unlocked, or all its copies are closed.
///
/// # Errors
/// If another process has it open under any name, or has just replaced it.
pub(super) fn lock_data(path: &Path, file: &File) -> Result<(), String> {
    match file.try_lock() {
        Ok(()) if is_named(path, file) => Ok(()),
        Ok(()) | Err(TryLockError::WouldBlock) => Err(format!(
            "`{}` is in use by another process, perhaps under another name: end it first, or use another file",
            path.display()
        )),
        Err(TryLockError::Error(why)) => Err(failed("lock", path, &why)),
    }
}

/// True if the path still leads to the open file.
#[cfg(unix)]
pub(super) fn is_named(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |it: &fs::Metadata| (it.dev(), it.ino());
    matches!((fs::metadata(path), file.metadata()), (Ok(one), Ok(other)) if place(&one) == place(&other))
}

/// A file that is open cannot be replaced here.
#[cfg(not(unix))]
pub(super) const fn is_named(_: &Path, _: &File) -> bool {
    true
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A process that is just being started may have a copy of the open file, which closing this one leaves locked.
        drop(self.0.unlock());
    }
}

fn in_use(store: &Path, lock: &Path) -> String {
    let holder = fs::read_to_string(lock).unwrap_or_default();
    let holder = match holder.trim() {
        "" => "another process".to_owned(),
        it => protocol::line(it).to_string(),
    };
    format!("`{}` is in use by {holder}: end it first, or use another file", store.display())
}
