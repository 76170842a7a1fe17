use std::{cell::RefCell, future::ready, rc::Rc};

use protocol::LocalFuture;

use crate::{Backend, BackendError, Claim, Commit, HISTORY, Holder, Lease, Snapshot, Version};

/// A state that lives as long as the process; clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryBackend(Rc<RefCell<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    snapshot: Option<Snapshot>,
    history: Vec<Rc<Snapshot>>,
    holder: Option<Holder>,
    /// The commits, if they are recorded.
    commits: Option<Vec<Rc<Commit>>>,
}

impl MemoryBackend {
    /// A backend that contains a snapshot.
    pub fn of(snapshot: Snapshot) -> Self {
        let backend = Self::default();
        backend.0.borrow_mut().snapshot = Some(snapshot);
        backend
    }

    /// The same, which also keeps every [commit](Self::commits) for as long as it lives.
    #[must_use]
    pub fn recording_commits(self) -> Self {
        self.0.borrow_mut().commits.get_or_insert_default();
        self
    }

    /// Every commit since it [records](Self::recording_commits) them, in order.
    pub fn commits(&self) -> Vec<Rc<Commit>> {
        self.0.borrow().commits.clone().unwrap_or_default()
    }

    fn answer<T: 'static>(
        &self,
        answer: impl FnOnce(&mut Kept) -> Result<T, BackendError>,
    ) -> LocalFuture<Result<T, BackendError>> {
        Box::pin(ready(answer(&mut self.0.borrow_mut())))
    }
}

impl Kept {
    fn holds(&self, lease: &Lease) -> Result<(), BackendError> {
        let is_held = self.holder.as_ref().is_some_and(|it| it.id == lease.holder.id);
        if is_held { Ok(()) } else { Err(BackendError::LeaseLost) }
    }

    fn commit(&mut self, commit: Rc<Commit>, after: &Snapshot) -> Result<(), BackendError> {
        commit.follows(self.snapshot.as_ref().map(Snapshot::place), after)?;
        match &mut self.snapshot {
            Some(snapshot) => drop(snapshot.take(&commit)),
            none => *none = Some(after.clone()),
        }
        self.commits.as_mut().into_iter().for_each(|it| it.push(commit.clone()));
        Ok(())
    }

    fn remember(&mut self, snapshot: Rc<Snapshot>) {
        self.history.retain(|it| it.serial != snapshot.serial);
        self.history.insert(0, snapshot);
        self.history.truncate(HISTORY);
    }

    fn acquire(&mut self, claim: Claim) -> Result<Lease, BackendError> {
        if let Some(holder) = self.holder.as_ref().filter(|it| it.until > claim.now) {
            return Err(BackendError::Locked(Box::new(holder.clone())));
        }
        let until = claim.now.saturating_add_unsigned(claim.ttl);
        let holder =
            Holder { id: claim.id, who: claim.who, operation: claim.operation, since: claim.now, until };
        self.holder = Some(holder.clone());
        Ok(Lease { token: holder.id.clone(), holder })
    }
}

impl Backend for MemoryBackend {
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.answer(|kept| Ok(kept.snapshot.clone()))
    }

    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>> {
        self.answer(|kept| kept.holds(lease).and_then(|()| kept.commit(commit, &after)))
    }

    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>> {
        self.answer(|kept| kept.holds(lease).map(|()| kept.remember(snapshot)))
    }

    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>> {
        self.answer(|kept| kept.acquire(claim))
    }

    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>> {
        self.answer(|kept| {
            kept.holds(lease)?;
            let until = now.saturating_add_unsigned(ttl);
            let holder = Holder { until, ..lease.holder.clone() };
            kept.holder = Some(holder.clone());
            Ok(Lease { holder, token: lease.token.clone() })
        })
    }

    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>> {
        self.answer(|kept| {
            if kept.holds(lease).is_ok() {
                kept.holder = None;
            }
            Ok(())
        })
    }

    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>> {
        self.answer(|kept| Ok(kept.holder.clone()))
    }

    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>> {
        self.answer(|kept| match &kept.holder {
            Some(holder) if holder.id != id => Err(BackendError::Locked(Box::new(holder.clone()))),
            _ => {
                kept.holder = None;
                Ok(())
            }
        })
    }

    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>> {
        let version = |it: &Rc<Snapshot>| Version { serial: it.serial, at: 0, resources: it.resources.len() };
        self.answer(|kept| Ok(kept.history.iter().map(version).collect()))
    }

    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>> {
        self.answer(|kept| Ok(kept.history.iter().find(|it| it.serial == serial).map(|it| (**it).clone())))
    }
}
