use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use protocol::ResourceId;

use super::signal::Signal;

/// Who works on which resource: one at a time. The others wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    taken: Rc<RefCell<BTreeMap<ResourceId, Signal>>>,
}

impl Turns {
    /// Waits until nobody works on it. It is one's own until the turn is dropped.
    pub(super) async fn take(&self, id: &ResourceId) -> Turn {
        loop {
            let taken = self.taken.borrow().get(id).cloned();
            let Some(signal) = taken else { break };
            let is_free = || self.taken.borrow().get(id).is_none().then_some(());
            signal.until(is_free).await;
        }
        self.taken.borrow_mut().insert(id.clone(), Signal::default());
        Turn { turns: self.clone(), id: id.clone() }
    }
}

#[derive(Debug)]
pub(super) struct Turn {
    turns: Turns,
    id: ResourceId,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let signal = self.turns.taken.borrow_mut().remove(&self.id);
        if let Some(signal) = signal {
            signal.wake();
        }
    }
}
