use std::{
    ops::ControlFlow::{Break, Continue},
    time::Duration,
};

use protocol::{Call, Code, Operation, Problem, Reply, Resource, TransportError, Unclear, Verb};

use super::{
    Remote, Writer,
    operation::Polled,
    read::{unauthorized, unexpected_reply},
    settle::{SettledWrite, WriteProof, unknown},
    tries::{Counts, RetryCounter},
};
use crate::{EngineError, codes, retry_timing::Deadline};

/// The outcome of a write.
#[derive(Debug)]
pub(crate) enum WriteOutcome {
    /// It was done; the resource as it is now.
    Is(Box<Resource>),
    /// The resource is gone.
    Gone,
    /// It was refused.
    Refused(Refusal),
    /// The outcome is not known.
    Unknown(EngineError),
}

/// A write that was not done.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) error: EngineError,
    pub(crate) leaves: RefusalEffect,
}

/// The state of the resource after a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalEffect {
    /// As it was before.
    All,
    /// As it was before; the change requires a rebuild.
    Fixed,
    /// Changed by another writer since it was read.
    Other,
    /// Unusable.
    Ruin,
}

/// The final outcome, or a reason to send the call again.
type Flow = std::ops::ControlFlow<WriteOutcome, RetryReason>;

/// The reason why a call is sent again, and the pause that the adapter requires, if any.
struct RetryReason {
    why: EngineError,
    after: Option<Duration>,
}

impl Writer {
    /// Sends a write, with retries, until its outcome is known.
    pub(crate) async fn write(
        &self,
        call: &Call,
        proof: WriteProof<'_>,
        deadline: Deadline,
        reported: &dyn Fn(String, Option<u8>),
    ) -> WriteOutcome {
        let mut tries = RetryCounter::new(&self.0.timing, deadline);
        let mut write = Write { remote: &self.0, call, proof, deadline, reported, unsure: false };
        loop {
            match write.send().await {
                Break(written) => return written,
                Continue(RetryReason { why, after }) => {
                    reported(why.message.clone(), None);
                    if !tries.again(after, Counts::UnlessRetryAfter).await {
                        return write.gave_up(why);
                    }
                }
            }
        }
    }
}

/// One write, until its outcome is known.
struct Write<'w> {
    remote: &'w Remote,
    call: &'w Call,
    proof: WriteProof<'w>,
    deadline: Deadline,
    reported: &'w dyn Fn(String, Option<u8>),
    /// True if an earlier try may have succeeded, or may still.
    unsure: bool,
}

