//! Reading and writing the files of users, which other programs write as well.

use std::{
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant, SystemTime},
};

use super::{
    MAX_FILE,
    held::HeldFile,
    lease::ReadLease,
    renames::{exchange, rename_to_new},
    text::too_long,
};
use crate::{
    file::{
        bytes::{remove, sync_folder},
        paths::folder,
    },
    new_file::{Readers, create_file},
};

/// The prefix of the names of files that are being renamed.
const ASIDE: &str = ".planloom-unfinished-";
/// The time for which another server of the same folder, which may have been stopped, is waited for.
const PATIENCE: Duration = Duration::from_millis(500);

/// The attributes that show that a file was written, without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    written: Option<SystemTime>,
    number: u64,
}

impl Stamp {
    /// The stamp of a file; `None` if there is none, or it is no regular file. A link is none.
    pub(super) fn of(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path).ok().filter(Metadata::is_file).map(|it| Self::from(&it))
    }

    /// The stamp of a file, or of the one that a link leads to.
    pub(super) fn through(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().filter(Metadata::is_file).map(|it| Self::from(&it))
    }

    /// True if the stamp shows all writes. Clocks of file systems are coarse: a file that was written just now may be written
    /// again without another stamp.
    pub(super) fn is_certain(&self) -> bool {
        const COARSE: Duration = Duration::from_secs(2);
        let Some(written) = self.written else { return false };
        // A time to come is that of another clock, and no write of ours.
        let distance = SystemTime::now().duration_since(written).unwrap_or_else(|it| it.duration());
        distance > COARSE
    }
}

impl From<&Metadata> for Stamp {
    fn from(facts: &Metadata) -> Self {
        Self { bytes: facts.len(), written: facts.modified().ok(), number: number(facts) }
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

/// The content of a regular file at a path without links. Of anything else, such as a pipe, nothing is waited for.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_with_stamp(path).map(|(bytes, _)| bytes)
}

/// The same, with the stamp that it had before it was read.
pub(super) fn read_with_stamp(path: &Path) -> io::Result<(Vec<u8>, Stamp)> {
    let file = HeldFile::at(path)?.open(OpenOptions::new().read(true))?;
    let facts = file.metadata()?;
    if facts.len() > MAX_FILE as u64 {
        return Err(io::Error::other(too_long()));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes, Stamp::from(&facts)))
}

/// Replaces a file that has this stamp; false if it has another one by now. Its owner and permissions are kept, and users
/// who might not read the old file may never read the new one.
///
/// The new file changes places with the old one, which is checked then: if another program has written it meanwhile, or waits
/// to write it, it is put back. A file with several names is written in its place, since the others would lose it.
///
/// # Errors
/// If it may not be written, or another program goes on having it open to write it.
pub(super) fn replace(path: &Path, bytes: &[u8], stamp: &Stamp) -> io::Result<bool> {
    let held = HeldFile::at(path)?;
    let path = held.path();
    // Who may not write to it may not put another in its place either.
    held.check_writable()?;
    let file = held.open(OpenOptions::new().read(true))?;
    let old = file.metadata()?;
    let write = |new: &Path| {
        create_file(new, bytes, Some(&old), Readers::AsBefore)?;
        let _turn = take_turn(folder(path));
        let Some(lease) = lease(file, path, stamp)? else { return Ok(false) };
        if names(&old) > 1 {
            drop(lease);
            return overwrite(&held.open(OpenOptions::new().write(true))?, bytes).map(|()| true);
        }
        if !exchange(new, path)? {
            fs::rename(new, path)?;
            return sync_folder(folder(path)).map(|()| true);
        }
        keep(new, path, stamp, &lease)
    };
    through(path, write)
}

/// A lease on a file that has this stamp, and is at that path; `None` if it has another one by now.
fn lease(file: File, path: &Path, stamp: &Stamp) -> io::Result<Option<ReadLease>> {
    let is_it = Stamp::from(&file.metadata()?) == *stamp;
    ReadLease::take(file, || is_it && Stamp::of(path).as_ref() == Some(stamp))
}

/// Leaves a new file in the place of the old one, which has its name now; false if the old one is put back, because another
/// program has written it, or waits to. A program that had found it under its old name opens it while the folder is written to
/// the disk.
fn keep(old: &Path, path: &Path, stamp: &Stamp, lease: &ReadLease) -> io::Result<bool> {
    let ours = Stamp::of(path);
    let is_kept = || !lease.has_waiting_writer() && Stamp::of(old).as_ref() == Some(stamp);
    if is_kept() {
        sync_folder(folder(path))?;
        if is_kept() {
            return Ok(true);
        }
    }
    put_back(old, path, ours.as_ref())?;
    sync_folder(folder(path)).map(|()| false)
}

