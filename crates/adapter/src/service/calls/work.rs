use std::cell::RefCell;

use protocol::{Answer, Operation, Progress, ResourceId, Verb};

use crate::service::signal::Signal;

/// A write, while it is in progress and as long as it is remembered.
pub(in crate::service) struct RunningWrite {
    pub(super) op: String,
    pub(super) verb: Verb,
    pub(super) id: ResourceId,
    address: String,
    pub(super) payload: String,
    pub(super) key: String,
    since: i64,
    state: RefCell<State>,
    /// The progress that callers have received last.
    shown: RefCell<Option<String>>,
    changed: Signal,
}

#[derive(Default)]
struct State {
    answer: Option<Answer>,
    cancelled: bool,
}

impl RunningWrite {
    pub(super) fn new(
        op: String,
        verb: Verb,
        id: ResourceId,
        address: String,
        payload: String,
        key: String,
        since: i64,
    ) -> Self {
        Self {
            op,
            verb,
            id,
            address,
            payload,
            key,
            since,
            state: RefCell::default(),
            shown: RefCell::default(),
            changed: Signal::default(),
        }
    }

    pub(in crate::service) fn has_ended(&self) -> bool {
        self.state.borrow().answer.is_some()
    }

    pub(super) fn answer(&self) -> Option<Answer> {
        self.state.borrow().answer.clone()
    }

    /// The answer, once the write has ended.
    pub(in crate::service) async fn ended(&self) -> Answer {
        self.changed.until(|| self.answer()).await
    }

    /// Ready once a caller has requested that the write be cancelled.
    pub(in crate::service) async fn cancelled(&self) {
        self.changed.until(|| self.state.borrow().cancelled.then_some(())).await;
    }

    pub(in crate::service) fn cancel(&self) {
        self.state.borrow_mut().cancelled = true;
        self.changed.wake();
    }

    pub(super) fn end(&self, answer: Answer) {
        self.state.borrow_mut().answer = Some(answer);
        self.changed.wake();
    }

    /// True if that is the progress that callers have received last.
    pub(in crate::service) fn has_shown(&self, progress: &str) -> bool {
        self.shown.borrow().as_deref() == Some(progress)
    }

    pub(in crate::service) const fn id(&self) -> &ResourceId {
        &self.id
    }

    /// The operation as callers receive it; `doing` is the progress that the adapter reports at the moment.
    pub(in crate::service) fn to_operation(&self, now: i64, doing: Option<String>) -> Operation {
        let (op, verb, id) = (self.op.clone(), self.verb, self.id.clone());
        let answer = self.answer();
        let done = answer.is_some();
        self.shown.borrow_mut().clone_from(&doing);
        let progress = (!done).then(|| self.progress(now, doing));
        let (resource, problem) = match answer {
            Some(Answer::Created(resource) | Answer::Is(resource)) => (Some(resource), None),
            Some(Answer::Problem(problem)) => (None, Some(problem)),
            _ => (None, None),
        };
        Operation { op, verb, id, done, progress, resource, problem }
    }

    fn progress(&self, now: i64, doing: Option<String>) -> Progress {
        let seconds = now.saturating_sub(self.since) / 1000;
        let usual = || format!("{} of {}, {seconds} s so far", self.verb.as_str(), self.address);
        Progress { percent: None, message: doing.unwrap_or_else(usual) }
    }
}
