//! Files in an adapter's own folder, which only its owner may read.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    thread::sleep,
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};

/// The extension of a file until it is completely written.
pub const UNFINISHED: &str = "new";

/// The number of attempts to take a lock, and the pause after each.
const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(10);

/// The value in a file; `None` if there is none, or it cannot be read.
pub fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// The values in all files of a folder whose names end with `.json`, in the order of their names; those that
/// cannot be read are ignored.
pub fn read_all<T: DeserializeOwned>(folder: &Path) -> Vec<T> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let mut paths: Vec<PathBuf> = entries.filter(|it| it.extension() == Some("json".as_ref())).collect();
    paths.sort();
    paths.iter().filter_map(|it| read(it)).collect()
}

/// Writes a file so that a reader finds the old or the new content, whenever this program dies.
///
/// # Errors
/// If it cannot be written; the old content is still there then.
pub fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let beside = path.with_extension(UNFINISHED);
    let mut file = private().create(true).write(true).truncate(true).open(&beside)?;
    file.write_all(&serde_json::to_vec(value)?)?;
    fs::rename(beside, path)
}

/// Removes a file; it is no error if there is none.
///
/// # Errors
/// If it is still there.
pub fn remove(path: &Path) -> io::Result<()> {
    absent_is_fine(fs::remove_file(path))
}

/// The result of a removal, for which it is no error if nothing is there.
///
/// # Errors
/// Any other error.
pub fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Options for files that only their owner may read.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Creates a folder, and those that it is in, for the owner only.
///
/// # Errors
/// If it cannot be created.
pub fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Takes the lock of a file, which is held until the file is dropped; `None` if another process has it.
///
/// # Errors
/// If the file cannot be created or locked.
pub fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = private().create(true).write(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The same for a lock that is usually free: waits a moment for it, because a process that another thread starts has this one's
/// locks until it executes its program.
///
/// # Errors
/// If the file cannot be created or locked.
pub fn wait_for_lock(path: &Path) -> io::Result<Option<File>> {
    for _ in 0..ATTEMPTS {
        if let Some(file) = lock(path)? {
            return Ok(Some(file));
        }
        sleep(PAUSE);
    }
    Ok(None)
}
