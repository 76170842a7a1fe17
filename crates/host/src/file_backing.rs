//! The resources of a store in a file.
//!
//! The files of a store `store.db`:
//!
//! ```text
//! store.db               the resources; locked too, so that a second name of it leads to no second process
//! store.db.lock          locked by the system as long as a process has the store open; names that process
//! store.db.seal          the acknowledged part: the revision of the store, and the length of the file
//! .store.db.unfinished   the file that a compaction writes, until it replaces the other by a rename
//! ```
//!
//! # The format `planloom.store/1`
//!
//! The file begins with the line `planloom.store/1` and three empty ones. Records follow, each of which is one write: of one or more
//! transactions, or of a part of what a compaction wrote. A record has
//!
//! ```text
//! 4 bytes   the length of the content, not 0
//! 4 bytes   the checksum of the content
//! 4 bytes   the checksum of the 8 bytes before
//! …         the content: lines of text, with empty ones at the end up to a multiple of 4 bytes
//! ```
//!
//! where numbers are little-endian, and checksums are CRC-32 (IEEE). A line is one of
//!
//! ```text
//! +METADATA⇥SPEC   a resource is put: its metadata as JSON, a tab, and its spec as canonical JSON
//! -KEY             a resource is deleted: its key as JSON
//! =COUNTERS        the counters of the store: {"revision":7,"uid":3}
//! *                the lines up to the next counters were written by a compaction
//! ```
//!
//! Later lines replace earlier ones for the same resource. A file with another number after the slash was
//! written by another version of this program and is not opened.
//!
//! # Guarantees
//!
//! A record is on the disk (`fdatasync`) when its commit returns. If it cannot be written, as on a full disk, the
//! file is truncated to its length before, and later commits work again. A record that a crash left incomplete is
//! ignored, and overwritten: it ends before its length, or has sectors of zeros, and nothing follows it, so it is
//! the last one and was never acknowledged. Anything else that cannot be read is an error that names file and byte,
//! and nothing is overwritten.
//!
//! The seal is written after the record and before its commit returns. A file that ends before the revision of its seal
//! was cut short or replaced by an older one: acknowledged writes are missing, so it is not opened unless
//! [`FileBacking::accept_lost_writes`] says so. A file without a seal is opened as it is, and sealed. After a power failure
//! the seal may be older than the file, never newer.
//!
//! Before and after each write it is checked that the path still leads to the file, which has the length that it was left
//! with. If not, the write fails and changes nothing, and later ones work again when the file is back.
//!
//! When more of the file is superseded than not, it is compacted: the current lines are copied to a new file, which
//! replaces the old one when it is on the disk.

mod compaction;
mod index;
mod lock;
mod log;
mod reader;
mod record;
mod recovery;
mod seal;

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use store::{BackingStore, Change, Commit, Counters, Key, Resource};

use crate::file::paths::target;
use compaction::CompactionError;
use index::Index;
use lock::Lock;
use log::Log;
use reader::{damaged, failed};
use record::{Kinds, Line, Record, lines};
use seal::{Seal, SealState};

pub use recovery::{LostWrites, Recovery, RecoveryReport};

/// The size of the superseded part below which a file is not compacted, in bytes.
const COMPACT_FROM: u64 = 4 << 20;

/// The resources of a store in a file, which is locked until this is dropped. Its methods wait for the disk.
///
/// The file is a log of transactions, of which each is on the disk when it is committed; it is compacted when more
/// of it is superseded than not. A transaction that a crash left incomplete was never acknowledged and is dropped;
/// other damage is an error at opening that names file and byte, and nothing is overwritten.
pub struct FileBacking {
    log: Log,
    index: Index,
    counters: Counters,
    compact_from: u64,
    /// The size of the superseded part from which the next compaction is tried.
    next: u64,
    /// Damage that a compaction has found: no more is written to a file that could not be opened again.
    damage: Option<String>,
    seal: Seal,
    recovery: RecoveryReport,
    accepts_lost_writes: bool,
    _lock: Lock,
}

/// The last line of each resource in a file that is being read: the resource, and the place of the line.
type Found = BTreeMap<Key, (Box<Resource>, u64, u64)>;

