//! Why it can't be done, and what could be done about it.

use crate::{Conflict, Hooks, Limits, Problem};

/// An irreducible conflict of a problem that has no solution.
pub(crate) fn conflict(problem: &Problem, hooks: &mut dyn Hooks, limits: &Limits) -> Conflict {
    core::conflict(problem, hooks, limits)
}

mod core;
