use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use crate::store::Shared;

/// Ready once the store is closed. It is not a watch, and does not keep the store open. Dropping it removes
/// its waker.
#[must_use = "it only waits while it is polled"]
pub struct Closing {
    shared: Arc<Shared>,
    number: u64,
}

impl Closing {
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        let number = shared.state().next_reader();
        Self { shared: shared.clone(), number }
    }
}

impl Future for Closing {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let waker = cx.waker().clone();
        let mut state = self.shared.state();
        if state.closed {
            return Poll::Ready(());
        }
        // The replaced waker is dropped after unlocking: it may own a task that owns a watch.
        let replaced = state.closing.insert(self.number, waker);
        drop(state);
        drop(replaced);
        Poll::Pending
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        let removed = self.shared.state().closing.remove(&self.number);
        drop(removed);
    }
}

impl fmt::Debug for Closing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Closing").field("number", &self.number).finish_non_exhaustive()
    }
}
