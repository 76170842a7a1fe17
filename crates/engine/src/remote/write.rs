use protocol::{Call, Operation, Problem, Reply, Resource, Unclear, Verb};

use super::{
    Remote, Writer,
    read::{strange, unauthorized},
    settle::Settled,
};
use crate::{Trouble, pace::Deadline};

/// What came of a write.
#[derive(Debug)]
pub(crate) enum Written {
    /// So it is.
    Is(Box<Resource>),
    /// It is gone.
    Gone,
    /// No, and nothing happened.
    Failed(Trouble),
    /// No, and what is there now cannot be used.
    Broken(Trouble),
    /// Not in place.
    NeedsRebuild(Trouble),
    /// Nobody knows.
    Unknown(Trouble),
}

/// What to do next.
enum Next {
    End(Written),
    /// Send it again after so many milliseconds; whether that counts as another try.
    Again(u64, bool),
    /// See what has become of it, because of this.
    Look(Reply),
    /// Wait for the operation.
    Follow(Box<Operation>),
}

/// How long an adapter may hold back the answer about an operation, in seconds.
const PATIENCE: u32 = 20;

impl Writer {
    /// Has the adapter do it, whatever it takes: the retry matrix of `notes/peers` §3.6. `hash` is that of the spec
    /// that is wanted.
    pub(crate) async fn write(
        &self,
        call: &Call,
        hash: &str,
        deadline: Deadline,
        told: &dyn Fn(String, Option<u8>),
    ) -> Written {
        let remote = &self.0;
        let mut tries = 0;
        let mut reply = remote.ask(call, 0).await;
        loop {
            let next = match remote.judge(call, &reply, tries) {
                Next::Follow(operation) => remote.follow(call, *operation, deadline, told).await,
                next => next,
            };
            let next = match next {
                Next::Look(why) => match remote.settle(call, hash, deadline).await {
                    Settled::Is(resource) => Next::End(Written::Is(resource)),
                    Settled::Gone => Next::End(Written::Gone),
                    Settled::No(trouble) => Next::End(Written::Failed(trouble)),
                    Settled::NotYet => {
                        told(strange(&why).message, None);
                        reply = why;
                        Next::Again(remote.pace.backoff(tries), true)
                    }
                    Settled::Nobody(trouble) => Next::End(Written::Unknown(trouble)),
                },
                next => next,
            };
            let (wait, counts) = match next {
                Next::End(written) => return written,
                Next::Again(wait, counts) => (wait, counts),
                Next::Look(_) | Next::Follow(_) => (remote.pace.backoff(tries), true),
            };
            tries += u32::from(counts);
            if tries >= remote.pace.settings.tries || !remote.pace.wait(wait, deadline).await {
                return gave_up(&reply);
            }
            reply = remote.ask(call, 0).await;
        }
    }
}

/// It was tried often enough. What the last answer says of what happened.
fn gave_up(reply: &Reply) -> Written {
    match reply {
        Reply::Busy(problem, _) | Reply::Outstanding(problem) => Written::Failed(Trouble::said(problem)),
        Reply::Unclear(Unclear::Lost(lost)) if lost.was_not_sent() => Written::Failed(strange(reply)),
        // It was looked for since and was not there, but a call that was sent may still arrive.
        _ => Written::Unknown(strange(reply)),
    }
}

