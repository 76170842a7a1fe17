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
use crate::{EngineError, retry_timing::Deadline};

/// The outcome of a write.
#[derive(Debug)]
pub(crate) enum WriteOutcome {
    /// So it is.
    Is(Box<Resource>),
    /// It is gone.
    Gone,
    /// No.
    Refused(Refusal),
    /// Nobody knows.
    Unknown(EngineError),
}

/// That it was not done.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) error: EngineError,
    pub(crate) leaves: RefusalEffect,
}

/// The state of the resource after a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalEffect {
    /// What was there before.
    All,
    /// What was there before; it can only become as wanted if it is made anew.
    Fixed,
    /// Something else than was there when it was read.
    Other,
    /// Something that cannot be used.
    Ruin,
}

/// Whether it is over, or the call is sent again.
type Flow = std::ops::ControlFlow<WriteOutcome, RetryReason>;

/// Why a call is sent again, and after how many milliseconds if the adapter says.
struct RetryReason {
    why: EngineError,
    after: Option<Duration>,
}

impl Writer {
    /// Has the adapter do it, whatever it takes.
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

/// One write, until it is known what came of it.
struct Write<'w> {
    remote: &'w Remote,
    call: &'w Call,
    proof: WriteProof<'w>,
    deadline: Deadline,
    reported: &'w dyn Fn(String, Option<u8>),
    /// Whether a try may have worked, or may still.
    unsure: bool,
}

impl Write<'_> {
    /// One try: one row of the retry matrix.
    async fn send(&mut self) -> Flow {
        match self.remote.ask(self.call, Duration::ZERO).await {
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
            // Either may be the work of an earlier try.
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

    /// After a yes. One that says it is about something else than what was asked for is none; what the resource really
    /// is like, the next look tells.
    async fn reported(&self, resource: Box<Resource>) -> Flow {
        let is_asked_for = resource.spec_hash.is_empty() || resource.spec_hash == self.proof.hash;
        if is_asked_for || self.verb() == Some(Verb::Destroy) {
            return Break(WriteOutcome::Is(resource));
        }
        self.look(contract("the spec that it reports is a different one")).await
    }

    /// After an answer from which nobody can tell.
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
                self.look(unexpected_reply(reply)).await
            }
        }
    }

    /// Sees what has become of it.
    async fn look(&self, why: EngineError) -> Flow {
        match self.remote.settle(self.call, self.proof, self.deadline).await {
            SettledWrite::Is(resource) => Break(WriteOutcome::Is(resource)),
            SettledWrite::Gone => Break(WriteOutcome::Gone),
            SettledWrite::No(error) => Break(failed(error)),
            SettledWrite::Nobody(trouble) => Break(WriteOutcome::Unknown(trouble)),
            SettledWrite::NotYet => Continue(RetryReason { why, after: None }),
        }
    }

    /// What was refused because of what is there now counts as done where that is what was wanted.
    async fn mine_or(&self, problem: Problem) -> Flow {
        match self.look(EngineError::said(&problem)).await {
            Continue(_) => Break(refused(&problem)),
            Break(written) => Break(written),
        }
    }

    /// Waits until an operation of this write is done.
    async fn follow(&mut self, operation: Operation) -> Flow {
        self.unsure = true;
        match self.remote.poll(operation, self.deadline, self.reported).await {
            Polled::Done(operation) => self.ended(operation).await,
            Polled::Lost(why) => self.look(why).await,
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
            _ => self.look(contract("the operation ended without its resource")).await,
        }
    }

    /// An operation's failure means what it would have meant as an answer.
    async fn failed_late(&self, problem: &Problem) -> Flow {
        let why = EngineError::said(problem);
        match problem.status {
            _ if problem.resource_usable == Some(false) => Break(refused(problem)),
            408 | 429 | 503 => Continue(RetryReason { why: why.passing(), after: None }),
            _ if problem.is(Code::Cancelled) => self.look(why).await,
            500.. => self.look(why).await,
            _ => Break(refused(problem)),
        }
    }

    /// Something works on the resource: an earlier try, or the last call of an engine that is no more. Then it is sent
    /// again: an adapter answers the same call as it did before.
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

    /// It was tried often enough.
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

fn failed(trouble: EngineError) -> WriteOutcome {
    WriteOutcome::Refused(Refusal { error: trouble, leaves: RefusalEffect::All })
}

fn refused(problem: &Problem) -> WriteOutcome {
    let leaves = match problem.resource_usable {
        Some(false) => RefusalEffect::Ruin,
        _ if problem.is(Code::RebuildRequired) => RefusalEffect::Fixed,
        _ if problem.status == 412 && !problem.is(Code::UnsupportedProtocol) => RefusalEffect::Other,
        _ => RefusalEffect::All,
    };
    let error = match problem.status {
        // The attributes could be taken, else nothing would be there.
        _ if leaves == RefusalEffect::Ruin && problem.is(Code::InvalidSpec) => unusable(problem),
        412 if problem.is(Code::UnsupportedProtocol) => EngineError::said(problem),
        412 => EngineError::said(problem).help("it was changed outside of this run; plan again"),
        _ => EngineError::said(problem),
    };
    WriteOutcome::Refused(Refusal { error, leaves })
}

/// What was begun failed: a program ended, or was not ready in time.
fn unusable(problem: &Problem) -> EngineError {
    let said = EngineError::said(problem);
    EngineError { code: "engine/unusable".into(), ..said }
        .help("the resource exists but failed; fix the cause and apply again to recreate it")
}

fn gone(verb: Option<Verb>) -> EngineError {
    let what = if verb == Some(Verb::Update) {
        "it is gone"
    } else {
        "the adapter does not know the kind or the path"
    };
    EngineError::new("engine/gone", what).help("plan again")
}

fn contract(what: &str) -> EngineError {
    EngineError::new("engine/adapter-contract", what)
        .help("the adapter violates the protocol; report it to its author")
}

fn too_long(verb: Option<Verb>) -> EngineError {
    let verb = verb.map_or("call", Verb::as_str);
    EngineError::new("engine/timeout", format!("the {verb} took too long"))
        .help("apply again: its result will be found")
        .passing()
}
