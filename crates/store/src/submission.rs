use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Condvar, Mutex, PoisonError},
    task::{Context, Poll, Waker},
};

use crate::{Committed, StoreError};

/// The result of a submitted transaction: ready once it is kept, or refused. Dropping it changes nothing: the
/// transaction is written nevertheless.
#[must_use = "its result says whether the transaction was kept"]
pub struct Submission<E = StoreError> {
    /// The result, if all it was built on is kept; taken when it is returned.
    outcome: Option<Result<Committed, E>>,
    /// `None` if there is nothing to wait for.
    ticket: Option<Arc<Ticket>>,
}

/// The state of a transaction: if it, and all it was built on, is kept.
#[derive(Debug, Default)]
pub(crate) struct Ticket {
    state: Mutex<TicketState>,
    settled: Condvar,
}

#[derive(Debug, Default)]
struct TicketState {
    result: Option<Result<(), StoreError>>,
    waker: Option<Waker>,
}

impl<E: std::convert::From<StoreError>> Submission<E> {
    pub(crate) fn ready(outcome: Result<Committed, E>) -> Self {
        Self { outcome: Some(outcome), ticket: None }
    }

    pub(crate) fn pending(outcome: Result<Committed, E>, ticket: Arc<Ticket>) -> Self {
        Self { outcome: Some(outcome), ticket: Some(ticket) }
    }

    /// Waits in this thread. It must not be that of the store's [`Writer`](crate::Writer).
    ///
    /// # Errors
    /// Those of [`Store::submit`](crate::Store::submit).
    pub fn wait(mut self) -> Result<Committed, E> {
        let settled = self.ticket.as_ref().map_or(Ok(()), |it| it.wait());
        self.finish(settled)
    }

    fn finish(&mut self, settled: Result<(), StoreError>) -> Result<Committed, E> {
        settled?;
        self.outcome.take().expect("the result is returned once")
    }
}

impl<E: std::convert::From<StoreError>> Future for Submission<E> {
    type Output = Result<Committed, E>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let settled = match &self.ticket {
            Some(ticket) => ticket.poll(cx),
            None => Poll::Ready(Ok(())),
        };
        settled.map(|settled| self.finish(settled))
    }
}

/// It contains no reference to itself.
impl<E> Unpin for Submission<E> {}

impl Ticket {
    /// Sets the result and returns the waker to call once all locks are released.
    pub(crate) fn settle(&self, result: Result<(), StoreError>) -> Option<Waker> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.result = Some(result);
        self.settled.notify_all();
        state.waker.take()
    }

    fn wait(&self) -> Result<(), StoreError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(result) = &state.result {
                return result.clone();
            }
            state = self.settled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<Result<(), StoreError>> {
        let waker = cx.waker().clone();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(result) = &state.result {
            return Poll::Ready(result.clone());
        }
        let replaced = state.waker.replace(waker);
        drop(state);
        // A waker may own anything, so it is dropped after unlocking.
        drop(replaced);
        Poll::Pending
    }
}

impl<E> fmt::Debug for Submission<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Submission").field("ticket", &self.ticket).finish_non_exhaustive()
    }
}
