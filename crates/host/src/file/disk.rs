use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
    sync::Mutex,
    time::SystemTime,
};

use state::BackendError;

use super::{
    bytes::{self, failed},
    folder,
    lease::Locks,
    mutex,
    paths::Paths,
};

/// The files of a state as bytes. Its methods read, write and lock them, and wait for the disk.
pub(super) struct Disk {
    pub(super) paths: Paths,
    pub(super) history: usize,
    pub(super) locks: Mutex<Locks>,
}

/// A fingerprint of the files that shows changes by others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FileStamp {
    /// The length of the snapshot and when it was written; `None` if there is none.
    snapshot: Option<(u64, Option<SystemTime>, u64)>,
    /// The length of the journal.
    journal: u64,
    /// The length of its complete commits.
    whole: u64,
}

/// The number of bytes from which commits are folded into the snapshot, if they are also longer than it.
const FOLD: u64 = 4 << 20;

impl FileStamp {
    /// The same with that length of complete commits.
    pub(super) fn with_whole(self, whole: usize) -> Self {
        Self { whole: whole as u64, ..self }
    }

    pub(super) fn is_worth_folding(self, more: usize) -> bool {
        let snapshot = self.snapshot.map_or(0, |it| it.0);
        self.whole + more as u64 > snapshot.max(FOLD)
    }

    fn is_of_same(self, other: Self) -> bool {
        (self.snapshot, self.journal) == (other.snapshot, other.journal)
    }
}

/// The raw files, read at one time.
pub(super) struct Raw {
    pub(super) snapshot: Option<Vec<u8>>,
    pub(super) journal: Vec<u8>,
    pub(super) stamp: FileStamp,
}

/// The outcome of an operation.
pub(super) enum Outcome<T> {
    Done(T),
    /// The files have changed since they were read.
    Moved,
}

impl<T> Outcome<T> {
    pub(super) fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Self::Done(it) => Outcome::Done(change(it)),
            Self::Moved => Outcome::Moved,
        }
    }
}

impl Disk {
    pub(super) fn new(path: &Path, history: usize) -> Self {
        Self { paths: Paths::of(path), history, locks: Mutex::default() }
    }

    pub(super) fn read(&self) -> Result<Raw, BackendError> {
        let file = mutex::shared(&self.paths.journal)?;
        // The journal is read first: a commit that is folded meanwhile is then in the snapshot.
        let mut journal = Vec::new();
        if let Some(mut file) = file.as_ref() {
            let read = file.read_to_end(&mut journal);
            read.map_err(|why| failed("read", &self.paths.journal, &why))?;
        }
        let snapshot = bytes::read(&self.paths.state)?;
        let stamp = self.stamp(journal.len() as u64)?;
        Ok(Raw { snapshot, journal, stamp })
    }

    /// The fingerprint of the files now.
    fn stamp(&self, journal: u64) -> Result<FileStamp, BackendError> {
        let snapshot = match fs::metadata(&self.paths.state) {
            Ok(it) => Some((it.len(), it.modified().ok(), number(&it))),
            Err(why) if why.kind() == io::ErrorKind::NotFound => None,
            Err(why) => return Err(failed("read", &self.paths.state, &why)),
        };
        Ok(FileStamp { snapshot, journal, whole: journal })
    }

    /// Appends a commit's line, if no other process has written since `known`.
    pub(super) fn append(
        &self,
        lease: &str,
        known: FileStamp,
        line: &[u8],
    ) -> Result<Outcome<FileStamp>, BackendError> {
        let journal = mutex::exclusive(&self.paths.journal)?;
        self.held(lease)?;
        let failed = |why: io::Error| failed("write", &self.paths.journal, &why);
        let length = journal.metadata().map_err(failed)?.len();
        if !self.stamp(length)?.is_of_same(known) {
            return Ok(Outcome::Moved);
        }
        if known.whole < length {
            // The rest of an incomplete line must be removed before a new one is written.
            journal.set_len(known.whole).and_then(|()| journal.sync_all()).map_err(failed)?;
        }
        if let Err(why) = (&journal).write_all(line).and_then(|()| journal.sync_data()) {
            // If the incomplete line cannot be removed, readers ignore it.
            drop(journal.set_len(known.whole).and_then(|()| journal.sync_all()));
            return Err(failed(why));
        }
        if length == 0 {
            bytes::sync_folder(super::paths::folder(&self.paths.journal)).map_err(failed)?;
        }
        self.stamp(known.whole + line.len() as u64).map(Outcome::Done)
    }

    /// Replaces the snapshot and all commits by a new snapshot; also adds it to the history, if its serial is
    /// given.
    pub(super) fn replace(
        &self,
        lease: &str,
        known: FileStamp,
        whole: &[u8],
        version: Option<u64>,
    ) -> Result<Outcome<FileStamp>, BackendError> {
        let journal = mutex::exclusive(&self.paths.journal)?;
        self.held(lease)?;
        let failed = |why: io::Error| failed("write", &self.paths.journal, &why);
        if !self.stamp(journal.metadata().map_err(failed)?.len())?.is_of_same(known) {
            return Ok(Outcome::Moved);
        }
        if let Some(serial) = version {
            folder::keep(&self.paths, serial, whole, self.history)?;
        }
        bytes::replace(&self.paths.state, whole)?;
        // Commits that are in the snapshot are ignored: this step may be interrupted.
        journal.set_len(0).and_then(|()| journal.sync_all()).map_err(failed)?;
        self.stamp(0).map(Outcome::Done)
    }

    pub(super) fn versions(&self) -> Result<Vec<u64>, BackendError> {
        folder::serials(&self.paths)
    }

    /// A version, and when it was written.
    pub(super) fn version(&self, serial: u64) -> Result<Option<(Vec<u8>, i64)>, BackendError> {
        let path = self.paths.version(serial);
        let Some(bytes) = bytes::read(&path)? else { return Ok(None) };
        let at = File::open(&path).and_then(|it| it.metadata()).and_then(|it| it.modified()).ok();
        let at = at.and_then(|it| it.duration_since(SystemTime::UNIX_EPOCH).ok());
        Ok(Some((bytes, at.map_or(0, |it| i64::try_from(it.as_millis()).unwrap_or_default()))))
    }
}

/// A number that distinguishes a file from another one of the same name.
fn number(metadata: &fs::Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    return metadata.len();
}
