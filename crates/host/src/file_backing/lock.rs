use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::Write,
    path::Path,
};

use super::{beside, reader::failed};
use crate::file::bytes::private;

/// The exclusive use of a store's file: the system's lock on a file beside it, free at once when its process is
/// dead. The file names the process, and is never removed.
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
