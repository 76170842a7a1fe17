use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use protocol::ResourceId;

use super::signal::Signal;

/// A lock for each resource, so that one call at a time works on it. The others wait.
#[derive(Clone, Debug, Default)]
pub(super) struct ResourceLocks {
    taken: Rc<RefCell<BTreeMap<ResourceId, Signal>>>,
}

impl ResourceLocks {
    /// Waits until no other call works on the resource. It stays locked until the returned lock is dropped.
    pub(super) async fn take(&self, id: &ResourceId) -> ResourceLock {
        loop {
            let taken = self.taken.borrow().get(id).cloned();
            let Some(signal) = taken else { break };
            // Each lock has a signal of its own: a task that waited for one and then finds another waits for
            // that one.
            let is_over = || self.taken.borrow().get(id).is_none_or(|now| !now.is(&signal)).then_some(());
            signal.until(is_over).await;
        }
        self.taken.borrow_mut().insert(id.clone(), Signal::default());
        ResourceLock { locks: self.clone(), id: id.clone() }
    }
}

#[derive(Debug)]
pub(super) struct ResourceLock {
    locks: ResourceLocks,
    id: ResourceId,
}

impl Drop for ResourceLock {
    fn drop(&mut self) {
        let signal = self.locks.taken.borrow_mut().remove(&self.id);
        if let Some(signal) = signal {
            signal.wake();
        }
    }
}
