//! Reading and writing bytes; writes are on the disk when they return.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use state::BackendError;

use super::paths::{folder, unfinished};
use crate::new_file::private;

/// The error of a failed operation on a file.
pub(crate) fn failed(what: &str, path: &Path, why: &io::Error) -> BackendError {
    BackendError::Unavailable(format!("cannot {what} {}: {why}", path.display()))
}

/// The longest file that is read, in bytes: a hundred times what ten thousand resources need.
pub(crate) const LONGEST: u64 = 1 << 30;

/// Checks that a file of that many bytes can be read. No longer file is written.
///
/// # Errors
/// If it is too long.
pub(crate) fn is_readable(path: &Path, bytes: u64) -> Result<(), BackendError> {
    if bytes <= LONGEST {
        return Ok(());
    }
    let (path, is, most) = (path.display(), bytes >> 20, LONGEST >> 20);
    Err(BackendError::Unsupported(format!("{path} has {is} MiB, and a state in a file at most {most}")))
}

/// The content of a file; `None` if it does not exist.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, BackendError> {
    match fs::metadata(path) {
        Ok(it) if !it.is_file() => {
            return Err(BackendError::Unsupported(format!("{} is not a file", path.display())));
        }
        Ok(it) => is_readable(path, it.len())?,
        Err(_) => {}
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(failed("read", path, &why)),
    }
}

/// Creates a folder that only its owner can read, if it does not exist.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// The entries of a folder; none if it does not exist.
pub(crate) fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>, BackendError> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.flatten().collect()),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(why) => Err(failed("read", folder, &why)),
    }
}

/// Replaces a file: its content is the new or, after any failure, the old one. Its permissions are kept.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), BackendError> {
    let new = unfinished(path);
    let write = || -> io::Result<()> {
        remove(&new)?;
        let mut file = private(OpenOptions::new().write(true).create_new(true)).open(&new)?;
        file.write_all(bytes)?;
        if let Ok(old) = fs::metadata(path) {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&new, path)?;
        sync_folder(folder(path))
    };
    write().map_err(|why| {
        // The new file would only take room; the old one is unchanged.
        drop(remove(&new));
        failed("write", path, &why)
    })
}

/// Removes a file, if it exists.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
        _ => Ok(()),
    }
}

/// Makes the names in a folder survive a power failure. Only Unix needs this for renames.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
