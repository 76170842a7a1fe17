use std::rc::Rc;

use http::Response;
use protocol::{Answer, Call, Code, Problem};

use super::{
    Inner,
    calls::{Admission, RunningWrite, WriteRequest},
    gate,
};
use crate::{
    Adapter,
    gather::{Either, first},
};

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

    async fn wait_for(&self, work: &Rc<RunningWrite>) -> Answer {
        let mut until = self.timer.now();
        until.0 += i64::from(self.limits.get().sync_wait_ms);
        match first(work.ended(), self.timer.sleep_until(until)).await {
            Either::Left(answer) => answer,
            Either::Right(()) => Answer::Accepted(Box::new(
                work.to_operation(self.timer.now().0, self.adapter.progress(work.id())),
            )),
        }
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
