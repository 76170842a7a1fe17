use crate::{Answer, ConstraintRef, Id, Problem};

/// The callbacks of a host during a search. Each has a default that does nothing.
pub trait Hooks {
    /// Called before the search.
    fn before(&mut self, _problem: &Problem) {}

    /// Called at each step, if tracing is enabled.
    fn trace(&mut self, _event: &Event<'_>) {}

    /// True if steps are to be reported; called at each step.
    fn is_tracing(&self) -> bool {
        true
    }

    /// Called after the search, also if it was stopped.
    fn after(&mut self, _answer: &Answer) {}

    /// True if to stop; called regularly.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// No hooks.
impl Hooks for () {
    fn is_tracing(&self) -> bool {
        false
    }
}

/// A step of a search. Steps may be reverted: after a conflict, earlier choices are made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A candidate was considered.
    Candidate {
        /// The variable whose constraint requires the choice.
        subject: &'a Id,
        /// The constraint.
        constraint: ConstraintRef,
        /// The candidate.
        candidate: &'a Id,
        /// The verdict.
        verdict: Verdict,
    },
    /// The current choices lead to a conflict.
    Conflict {
        /// The number of decisions that could be revised.
        decisions: usize,
    },
    /// All choices are made again, with the learnt clauses.
    Restart,
}

/// The verdict on a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is chosen, as the first that may be possible.
    Taken,
    /// It is chosen; the earlier choices leave nothing else.
    Implied,
    /// It is excluded by the earlier choices.
    Refused,
}