impl FileBacking {
    /// Opens or creates a file. Symbolic links are followed and kept.
    ///
    /// # Errors
    /// An error message for people: another process has it open; it cannot be read and written; it is not a
    /// store, or one of another version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, String> {
        let path = target(path.as_ref());
        let lock = Lock::take(&path)?;
        let log = Log::open(path)?;
        let seal = Seal::open(log.path())?;
        let (index, counters, damage) = (Index::default(), Counters::default(), None);
        let (compact_from, next) = (COMPACT_FROM, COMPACT_FROM);
        let (recovery, accepts_lost_writes) = (RecoveryReport::default(), false);
        Ok(Self {
            log,
            index,
            counters,
            compact_from,
            next,
            damage,
            seal,
            recovery,
            accepts_lost_writes,
            _lock: lock,
        })
    }

    /// Opens a file from which acknowledged writes are missing too, and goes on without them. Otherwise loading it is an
    /// error, and the file stays as it is.
    #[must_use]
    pub fn accept_lost_writes(mut self, accepts: bool) -> Self {
        self.accepts_lost_writes = accepts;
        self
    }

    /// The place of the report on the losses of the file, once it was loaded.
    pub fn recovery(&self) -> RecoveryReport {
        self.recovery.clone()
    }

    /// Compacts as soon as so many bytes are superseded, if these are more than the others; 4 MiB by default.
    #[must_use]
    pub fn compact_from(mut self, bytes: u64) -> Self {
        (self.compact_from, self.next) = (bytes, bytes);
        self
    }

    /// Its path, without symbolic links.
    pub fn path(&self) -> &Path {
        self.log.path()
    }

    fn read(&mut self) -> Result<Found, String> {
        let (mut found, mut kinds) = (Found::new(), Kinds::default());
        // A compaction is on the disk before its file is used, so a crash leaves nothing of it incomplete.
        let mut is_within_compaction = false;
        let mut reader = self.log.reader()?;
        while let Some((start, content)) = reader.next()? {
            for (into, line) in lines(content) {
                let (offset, length) = (start + into as u64, line.len() as u64);
                match Line::read(line).ok_or_else(|| damaged(self.log.path(), offset))? {
                    Line::Put(mut resource) => {
                        kinds.share(&mut resource.metadata.key.kind);
                        found.insert(resource.key().clone(), (resource, offset, length));
                    }
                    Line::Delete(key) => drop(found.remove(&key)),
                    Line::Counters(counters) => {
                        (self.counters, is_within_compaction) = (counters, false);
                    }
                    Line::Compacted => is_within_compaction = true,
                }
            }
        }
        let end = if self.log.is_headless() { 0 } else { reader.offset() };
        if is_within_compaction {
            return Err(damaged(self.log.path(), end));
        }
        self.check_seal(end)?;
        self.log.set_end(end)?;
        self.log.begin()?;
        let is_sealed = matches!(self.seal.state(), SealState::Sealed(_));
        self.set_seal();
        if !is_sealed {
            let path = self.log.path();
            self.seal.sync(path).map_err(|why| failed("write the seal of", path, &why))?;
        }
        Ok(found)
    }

    /// Reports the losses of the file, whose complete records end at `end`.
    fn check_seal(&self, end: u64) -> Result<(), String> {
        let incomplete = self.log.end().saturating_sub(end);
        let Some(recovery) = Recovery::of(self.seal.state(), self.counters, end, incomplete) else {
            return Ok(());
        };
        // A later load finds what the first one has left.
        self.recovery.get_or_init(|| recovery);
        match recovery.lost {
            LostWrites::Missing { transactions, bytes } if !self.accepts_lost_writes => Err(format!(
                "`{}` is cut short or was replaced by an older file: {transactions} acknowledged transactions, \
                     {bytes} bytes, are missing; the file is left as it is",
                self.log.path().display()
            )),
            _ => Ok(()),
        }
    }

    /// Writes the seal. One that cannot be written says less than there is, so nothing is refused because of it: the write
    /// stays acknowledged.
    fn set_seal(&mut self) {
        drop(self.seal.set(self.counters, self.log.end()));
    }

    fn write(&mut self, commits: &[Commit]) -> Result<usize, String> {
        if let Some(damage) = &self.damage {
            return Err(damage.clone());
        }
        let (record, count) = Record::of(commits)?;
        let (bytes, places) = record.finish()?;
        let offset = self.log.append(&bytes)?;
        self.index.apply(offset, places);
        if let Some(last) = commits.get(count.saturating_sub(1)) {
            self.counters = last.counters;
        }
        self.compact_if_worth();
        self.set_seal();
        Ok(count)
    }

    fn compact_if_worth(&mut self) {
        let live = self.index.live();
        let superseded = self.log.end().saturating_sub(live);
        if superseded <= live.max(self.next) {
            return;
        }
        match self.compact() {
            Ok(()) => self.next = self.compact_from,
            // Nothing is lost: the file is longer than necessary, and it is tried again later.
            Err(CompactionError::Unwritten) => self.next = superseded + live.max(self.compact_from),
            Err(CompactionError::Damaged(why)) => self.damage = Some(why),
        }
    }
}

impl BackingStore for FileBacking {
    fn load(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        for (key, (resource, offset, length)) in self.read()? {
            self.index.put(key, offset, length);
            each(*resource);
        }
        Ok(self.counters)
    }

    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String> {
        self.write(&[Commit { changes: changes.to_vec(), counters }]).map(drop)
    }

    fn commit_many(&mut self, commits: &[Commit]) -> Result<usize, String> {
        self.write(commits)
    }
}

impl Drop for FileBacking {
    fn drop(&mut self) {
        self.log.unlock();
    }
}

impl fmt::Debug for FileBacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FileBacking").field(&self.log.path()).finish()
    }
}

/// A path beside that of a file: `store.db.lock`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
