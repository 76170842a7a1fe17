use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    time::Duration,
};

use model::{Address, Moved};
use state::{Backend, BackendError, Change, Claim, Commit, Lease, Snapshot};
use store::{Millis, whole_millis};
use tokio::sync::oneshot;

use crate::identify::identify;

/// The state of one deployment while an engine has it open: the recorded entries, and the only way to record
/// more.
///
/// Commits are written one after the other. Those that arrive during a write are written together in the next
/// one, so many branches do not wait for as many writes.
pub(crate) struct Ledger {
    backend: Rc<dyn Backend>,
    snapshot: RefCell<Rc<Snapshot>>,
    /// Resources have other names in `snapshot` than are recorded: how, and what is recorded.
    moves: RefCell<Option<PendingMoves>>,
    lease: RefCell<Option<Lease>>,
    waiting: RefCell<Vec<Waiting>>,
    is_writing: Cell<bool>,
    /// True if changes stay in memory: used to plan with what a run would record first.
    is_rehearsal: Cell<bool>,
    broken: RefCell<Option<BackendError>>,
    reported: Box<dyn Fn(u64)>,
}

/// Moves that are not recorded yet: with the next commit they are.
struct PendingMoves {
    recorded: Rc<Snapshot>,
    changes: Vec<Change>,
    /// By the new address: the recorded one.
    from: BTreeMap<Address, Address>,
}

struct Waiting {
    changes: Vec<Change>,
    kept: oneshot::Sender<Result<(), BackendError>>,
}

impl Ledger {
    /// A ledger over a backend; `reported` is called with the serial of each commit that was written.
    pub(crate) fn new(backend: Rc<dyn Backend>, reported: impl Fn(u64) + 'static) -> Self {
        Self {
            backend,
            snapshot: RefCell::new(Rc::new(Snapshot::new("", ""))),
            moves: RefCell::default(),
            lease: RefCell::default(),
            waiting: RefCell::default(),
            is_writing: Cell::default(),
            is_rehearsal: Cell::default(),
            broken: RefCell::default(),
            reported: Box::new(reported),
        }
    }

    /// Reads the state from the backend; `new` is used for a deployment that has none.
    pub(crate) async fn load(&self, new: Snapshot) -> Result<(), BackendError> {
        let kept = self.backend.load().await?;
        let mut snapshot = kept.unwrap_or(new);
        identify(&mut snapshot);
        *self.snapshot.borrow_mut() = Rc::new(snapshot);
        *self.moves.borrow_mut() = None;
        *self.broken.borrow_mut() = None;
        self.is_rehearsal.set(false);
        self.waiting.borrow_mut().clear();
        Ok(())
    }

    /// The recorded state, including changes that are being written, under the names that resources have now.
    pub(crate) fn snapshot(&self) -> Rc<Snapshot> {
        Rc::clone(&self.snapshot.borrow())
    }

    /// The recorded state, including changes that are being written.
    pub(crate) fn recorded(&self) -> Rc<Snapshot> {
        self.moves.borrow().as_ref().map_or_else(|| self.snapshot(), |it| Rc::clone(&it.recorded))
    }

    /// Gives resources the names that descriptors say they have now, in memory until something is recorded.
    pub(crate) fn follow(&self, moved: &[Moved]) {
        let recorded = self.recorded();
        let (changes, renamed) = recorded.moves(moved);
        let from = renamed.into_iter().map(|(from, to)| (to, from)).collect();
        let is_moved = !changes.is_empty();
        *self.snapshot.borrow_mut() =
            if is_moved { Rc::new(recorded.after(&changes)) } else { Rc::clone(&recorded) };
        *self.moves.borrow_mut() = is_moved.then_some(PendingMoves { recorded, changes, from });
    }

    /// Records the moves that are in memory only.
    pub(crate) async fn keep_moves(&self) -> Result<(), BackendError> {
        if self.moves.borrow().is_some() { self.commit(Vec::new()).await } else { Ok(()) }
    }

    /// The address that a resource is recorded under, if it has moved since.
    pub(crate) fn moved_from(&self, address: &Address) -> Option<Address> {
        self.moves.borrow().as_ref()?.from.get(address).cloned()
    }

    /// The address that the adapter knows a recorded resource by, if that is another one.
    pub(crate) fn created_as(&self, address: &Address) -> Option<Address> {
        self.snapshot().resources.get(&address.to_string())?.created_as.parse().ok()
    }

    /// Applies further changes in memory only, until the state is read again. Has no effect after the lease
    /// was acquired.
    pub(crate) fn rehearse(&self) {
        self.is_rehearsal.set(true);
    }

    /// Takes over another lineage if nothing was ever recorded; returns whether it does.
    pub(crate) fn take_lineage(&self, lineage: &str) -> bool {
        let mut snapshot = self.snapshot.borrow_mut();
        let is_new = snapshot.serial == 0;
        if is_new {
            lineage.clone_into(&mut Rc::make_mut(&mut snapshot).lineage);
        }
        is_new
    }

