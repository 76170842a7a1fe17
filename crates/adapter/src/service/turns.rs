use std::{
    cell::RefCell,
    collections::BTreeMap,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use protocol::ResourceId;

/// Who works on which resource: one at a time. The others wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    taken: Rc<RefCell<BTreeMap<ResourceId, Vec<Waker>>>>,
}

impl Turns {
    /// Waits until nobody works on it. It is one's own until the turn is dropped.
    pub(super) async fn take(&self, id: &ResourceId) -> Turn {
        poll_fn(|cx| {
            if let Some(waiting) = self.taken.borrow_mut().get_mut(id) {
                waiting.push(cx.waker().clone());
                return Poll::Pending;
            }
            Poll::Ready(())
        })
        .await;
        self.taken.borrow_mut().insert(id.clone(), Vec::new());
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
        let waiting = self.turns.taken.borrow_mut().remove(&self.id);
        waiting.into_iter().flatten().for_each(Waker::wake);
    }
}
