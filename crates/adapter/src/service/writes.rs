use std::rc::Rc;

use http::Response;
use protocol::{Answer, Call, Code, Operation, Problem};

use super::{
    Inner,
    calls::{Admission, RunningWrite, WriteRequest},
    gate,
};
use crate::{
    Adapter,
    gather::{Either, first},
};

/// The time that a write may take, in milliseconds, before its progress is reported.
const SHORTLY: i64 = 200;

/// The pause between two checks of the progress, in milliseconds.
const LOOK: i64 = 100;

impl<A: Adapter + 'static> Inner<A> {
    pub(super) async fn write(self: &Rc<Self>, call: Call) -> Response<Vec<u8>> {
        let admitted = self.admit(&call);
        let answer = match admitted {
            Ok(Admission::New(work)) => {
                self.start(work.clone(), call);
                self.wait_for(&work).await
            }
            Ok(Admission::Replayed(answer)) => return gate::replayed(gate::response(&self.base, answer)),
            Err(problem) => problem.into(),
        };
        gate::response(&self.base, answer)
    }

    fn admit(&self, call: &Call) -> Result<Admission, Problem> {
        let Some(request) = WriteRequest::of(call) else {
            return Err(Problem::new(Code::BadRequest, "this is not a write"));
        };
        self.makes(&request.id.kind)?;
        let known = self.index.borrow().get(&request.id);
        let address = known.map(|record| record.known.request.address);
        self.calls.borrow_mut().admit(request, address, self.timer.now().0, self.limits.get())
    }

    fn start(self: &Rc<Self>, work: Rc<RunningWrite>, call: Call) {
        let ending = WriteCompletion { inner: self.clone(), work: work.clone(), answer: None };
        (self.spawn)(Box::pin(async move {
            let answer = match first(ending.inner.perform(&call), work.cancelled()).await {
                Either::Left(answer) => answer,
                Either::Right(()) => {
                    Problem::new(Code::Cancelled, "it was cancelled; its progress is not known").into()
                }
            };
            ending.with(answer);
        }));
    }

    /// The answer to a write: its result, or an operation if it takes long, or if its adapter reports progress
    /// that a client may want to see.
    async fn wait_for(&self, work: &Rc<RunningWrite>) -> Answer {
        let longest = i64::from(self.limits.get().sync_wait_ms);
        match first(work.ended(), self.until_news(work, longest, SHORTLY)).await {
            Either::Left(answer) => answer,
            Either::Right(()) => Answer::Accepted(Box::new(self.operation_of(work))),
        }
    }

    /// Waits so many milliseconds, or until the adapter reports another progress than the one that was last
    /// seen by a caller, but for the first `quiet` of them in any case.
    pub(super) async fn until_news(&self, work: &RunningWrite, longest: i64, quiet: i64) {
        let mut next = self.timer.now();
        let mut until = next;
        next.0 += quiet;
        until.0 += longest;
        while next < until {
            self.timer.sleep_until(next).await;
            match self.adapter.progress(work.id()) {
                Some(progress) if !work.has_shown(&progress) => return,
                // Without progress there will hardly be any.
                None => break,
                Some(_) => next.0 += LOOK,
            }
        }
        self.timer.sleep_until(until).await;
    }

    /// The operation as callers receive it now.
    pub(super) fn operation_of(&self, work: &RunningWrite) -> Operation {
        work.to_operation(self.timer.now().0, self.adapter.progress(work.id()))
    }
}

/// Completes a write, also if the host drops its task or the task panics.
struct WriteCompletion<A> {
    inner: Rc<Inner<A>>,
    work: Rc<RunningWrite>,
    answer: Option<Answer>,
}

impl<A> WriteCompletion<A> {
    fn with(mut self, answer: Answer) {
        self.answer = Some(answer);
    }
}

impl<A> Drop for WriteCompletion<A> {
    fn drop(&mut self) {
        let broken = || Problem::new(Code::Internal, "the adapter was interrupted").into();
        let answer = self.answer.take().unwrap_or_else(broken);
        self.inner.calls.borrow_mut().end(&self.work, answer, self.inner.timer.now().0);
    }
}