impl Write<'_> {
    /// Sends the call once: one row of the retry matrix.
    async fn send(&mut self) -> Flow {
        match self.remote.send_authorized(self.call, Duration::ZERO).await {
            Reply::Resource(resource) => {
                self.unsure = true;
                self.reported(resource).await
            }
            Reply::Done => Break(WriteOutcome::Gone),
            Reply::Operation(operation) => self.follow(*operation).await,
            Reply::Outstanding(problem) => self.wait_for(problem).await,
            Reply::Absent if self.verb() == Some(Verb::Destroy) => Break(WriteOutcome::Gone),
            Reply::Absent => Break(failed(gone(self.verb()))),
            Reply::Busy(problem, after) => {
                Continue(RetryReason { why: EngineError::said(&problem).passing(), after })
            }
            Reply::Unauthorized(problem) if self.unsure => Break(self.unknown(&unauthorized(&problem))),
            Reply::Unauthorized(problem) => Break(failed(unauthorized(&problem))),
            // Either may be the effect of an earlier try.
            Reply::Differs(problem) if self.verb() == Some(Verb::Create) => self.mine_or(problem).await,
            Reply::Stale(problem) if self.unsure => self.mine_or(problem).await,
            Reply::Stale(problem)
            | Reply::Differs(problem)
            | Reply::OtherVersion(problem)
            | Reply::RebuildRequired(problem)
            | Reply::Refused(problem) => Break(refused(&problem)),
            reply => self.unclear(&reply).await,
        }
    }

    /// Handles a success. If the reported spec is another than the requested one, the resource is read to see
    /// what it is.
    async fn reported(&self, resource: Box<Resource>) -> Flow {
        let is_requested = resource.spec_hash.is_empty() || resource.spec_hash == self.proof.hash;
        if is_requested || self.verb() == Some(Verb::Destroy) {
            return Break(WriteOutcome::Is(resource));
        }
        self.read_back(contract("the spec that it reports is a different one")).await
    }

    /// Handles an answer that does not show the outcome.
    async fn unclear(&mut self, reply: &Reply) -> Flow {
        match reply {
            Reply::Unclear(Unclear::Transport(TransportError::Unresolved(_))) if !self.unsure => {
                Break(failed(unexpected_reply(reply)))
            }
            Reply::Unclear(Unclear::Transport(error)) if error.was_not_sent() => {
                Continue(RetryReason { why: unexpected_reply(reply), after: None })
            }
            Reply::Unclear(Unclear::Failed(problem)) if problem.resource_usable == Some(false) => {
                Break(refused(problem))
            }
            reply => {
                self.unsure = true;
                self.read_back(unexpected_reply(reply)).await
            }
        }
    }

    /// Reads the resource to determine the outcome.
    async fn read_back(&self, why: EngineError) -> Flow {
        match self.remote.settle(self.call, self.proof, self.deadline).await {
            SettledWrite::Is(resource) => Break(WriteOutcome::Is(resource)),
            SettledWrite::Gone => Break(WriteOutcome::Gone),
            SettledWrite::No(error) => Break(failed(error)),
            SettledWrite::Unknown(error) => Break(WriteOutcome::Unknown(error)),
            SettledWrite::NotYet => Continue(RetryReason { why, after: None }),
        }
    }

    /// A write that conflicts with the current resource counts as done if that resource is as requested.
    async fn mine_or(&self, problem: Problem) -> Flow {
        match self.read_back(EngineError::said(&problem)).await {
            Continue(_) => Break(refused(&problem)),
            Break(written) => Break(written),
        }
    }

    /// Waits until an operation of this write is done.
    async fn follow(&mut self, operation: Operation) -> Flow {
        self.unsure = true;
        match self.remote.poll(operation, self.deadline, self.reported).await {
            Polled::Done(operation) => self.ended(operation).await,
            Polled::Lost(why) => self.read_back(why).await,
            Polled::TooLong => Break(WriteOutcome::Unknown(too_long(self.verb()))),
        }
    }

    async fn ended(&self, operation: Operation) -> Flow {
        match (operation.problem, operation.resource) {
            (Some(problem), _) => self.failed_late(&problem).await,
            (None, Some(resource)) if Some(&resource.id) == self.call.resource() => {
                self.reported(resource).await
            }
            (None, None) if self.verb() == Some(Verb::Destroy) => Break(WriteOutcome::Gone),
            _ => self.read_back(contract("the operation ended without its resource")).await,
        }
    }

    /// Treats an operation's failure like the same failure as a direct answer.
    async fn failed_late(&self, problem: &Problem) -> Flow {
        let why = EngineError::said(problem);
        match problem.status {
            _ if problem.resource_usable == Some(false) => Break(refused(problem)),
            408 | 429 | 503 => Continue(RetryReason { why: why.passing(), after: None }),
            _ if problem.is(Code::Cancelled) => self.read_back(why).await,
            500.. => self.read_back(why).await,
            _ => Break(refused(problem)),
        }
    }

    /// Waits for another operation on the resource: an earlier try, or the last call of a process that has
    /// ended. Then sends the call again: an adapter answers the same call as before.
    async fn wait_for(&mut self, problem: Problem) -> Flow {
        self.unsure = true;
        let (why, id) = (EngineError::said(&problem).passing(), self.call.resource());
        let (Some(op), Some(id), Some(verb)) = (problem.op, id.cloned(), self.verb()) else {
            return Continue(RetryReason { why, after: Some(Duration::ZERO) });
        };
        let operation =
            Operation { op, verb, id, done: false, progress: None, resource: None, problem: None };
        match self.remote.poll(operation, self.deadline, self.reported).await {
            Polled::Done(_) | Polled::Lost(_) => Continue(RetryReason { why, after: None }),
            Polled::TooLong => Break(WriteOutcome::Unknown(too_long(self.verb()))),
        }
    }

    /// The outcome after the last try.
    fn gave_up(&self, why: EngineError) -> WriteOutcome {
        if self.unsure { self.unknown(&why) } else { failed(why) }
    }

    fn unknown(&self, why: &EngineError) -> WriteOutcome {
        WriteOutcome::Unknown(unknown(self.verb(), why))
    }

    fn verb(&self) -> Option<Verb> {
        self.call.verb()
    }
}

fn failed(error: EngineError) -> WriteOutcome {
    WriteOutcome::Refused(Refusal { error, leaves: RefusalEffect::All })
}

fn refused(problem: &Problem) -> WriteOutcome {
    let leaves = match problem.resource_usable {
        Some(false) => RefusalEffect::Ruin,
        _ if problem.is(Code::RebuildRequired) => RefusalEffect::Fixed,
        _ if problem.status == 412 && !problem.is(Code::UnsupportedProtocol) => RefusalEffect::Other,
        _ => RefusalEffect::All,
    };
    let error = match problem.status {
        // The attributes were accepted, otherwise the resource would not exist.
        _ if leaves == RefusalEffect::Ruin && problem.is(Code::InvalidSpec) => unusable(problem),
        412 if problem.is(Code::UnsupportedProtocol) => EngineError::said(problem),
        412 => EngineError::said(problem).help("it was changed outside of this run; plan again"),
        _ => EngineError::said(problem),
    };
    WriteOutcome::Refused(Refusal { error, leaves })
}

/// The error for a created resource that is not usable: a program ended, an image does not exist, or it was not ready in time.
fn unusable(problem: &Problem) -> EngineError {
    let said = EngineError::said(problem);
    EngineError { code: codes::UNUSABLE.as_str().into(), ..said }
        .help("it is not usable; fix the cause and apply again, which recreates it")
}

fn gone(verb: Option<Verb>) -> EngineError {
    let what = if verb == Some(Verb::Update) {
        "it is gone"
    } else {
        "the adapter does not know the kind or the path"
    };
    EngineError::new(codes::GONE, what).help("plan again")
}

fn contract(what: &str) -> EngineError {
    EngineError::new(codes::ADAPTER_CONTRACT, what)
        .help("the adapter violates the protocol; report it to its author")
}

fn too_long(verb: Option<Verb>) -> EngineError {
    let verb = verb.map_or("call", Verb::as_str);
    EngineError::new(codes::TIMEOUT, format!("the {verb} took too long"))
        .help("apply again: its result will be found")
        .passing()
}
