use crate::{Answer, ConstraintRef, Id, Problem};

/// The callbacks of a host during a search. Everything has a default that does nothing.
pub trait Hooks {
    /// Called before the search.
    fn before(&mut self, _problem: &Problem) {}

    /// Called at each step that is worth telling.
    fn trace(&mut self, _event: &Event<'_>) {}

    /// Whether steps are to be told; asked at each of them.
    fn is_tracing(&self) -> bool {
        true
    }

    /// Called after the search, also when it was broken off.
    fn after(&mut self, _answer: &Answer) {}

    /// Asked now and then: whether to break off.
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

/// A step of a search. Steps may be taken back: after a conflict earlier choices are made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A candidate was looked at.
    Candidate {
        /// The variable whose constraint asks.
        subject: &'a Id,
        /// The constraint.
        constraint: ConstraintRef,
        /// The candidate.
        candidate: &'a Id,
        /// The verdict.
        verdict: Verdict,
    },
    /// Not everything can hold as things are; so many choices stand.
    Conflict {
        /// How many choices were open to revision.
        decisions: usize,
    },
    /// All choices are made anew with what was learnt.
    Restart,
}

/// The verdict on a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is taken, as the first that may be possible.
    Taken,
    /// It is taken; what was chosen before leaves nothing else.
    Implied,
    /// The earlier choices exclude it.
    Refused,
}
