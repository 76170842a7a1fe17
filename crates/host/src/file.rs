//! States in files.
//!
//! The files of a state `state.json`:
//!
//! ```text
//! state.json                    a snapshot; replaced whole, by a rename
//! state.json.journal            the commits since, one a line, each on the disk before it counts
//! state.json.lock               the holder of the state, while it is locked
//! state.json.history/7.json     versions
//! state.json.unreadable         the file that could not be read when a version replaced it
//! ```
//!
//! A commit is one line at the end of the journal. A line that a crash left incomplete was never
//! acknowledged: it is ignored, and overwritten. If anything else cannot be read, every operation fails, and
//! nothing is overwritten.
//!
//! The lock is the system's lock on the lock file: it is free at once when its process is dead, and expires
//! for others when its time is over, even if its process is running. Short steps that must not overlap take
//! the system's lock on the journal. So a state on a network share needs a file system that supports such
//! locks.

pub(crate) mod blocking;
pub(crate) mod bytes;
mod disk;
mod folder;
mod lease;
pub(crate) mod mutex;
pub(crate) mod paths;
mod random;
mod read;
mod repair;

use std::{cell::RefCell, fmt, path::PathBuf, rc::Rc, sync::Arc};

use protocol::LocalFuture;
use state::{
    Backend, BackendError, Claim, Commit, Encryption, HISTORY, Holder, Lease, RepairReport, SealedPart,
    Snapshot, Version, with_repair_advice,
};

use blocking::blocking;
use disk::{Disk, Outcome};
use read::{CommitBase, Kept};

pub use random::SystemRandom;

/// The location of a state's file, and the way it is stored.
#[derive(Clone, Debug)]
pub struct FileOptions {
    /// The state's file. A symbolic link is followed and kept.
    pub path: PathBuf,
    /// The number of versions that are kept.
    pub history: usize,
    /// The encryption of the files.
    pub encryption: Encryption,
}

impl FileOptions {
    /// Options with the defaults.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), history: HISTORY, encryption: Encryption::none() }
    }
}

/// A state in a file. Clones are the same state. It has to be used inside a tokio runtime: disk operations
/// run outside of its thread.
#[derive(Clone)]
pub struct FileBackend(Rc<Client>);

struct Client {
    disk: Arc<Disk>,
    encryption: Encryption,
    /// The state as it was last read or written. It is `None` during a write, so that it is read again after
    /// a cancelled write.
    known: RefCell<Option<CommitBase>>,
}

impl FileBackend {
    /// The state at a path; nothing is read or created before it is used.
    pub fn new(options: FileOptions) -> Self {
        let disk = Arc::new(Disk::new(&options.path, options.history));
        Self(Rc::new(Client { disk, encryption: options.encryption, known: RefCell::default() }))
    }

    fn answer<T: 'static, F: Future<Output = Result<T, BackendError>> + 'static>(
        &self,
        work: impl FnOnce(Rc<Client>) -> F,
    ) -> LocalFuture<Result<T, BackendError>> {
        Box::pin(work(self.0.clone()))
    }
}

