use std::{
    cell::RefCell,
    future::poll_fn,
    task::{Poll, Waker},
};

use protocol::{Answer, Operation, Progress, ResourceId, Verb};

/// One write, while it is done and as long as it is remembered.
pub(in crate::service) struct Work {
    pub(super) op: String,
    pub(super) verb: Verb,
    pub(super) id: ResourceId,
    address: String,
    pub(super) payload: String,
    pub(super) key: String,
    since: i64,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    answer: Option<Answer>,
    cancelled: bool,
    waiting: Vec<Waker>,
}

impl Work {
    pub(super) fn new(
        op: String,
        verb: Verb,
        id: ResourceId,
        address: String,
        payload: String,
        key: String,
        since: i64,
    ) -> Self {
        Self { op, verb, id, address, payload, key, since, state: RefCell::default() }
    }

    pub(in crate::service) fn has_ended(&self) -> bool {
        self.state.borrow().answer.is_some()
    }

    pub(super) fn answer(&self) -> Option<Answer> {
        self.state.borrow().answer.clone()
    }

    /// What came of it, once something has.
    pub(in crate::service) async fn ended(&self) -> Answer {
        self.once(|state| state.answer.clone()).await
    }

    /// Ready once somebody wants it to be given up.
    pub(in crate::service) async fn cancelled(&self) {
        self.once(|state| state.cancelled.then_some(())).await;
    }

    async fn once<T>(&self, is: impl Fn(&State) -> Option<T>) -> T {
        poll_fn(|cx| {
            let mut state = self.state.borrow_mut();
            let found = is(&state);
            if found.is_none() && !state.waiting.iter().any(|it| it.will_wake(cx.waker())) {
                state.waiting.push(cx.waker().clone());
            }
            found.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    pub(in crate::service) fn cancel(&self) {
        self.change(|state| state.cancelled = true);
    }

    pub(super) fn end(&self, answer: Answer) {
        self.change(|state| state.answer = Some(answer));
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.borrow_mut();
        change(&mut state);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }

    /// As it is told to a caller.
    pub(in crate::service) fn told(&self, now: i64) -> Operation {
        let (op, verb, id) = (self.op.clone(), self.verb, self.id.clone());
        let answer = self.answer();
        let done = answer.is_some();
        let progress = (!done).then(|| self.progress(now));
        let (resource, problem) = match answer {
            Some(Answer::Created(resource) | Answer::Is(resource)) => (Some(resource), None),
            Some(Answer::Problem(problem)) => (None, Some(problem)),
            _ => (None, None),
        };
        Operation { op, verb, id, done, progress, resource, problem }
    }

    fn progress(&self, now: i64) -> Progress {
        let seconds = now.saturating_sub(self.since) / 1000;
        let message = format!("{} of {}, {seconds} s so far", self.verb.as_str(), self.address);
        Progress { percent: None, message }
    }
}
