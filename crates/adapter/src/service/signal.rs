use std::{
    cell::RefCell,
    collections::BTreeMap,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

/// Wakes the tasks that wait, each once however often it was polled.
#[derive(Clone, Debug, Default)]
pub(super) struct Signal(Rc<RefCell<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    number: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl Signal {
    /// Waits until `look` returns a value. It is called now and after each [`wake`](Self::wake).
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

    /// Makes all waiting tasks check again.
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

/// A waiting task; dropping it removes its waker.
struct Waiter {
    signal: Signal,
    number: u64,
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.signal.0.borrow_mut().wakers.remove(&self.number);
    }
}