impl Client {
    /// Runs an operation on the disk.
    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Disk) -> Result<T, BackendError> + Send + 'static,
    ) -> Result<T, BackendError> {
        let disk = self.disk.clone();
        blocking(move || work(&disk)).await
    }

    async fn load(&self) -> Result<Option<Snapshot>, BackendError> {
        let kept = self.read().await?;
        self.known.replace(Some(kept.known));
        Ok(kept.snapshot)
    }

    async fn read(&self) -> Result<Kept, BackendError> {
        let raw = self.on_disk(Disk::read).await?;
        read::compose(&self.disk.paths, raw, &self.encryption)
    }

    async fn known(&self) -> Result<CommitBase, BackendError> {
        match self.known.take() {
            Some(known) => Ok(known),
            None => Ok(self.read().await?.known),
        }
    }

    async fn commit(&self, lease: &Lease, commit: &Commit, after: &Snapshot) -> Result<(), BackendError> {
        let known = self.known().await?;
        let written = match self.try_commit(known, lease, commit, after).await? {
            Outcome::Done(known) => Outcome::Done(known),
            Outcome::Moved => self.try_commit(self.read().await?.known, lease, commit, after).await?,
        };
        let Outcome::Done(known) = written else { return Err(busy()) };
        self.known.replace(Some(known));
        Ok(())
    }

    async fn try_commit(
        &self,
        known: CommitBase,
        lease: &Lease,
        commit: &Commit,
        after: &Snapshot,
    ) -> Result<Outcome<CommitBase>, BackendError> {
        let kept = known.lineage.as_deref().map(|lineage| (lineage, known.serial));
        if commit.follows(kept, after).is_err() && known.is_old {
            return Ok(Outcome::Moved);
        }
        commit.follows(kept, after)?;
        let (id, stamp) = (lease.holder.id.clone(), known.stamp);
        // The line contains the lineage: a journal beside another state is not read as that one's.
        let line = commit.to_line_of(&after.lineage);
        let line = [self.encryption.close(SealedPart::Commit, line.into_bytes())?, vec![b'\n']].concat();
        let stamp = if kept.is_none() || stamp.is_worth_folding(line.len()) {
            let whole = self.whole(after)?;
            self.on_disk(move |disk| disk.replace(&id, stamp, &whole, None)).await?
        } else {
            self.on_disk(move |disk| disk.append(&id, stamp, &line)).await?
        };
        Ok(stamp.map(|stamp| CommitBase::of(after, stamp)))
    }

    async fn checkpoint(&self, lease: &Lease, snapshot: &Snapshot) -> Result<(), BackendError> {
        let known = self.read().await?.known;
        if known.serial != snapshot.serial || known.lineage.as_deref() != Some(&*snapshot.lineage) {
            return Err(BackendError::Stale { requested: snapshot.serial, kept: known.serial });
        }
        let (id, whole, serial) = (lease.holder.id.clone(), self.whole(snapshot)?, snapshot.serial);
        let stamp = self.on_disk(move |disk| disk.replace(&id, known.stamp, &whole, Some(serial))).await?;
        let Outcome::Done(stamp) = stamp else { return Err(busy()) };
        self.known.replace(Some(CommitBase::of(snapshot, stamp)));
        Ok(())
    }

    fn whole(&self, snapshot: &Snapshot) -> Result<Vec<u8>, BackendError> {
        let whole = self.encryption.close(SealedPart::Snapshot, snapshot.to_text().into_bytes())?;
        bytes::is_readable(&self.disk.paths.state, whole.len() as u64)?;
        Ok(whole)
    }

    async fn version(&self, serial: u64) -> Result<Option<Snapshot>, BackendError> {
        let Some((bytes, _)) = self.on_disk(move |disk| disk.version(serial)).await? else { return Ok(None) };
        let path = self.disk.paths.version(serial);
        read::snapshot(&path, &bytes, &self.encryption).map(Some)
    }

    async fn versions(&self) -> Result<Vec<Version>, BackendError> {
        let mut versions = Vec::new();
        for serial in self.on_disk(Disk::versions).await? {
            let Some((bytes, at)) = self.on_disk(move |disk| disk.version(serial)).await? else { continue };
            // A damaged version is listed, too: reading it reports the damage.
            let snapshot = read::snapshot(&self.disk.paths.version(serial), &bytes, &self.encryption);
            let resources = snapshot.map_or(0, |it| it.resources.len());
            versions.push(Version { serial, at, resources });
        }
        Ok(versions)
    }
}

fn busy() -> BackendError {
    BackendError::Unavailable("the state's files are changed by a process that does not hold the lock".into())
}

impl Backend for FileBackend {
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        let own = self.clone();
        Box::pin(async move { with_repair_advice(&own, own.0.load().await).await })
    }

    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>> {
        let lease = lease.clone();
        self.answer(|client| async move { client.commit(&lease, &commit, &after).await })
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        let lease = lease.clone();
        self.answer(|client| async move { client.checkpoint(&lease, &snapshot).await })
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        self.answer(|client| async move {
            client.known.take();
            client.on_disk(move |disk| disk.acquire(claim)).await
        })
    }

    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>> {
        let holder = Holder { until: now.saturating_add_unsigned(ttl), ..lease.holder.clone() };
        self.answer(|client| async move { client.on_disk(move |disk| disk.renew(holder)).await })
    }

    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>> {
        let id = lease.holder.id.clone();
        self.answer(|client| async move { client.on_disk(move |disk| disk.release(&id)).await })
    }

    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>> {
        self.answer(|client| async move { client.on_disk(Disk::holder).await })
    }

    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>> {
        let id = id.to_owned();
        self.answer(|client| async move { client.on_disk(move |disk| disk.unlock(&id)).await })
    }

    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>> {
        self.answer(|client| async move { client.versions().await })
    }

    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.answer(|client| async move { client.version(serial).await })
    }

    fn repair(&self, lease: &Lease, snapshot: Snapshot) -> LocalFuture<Result<RepairReport, BackendError>> {
        let lease = lease.clone();
        self.answer(|client| async move { client.repair(&lease, snapshot).await })
    }
}

impl fmt::Debug for FileBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FileBackend").field(&self.0.disk.paths.state).finish()
    }
}
