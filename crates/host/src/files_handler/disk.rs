//! Reading and writing the files of users, which other programs write as well.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Read},
    path::Path,
    time::{Duration, SystemTime},
};

use super::{MAX_FILE, text::too_long};
use crate::{
    file::{
        bytes::{remove, sync_folder},
        paths::{folder, unfinished},
    },
    new_file::{Readers, create_file},
};

/// What shows that a file was written, without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    written: Option<SystemTime>,
    number: u64,
}

impl Stamp {
    /// That of a file; `None` if there is none, or it is no regular file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let facts = fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some(Self { bytes: facts.len(), written: facts.modified().ok(), number: number(&facts) })
    }

    /// Clocks of file systems are coarse: what was written just now may be written again without another stamp.
    pub(super) fn is_certain(&self) -> bool {
        const COARSE: Duration = Duration::from_secs(2);
        let Some(written) = self.written else { return false };
        // A time to come is that of another clock, and no write of ours.
        let distance = SystemTime::now().duration_since(written).unwrap_or_else(|it| it.duration());
        distance > COARSE
    }
}

#[cfg(unix)]
fn number(facts: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(facts)
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> u64 {
    0
}

/// The content of a file.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.len() > MAX_FILE as u64 {
        return Err(io::Error::other(too_long()));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Replaces a file that has this stamp; false if it has another one by now. Its owner and permissions are kept, and nobody may
/// ever read the new file who might not read the old one.
pub(super) fn replace(path: &Path, bytes: &[u8], stamp: &Stamp) -> io::Result<bool> {
    // Who may not write to it may not put another in its place either.
    let old = OpenOptions::new().write(true).open(path)?.metadata()?;
    let write = |new: &Path| {
        create_file(new, bytes, Some(&old), Readers::AsBefore)?;
        if Stamp::of(path).as_ref() != Some(stamp) {
            return Ok(false);
        }
        fs::rename(new, path)?;
        sync_folder(folder(path)).map(|()| true)
    };
    through(path, write)
}

/// Creates a file; false if there is one of that name.
pub(super) fn create(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    through(path, |new| {
        create_file(new, bytes, None, Readers::AsBefore)?;
        rename(new, path)
    })
}

/// Gives a file another name; false if there is one of that name.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<bool> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from)?,
        Err(why) if why.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        // Not all file systems have such links.
        Err(_) if to.symlink_metadata().is_ok() => return Ok(false),
        Err(_) => fs::rename(from, to)?,
    }
    sync_folder(folder(to)).map(|()| true)
}

/// Removes a file.
pub(super) fn delete(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_folder(folder(path))
}

/// Writes under another name first.
fn through(path: &Path, write: impl FnOnce(&Path) -> io::Result<bool>) -> io::Result<bool> {
    let new = unfinished(path);
    // An earlier run may have been cut off.
    remove(&new)?;
    let written = write(&new);
    if !matches!(written, Ok(true)) {
        // What was begun only takes room.
        drop(remove(&new));
    }
    written
}
