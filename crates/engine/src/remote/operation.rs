use std::time::Duration;

use protocol::{Call, Operation, Reply, Unclear};

use super::{
    Remote,
    read::unexpected_reply,
    tries::{Counts, RetryCounter},
};
use crate::{EngineError, codes, retry_timing::Deadline};

/// The longest time for which an adapter may hold back the answer about an operation, in seconds.
const PATIENCE: u32 = 20;

/// The result of waiting for an operation.
pub(super) enum Polled {
    /// It has ended, with success or failure.
    Done(Operation),
    /// Its state cannot be read any more.
    Lost(EngineError),
    /// It did not end in time.
    TooLong,
}

impl Remote {
    /// Waits until an operation is done.
    pub(super) async fn poll(
        &self,
        mut operation: Operation,
        deadline: Deadline,
        reported: &dyn Fn(String, Option<u8>),
    ) -> Polled {
        let mut tries = RetryCounter::new(&self.timing, deadline);
        while !operation.done {
            if let Some(progress) = &operation.progress {
                reported(progress.message.clone(), progress.percent.map(|it| it.min(100)));
            }
            let after = match self.progress(&operation, deadline).await {
                Reply::Operation(later) if later.id != operation.id => {
                    return Polled::Lost(unexpected_reply(&other_resource()));
                }
                Reply::Operation(later) => {
                    operation = *later;
                    tries = RetryCounter::new(&self.timing, deadline);
                    // An adapter that does not hold its answer back is not polled without pause.
                    if !operation.done && !self.timing.wait(self.timing.settings.ready_first, deadline).await
                    {
                        return Polled::TooLong;
                    }
                    continue;
                }
                Reply::Busy(_, after) => after,
                Reply::Unclear(_) => None,
                Reply::Absent => return Polled::Lost(forgotten()),
                reply => return Polled::Lost(unexpected_reply(&reply)),
            };
            if !tries.again(after, Counts::UnlessRetryAfter).await {
                return if self.timing.is_over(deadline) {
                    Polled::TooLong
                } else {
                    Polled::Lost(unresponsive())
                };
            }
        }
        Polled::Done(operation)
    }

    /// Reads the progress of an operation; the answer may come only when it is done.
    async fn progress(&self, operation: &Operation, deadline: Deadline) -> Reply {
        let left = u32::try_from(self.timing.left(deadline).as_secs()).unwrap_or(u32::MAX);
        let patience = PATIENCE.min(left);
        let call = Call::Operation { op: operation.op.clone(), wait: Some(patience) };
        self.send_authorized(&call, Duration::from_secs(patience.into())).await
    }
}

fn other_resource() -> Reply {
    Reply::Unclear(Unclear::Malformed("it is for another resource".into()))
}

fn forgotten() -> EngineError {
    EngineError::new(codes::ADAPTER_CONTRACT, "the adapter no longer knows the operation")
        .help("the adapter violates the protocol; report it to its author")
}

fn unresponsive() -> EngineError {
    EngineError::new(codes::UNREACHABLE, "the adapter does not report the progress of the operation")
        .help("nothing was lost; check that the adapter can be reached, and try again")
        .passing()
}
