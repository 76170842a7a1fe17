use std::ops::ControlFlow::{self, Break, Continue};

use protocol::Verb;
use state::Change;

use crate::{
    EngineError,
    observed_version::ObservedVersion,
    pending_write::PendingWrite,
    remote::{Refusal, RefusalEffect, WriteOutcome, WriteProof, Writer},
    retry_timing::Deadline,
    run_context::RunContext,
};

/// Makes one change of a resource. Every change goes this way.
pub(crate) struct WriteAttempt<'e> {
    pub(crate) context: &'e RunContext,
    pub(crate) writer: &'e Writer,
    pub(crate) deadline: Deadline,
    /// Receives the progress.
    pub(crate) reported: &'e dyn Fn(String, Option<u8>),
}

impl WriteAttempt<'_> {
    /// Journals a write and sends it, based on the observed version. If the resource has another version by
    /// now because it became ready, or failed, the write is sent for that version; if it was changed by
    /// another writer, it is not sent.
    ///
    /// Returns the outcome, and the changes to record with it: that the write is settled.
    pub(crate) async fn run(
        &self,
        write: &PendingWrite,
        mut seen: ObservedVersion,
    ) -> Result<(Vec<Change>, WriteOutcome), EngineError> {
        let mut left = self.context.timing.settings.tries;
        loop {
            let (call, intent) = write.draft(self.context, seen.etag());
            let settled = intent.iter().map(|it| Change::Settle(it.id.clone())).collect();
            self.record(intent.into_iter().map(|it| Change::Begin(Box::new(it))).collect()).await?;
            let proof = WriteProof { hash: &write.hash, before: &seen.spec_hash };
            let written = self.writer.write(&call, proof, self.deadline, self.reported).await;
            left = left.saturating_sub(1);
            match self.reread(write, &seen, written).await {
                Continue((_, newer)) if left > 0 => seen = newer,
                Continue((written, _)) | Break(written) => return Ok((settled, written)),
            }
            // What was refused is over; the next call is another.
            self.record(settled).await?;
        }
    }

    async fn record(&self, changes: Vec<Change>) -> Result<(), EngineError> {
        if changes.is_empty() { Ok(()) } else { Ok(self.context.ledger.commit(changes).await?) }
    }

    /// Handles a write that was refused because the resource is not as observed any more: returns its current
    /// version, if that is only more recent.
    async fn reread(
        &self,
        write: &PendingWrite,
        seen: &ObservedVersion,
        written: WriteOutcome,
    ) -> ControlFlow<WriteOutcome, (WriteOutcome, ObservedVersion)> {
        let is_other =
            matches!(&written, WriteOutcome::Refused(Refusal { leaves: RefusalEffect::Other, .. }));
        if !is_other || seen.etag().is_none() {
            return Break(written);
        }
        match self.writer.reader().read(&write.id, self.deadline).await {
            Ok(None) if write.verb == Verb::Destroy => Break(WriteOutcome::Gone),
            Ok(Some(now)) => match seen.renewed(write.verb, &now) {
                Some(newer) => Continue((written, newer)),
                None => Break(written),
            },
            _ => Break(written),
        }
    }
}
