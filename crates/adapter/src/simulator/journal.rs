use protocol::ResourceId;
use serde::{Deserialize, Serialize};

use crate::ResourceRequest;

/// A call that was executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JournalEntry {
    /// The time, in milliseconds of the timer.
    pub at: i64,
    /// `create`, `read`, `update` or `destroy`.
    pub verb: &'static str,
    /// The resource.
    #[serde(flatten)]
    pub id: ResourceId,
    /// The address of the resource.
    pub address: String,
    /// The outcome: `made`, `took_over`, `changed`, `destroyed`, `was_gone`, `read`, or the code of a
    /// problem.
    pub outcome: String,
}

/// The number of calls that were executed, and of their outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallCounts {
    /// Calls of `create`.
    pub create: u64,
    /// Calls of `read`.
    pub read: u64,
    /// Calls of `update`.
    pub update: u64,
    /// Calls of `destroy`.
    pub destroy: u64,
    /// Resources that were created.
    pub made: u64,
    /// Resources that were destroyed.
    pub destroyed: u64,
    /// Calls that were refused.
    pub refused: u64,
}

pub(super) enum Outcome {
    Made,
    TookOver,
    Changed,
    Destroyed,
    WasGone,
    Read,
    Refused(String),
}

impl Outcome {
    fn name(self) -> String {
        match self {
            Self::Made => "made".into(),
            Self::TookOver => "took_over".into(),
            Self::Changed => "changed".into(),
            Self::Destroyed => "destroyed".into(),
            Self::WasGone => "was_gone".into(),
            Self::Read => "read".into(),
            Self::Refused(code) => code,
        }
    }
}

#[derive(Default)]
pub(super) struct Journal {
    carried: Vec<JournalEntry>,
    tally: CallCounts,
}

impl Journal {
    pub(super) fn all(&self) -> Vec<JournalEntry> {
        self.carried.clone()
    }

    pub(super) fn of(carried: Vec<JournalEntry>, tally: CallCounts) -> Self {
        Self { carried, tally }
    }

    pub(super) fn latest(&self, count: usize) -> &[JournalEntry] {
        &self.carried[self.carried.len().saturating_sub(count)..]
    }

    pub(super) const fn tally(&self) -> CallCounts {
        self.tally
    }

    pub(super) fn note(
        &mut self,
        at: i64,
        verb: &'static str,
        request: &ResourceRequest,
        outcome: Outcome,
        reads: bool,
    ) {
        let tally = &mut self.tally;
        match verb {
            "create" => tally.create += 1,
            "read" => tally.read += 1,
            "update" => tally.update += 1,
            _ => tally.destroy += 1,
        }
        match outcome {
            Outcome::Made => tally.made += 1,
            Outcome::Destroyed => tally.destroyed += 1,
            Outcome::Refused(_) => tally.refused += 1,
            Outcome::TookOver | Outcome::Changed | Outcome::WasGone | Outcome::Read => {}
        }
        if verb != "read" || reads {
            let (id, address) = (request.id.clone(), request.address.clone());
            self.carried.push(JournalEntry { at, verb, id, address, outcome: outcome.name() });
        }
    }
}