impl Remote {
    fn judge(&self, call: &Call, reply: &Reply, tries: u32) -> Next {
        let failed = |problem: &Problem| Next::End(Written::Failed(Trouble::said(problem)));
        let is_destroy = call.verb() == Some(Verb::Destroy);
        match reply {
            Reply::Resource(resource) => Next::End(Written::Is(resource.clone())),
            Reply::Done => Next::End(Written::Gone),
            Reply::Operation(operation) => Next::Follow(operation.clone()),
            Reply::Absent if is_destroy => Next::End(Written::Gone),
            Reply::Absent => Next::End(Written::Failed(gone(call))),
            Reply::Unauthorized(problem) => Next::End(Written::Failed(unauthorized(problem))),
            Reply::Busy(_, Some(after)) => Next::Again(*after, false),
            Reply::Busy(_, None) => Next::Again(self.pace.backoff(tries), true),
            Reply::Outstanding(_) => Next::Again(self.pace.backoff(tries.min(2)), false),
            Reply::RebuildRequired(problem) => Next::End(Written::NeedsRebuild(Trouble::said(problem))),
            // It may be what an earlier try made.
            Reply::Differs(_) if call.verb() == Some(Verb::Create) => Next::Look(reply.clone()),
            Reply::Stale(problem) => Next::End(Written::Failed(
                Trouble::said(problem).help("it was changed by somebody else; plan again"),
            )),
            Reply::Differs(problem) | Reply::OtherVersion(problem) => failed(problem),
            Reply::Refused(problem) if problem.resource_usable == Some(false) => {
                Next::End(Written::Broken(Trouble::said(problem)))
            }
            Reply::Refused(problem) => failed(problem),
            Reply::Unclear(Unclear::Lost(lost)) if lost.was_not_sent() => {
                Next::Again(self.pace.backoff(tries), true)
            }
            Reply::Unclear(_) | Reply::Described(_) | Reply::Batch(_) | Reply::Page(_) => {
                Next::Look(reply.clone())
            }
        }
    }

    /// Waits until an operation is done.
    async fn follow(
        &self,
        call: &Call,
        mut operation: Operation,
        deadline: Deadline,
        told: &dyn Fn(String, Option<u8>),
    ) -> Next {
        let mut tries = 0;
        while !operation.done {
            if let Some(progress) = &operation.progress {
                told(progress.message.clone(), progress.percent.map(|it| it.min(100)));
            }
            if self.pace.is_over(deadline) {
                return Next::End(Written::Unknown(too_long(call)));
            }
            let question = Call::Operation { op: operation.op.clone(), wait: Some(PATIENCE) };
            let wait = match self.ask(&question, u64::from(PATIENCE) * 1000).await {
                Reply::Operation(later) if later.id != operation.id => {
                    return Next::Look(Reply::Unclear(Unclear::Malformed(
                        "it is about another resource".into(),
                    )));
                }
                Reply::Operation(later) => {
                    tries = 0;
                    operation = *later;
                    // One that does not hold its answer back is not asked without pause.
                    self.pace.settings.ready_first
                }
                Reply::Busy(_, Some(after)) => after,
                reply @ (Reply::Unclear(_) | Reply::Busy(..)) if tries < self.pace.settings.tries => {
                    tries += 1;
                    drop(reply);
                    self.pace.backoff(tries)
                }
                reply => return Next::Look(reply),
            };
            if !operation.done {
                self.pace.wait(wait, deadline).await;
            }
        }
        ended(call, operation)
    }
}

fn ended(call: &Call, operation: Operation) -> Next {
    if let Some(problem) = operation.problem {
        let trouble = Trouble::said(&problem);
        let is_rebuild = problem.is(protocol::Code::RebuildRequired);
        return Next::End(match problem.resource_usable {
            _ if is_rebuild => Written::NeedsRebuild(trouble),
            Some(false) => Written::Broken(trouble),
            _ => Written::Failed(trouble),
        });
    }
    match operation.resource {
        Some(resource) if Some(&resource.id) == call.resource() => Next::End(Written::Is(resource)),
        None if call.verb() == Some(Verb::Destroy) => Next::End(Written::Gone),
        _ => {
            Next::Look(Reply::Unclear(Unclear::Malformed("the operation ended without its resource".into())))
        }
    }
}

fn gone(call: &Call) -> Trouble {
    let what =
        if call.verb() == Some(Verb::Update) { "it is gone" } else { "the adapter knows no such kind" };
    Trouble::new("engine/gone", what).help("plan again")
}

fn too_long(call: &Call) -> Trouble {
    let verb = call.verb().map_or("call", Verb::as_str);
    Trouble::new("engine/timeout", format!("the {verb} took too long"))
        .help("apply again: what it did meanwhile will be found")
        .passing()
}
