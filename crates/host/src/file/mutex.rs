//! Mutual exclusion of steps: the system's lock on the journal, which stays the same file forever.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use state::BackendError;

use super::bytes::failed;
use crate::new_file::private;

/// A step takes milliseconds; waiting ends with an error after this time.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(2);

/// The journal, locked until it is dropped; created if it does not exist.
pub(crate) fn exclusive(journal: &Path) -> Result<File, BackendError> {
    let mut options = OpenOptions::new();
    private(options.read(true).append(true).create(true));
    let file = options.open(journal).map_err(|why| failed("open", journal, &why))?;
    wait(journal, || file.try_lock())?;
    Ok(file)
}

/// The same for reading; `None` if it does not exist.
pub(crate) fn shared(journal: &Path) -> Result<Option<File>, BackendError> {
    let file = match File::open(journal) {
        Ok(file) => file,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(failed("open", journal, &why)),
    };
    wait(journal, || file.try_lock_shared())?;
    Ok(Some(file))
}

fn wait(journal: &Path, lock: impl Fn() -> Result<(), TryLockError>) -> Result<(), BackendError> {
    let start = Instant::now();
    loop {
        match lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(why)) => return Err(failed("lock", journal, &why)),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                let why = format!("{} is being written by a process that has stalled", journal.display());
                return Err(BackendError::Unavailable(why));
            }
        }
    }
}