    /// The error because of which nothing more is recorded, if any.
    pub(crate) fn error(&self) -> Option<BackendError> {
        self.broken.borrow().clone()
    }

    /// Acquires the lease.
    pub(crate) async fn acquire(&self, claim: Claim) -> Result<(), BackendError> {
        let lease = self.backend.acquire(claim).await?;
        *self.lease.borrow_mut() = Some(lease);
        Ok(())
    }

    /// Renews the lease. If it is lost, nothing more is written.
    pub(crate) async fn renew(&self, now: Millis, ttl: Duration) -> Result<(), BackendError> {
        let Some(lease) = self.lease.borrow().clone() else { return Ok(()) };
        match self.backend.renew(&lease, now.0, whole_millis(ttl)).await {
            Ok(lease) => *self.lease.borrow_mut() = Some(lease),
            // The lease is still valid for a while; the next try may succeed.
            Err(BackendError::Unavailable(_)) => {}
            Err(error) => {
                *self.broken.borrow_mut() = Some(error.clone());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Releases the lease, after a checkpoint.
    pub(crate) async fn release(&self) -> Result<(), BackendError> {
        let kept = self.checkpoint().await;
        let Some(lease) = self.lease.borrow_mut().take() else { return kept };
        self.backend.release(&lease).await?;
        kept
    }

    /// Writes the whole state as a version, unless nothing was ever recorded or it is not known what the
    /// backend has.
    pub(crate) async fn checkpoint(&self) -> Result<(), BackendError> {
        let Some(lease) = self.lease.borrow().clone() else { return Ok(()) };
        let is_whole = self.broken.borrow().is_none() && self.snapshot().serial > 0;
        if is_whole { self.backend.checkpoint(&lease, self.recorded()).await } else { Ok(()) }
    }

    /// Records changes: when it returns, they outlive the process. After an error nothing more is recorded,
    /// because it is not known any more what the backend has.
    pub(crate) async fn commit(&self, changes: Vec<Change>) -> Result<(), BackendError> {
        if let Some(error) = &*self.broken.borrow() {
            return Err(error.clone());
        }
        let (kept, is_kept) = oneshot::channel();
        self.waiting.borrow_mut().push(Waiting { changes, kept });
        if !self.is_writing.replace(true) {
            let mut writing = WriteGuard { ledger: self, is_done: false };
            self.write().await;
            writing.is_done = true;
        }
        is_kept.await.unwrap_or_else(|_| Err(self.error().unwrap_or(BackendError::LeaseLost)))
    }

    async fn write(&self) {
        loop {
            let waiting = std::mem::take(&mut *self.waiting.borrow_mut());
            if waiting.is_empty() {
                return;
            }
            let (changes, waiting): (Vec<_>, Vec<_>) =
                waiting.into_iter().map(|it| (it.changes, it.kept)).unzip();
            let outcome = self.keep(changes.into_iter().flatten().collect()).await;
            if let Err(error) = &outcome {
                *self.broken.borrow_mut() = Some(error.clone());
            }
            // A receiver that was dropped does not need the result.
            waiting.into_iter().for_each(|it| drop(it.send(outcome.clone())));
        }
    }

    async fn keep(&self, changes: Vec<Change>) -> Result<(), BackendError> {
        if let Some(error) = &*self.broken.borrow() {
            return Err(error.clone());
        }
        let lease = self.lease.borrow().clone();
        if lease.is_none() && !self.is_rehearsal.get() {
            return Err(BackendError::LeaseLost);
        }
        let changes = match self.moves.take() {
            Some(moves) => {
                *self.snapshot.borrow_mut() = moves.recorded;
                [moves.changes, changes].concat()
            }
            None => changes,
        };
        let serial = self.snapshot.borrow().serial + 1;
        let commit = Rc::new(Commit { serial, changes });
        let after = {
            let mut snapshot = self.snapshot.borrow_mut();
            // It has no other owner between two commits, so nothing is copied.
            Rc::make_mut(&mut snapshot).take(&commit);
            Rc::clone(&snapshot)
        };
        if let Some(lease) = lease {
            self.backend.commit(&lease, commit, after).await?;
            (self.reported)(serial);
        }
        Ok(())
    }
}

/// A write in progress. If it is cancelled, it is not known what the backend has, and waiting commits are
/// notified.
struct WriteGuard<'l> {
    ledger: &'l Ledger,
    is_done: bool,
}

impl Drop for WriteGuard<'_> {
    fn drop(&mut self) {
        self.ledger.is_writing.set(false);
        if !self.is_done {
            let error = BackendError::Unavailable("a write to the state was cancelled".into());
            self.ledger.broken.borrow_mut().get_or_insert(error);
            self.ledger.waiting.borrow_mut().clear();
        }
    }
}

#[cfg(test)]
mod tests;
