use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use protocol::ResourceId;

use super::signal::Signal;

/// Who works on which resource: one at a time. The others wait.
#[derive(Clone, Debug, Default)]
pub(super) struct ResourceLocks {
    taken: Rc<RefCell<BTreeMap<ResourceId, Signal>>>,
}

impl ResourceLocks {
    /// Waits until nobody works on it. It is one's own until the turn is dropped.
    pub(super) async fn take(&self, id: &ResourceId) -> ResourceLock {
        loop {
            let taken = self.taken.borrow().get(id).cloned();
            let Some(signal) = taken else { break };
            // Each turn has a signal of its own: who waited for one and finds the next waits for that.
            let is_over = || self.taken.borrow().get(id).is_none_or(|now| !now.is(&signal)).then_some(());
            signal.until(is_over).await;
        }
        self.taken.borrow_mut().insert(id.clone(), Signal::default());
        ResourceLock { turns: self.clone(), id: id.clone() }
    }
}

#[derive(Debug)]
pub(super) struct ResourceLock {
    turns: ResourceLocks,
    id: ResourceId,
}

impl Drop for ResourceLock {
    fn drop(&mut self) {
        let signal = self.turns.taken.borrow_mut().remove(&self.id);
        if let Some(signal) = signal {
            signal.wake();
        }
    }
}
