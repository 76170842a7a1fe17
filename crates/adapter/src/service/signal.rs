use std::{
    cell::RefCell,
    collections::BTreeMap,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

/// Wakes those who wait for something, each once however often it was polled.
#[derive(Clone, Debug, Default)]
pub(super) struct Signal(Rc<RefCell<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    number: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl Signal {
    /// Waits until a look finds what it looks for. It is looked at now and after each [`wake`](Self::wake).
    pub(super) async fn until<T>(&self, mut look: impl FnMut() -> Option<T>) -> T {
        let place = self.place();
        poll_fn(|cx| match look() {
            Some(found) => Poll::Ready(found),
            None => {
                place.signal.0.borrow_mut().wakers.insert(place.number, cx.waker().clone());
                Poll::Pending
            }
        })
        .await
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Has all of them look again.
    pub(super) fn wake(&self) {
        let wakers = std::mem::take(&mut self.0.borrow_mut().wakers);
        wakers.into_values().for_each(Waker::wake);
    }

    fn place(&self) -> Waiter {
        let mut waiting = self.0.borrow_mut();
        waiting.number += 1;
        Waiter { signal: self.clone(), number: waiting.number }
    }
}

/// Who waits; nothing is left of it once it does not any more.
struct Waiter {
    signal: Signal,
    number: u64,
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.signal.0.borrow_mut().wakers.remove(&self.number);
    }
}