/// Reverts an exchange. If yet another file came in the place of ours meanwhile, that is the latest, and stays.
fn put_back(old: &Path, path: &Path, ours: Option<&Stamp>) -> io::Result<()> {
    exchange(old, path)?;
    if Stamp::of(old).as_ref() != ours {
        exchange(old, path)?;
    }
    Ok(())
}

fn overwrite(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Creates a file; false if there is one of that name.
pub(super) fn create(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let held = HeldFile::at(path)?;
    through(held.path(), |new| {
        create_file(new, bytes, None, Readers::AsBefore)?;
        rename_here(new, held.path())
    })
}

/// Gives a file, or a link itself, another name, in one step where the system has one; false if there is one of that name.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<bool> {
    let (from, to) = (HeldFile::at(from)?, HeldFile::at(to)?);
    let _turn = take_turn(folder(from.path()));
    rename_here(from.path(), to.path())
}

/// The same for paths in folders that are held.
fn rename_here(from: &Path, to: &Path) -> io::Result<bool> {
    match rename_to_new(from, to)? {
        Some(false) => return Ok(false),
        Some(true) => {}
        None if to.symlink_metadata().is_ok() => return Ok(false),
        None => fs::rename(from, to)?,
    }
    sync_folder(folder(to)).map(|()| true)
}

/// Removes a file that has this stamp, or a link itself that leads to one; false if it has another one by now. It is moved
/// away before it is checked, so that what another program writes meanwhile is not removed.
pub(super) fn delete(path: &Path, stamp: &Stamp) -> io::Result<bool> {
    let held = HeldFile::at(path)?;
    let (path, aside) = (held.path(), aside(held.path())?);
    let _turn = take_turn(folder(path));
    // A link has no content of its own that could be written meanwhile.
    let file = held.open(OpenOptions::new().read(true)).ok();
    let lease = file.map(|file| lease(file, path, stamp)).transpose()?;
    if lease.as_ref().is_some_and(Option::is_none) {
        return Ok(false);
    }
    if !rename_here(path, &aside)? {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let has_waiting_writer = lease.flatten().is_some_and(|it| it.has_waiting_writer());
    let is_same = !has_waiting_writer && Stamp::through(&aside).as_ref() == Some(stamp);
    // If there is another file of that name already, that is the latest.
    if is_same || !rename_here(&aside, path)? {
        fs::remove_file(&aside)?;
    }
    sync_folder(folder(path)).map(|()| is_same)
}

/// A lock of a folder that servers hold while they check one of its files and change it, so that one never puts a file back
/// that another has replaced meanwhile. Without it, where there are no such locks, stamps are compared all the same.
fn take_turn(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    let begun = Instant::now();
    while let Err(TryLockError::WouldBlock) = folder.try_lock() {
        if begun.elapsed() > PATIENCE {
            return None;
        }
        sleep(Duration::from_millis(1));
    }
    Some(folder)
}

/// Writes under another name first.
fn through(path: &Path, write: impl FnOnce(&Path) -> io::Result<bool>) -> io::Result<bool> {
    let new = aside(path)?;
    let written = write(&new);
    // What was begun, or was replaced, only takes room.
    drop(remove(&new));
    written
}

/// A name of nobody else in the folder of a file, hidden, and short whatever the file's name is.
fn aside(path: &Path) -> io::Result<PathBuf> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    Ok(path.with_file_name(format!("{ASIDE}{}", protocol::hex(&random))))
}

/// Removes the remains, in a folder, of writes that were cut off an hour ago or earlier.
pub(super) fn clean(folder: &Path) {
    let is_old = |it: &fs::DirEntry| {
        let written = it.metadata().and_then(|facts| facts.modified()).ok();
        written.and_then(|it| it.elapsed().ok()).is_some_and(|it| it > Duration::from_secs(3_600))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let left = entries.filter(|it| it.file_name().to_string_lossy().starts_with(ASIDE)).filter(is_old);
    // They only take room.
    left.for_each(|it| drop(fs::remove_file(it.path())));
}

#[cfg(unix)]
fn names(facts: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(facts)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}
