use std::collections::BTreeSet;

use crate::{
    Conflict, Event, Hooks, Limits, Problem,
    search::{Found, Goal, Search, World},
};

/// Only the question whether to break off.
struct Quiet<'a>(&'a dyn Hooks);

impl Hooks for Quiet<'_> {
    fn trace(&mut self, _event: &Event<'_>) {}

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// An irreducible conflict: constraints are left out from the last one on as long as the rest cannot hold.
pub(super) fn conflict(problem: &Problem, hooks: &mut dyn Hooks, limits: &Limits) -> Conflict {
    let all: BTreeSet<u32> = (0..problem.constraint_count()).collect();
    let mut core = unsolvable(problem, &all, hooks, limits).unwrap_or(all);
    for constraint in core.clone().into_iter().rev() {
        if !core.contains(&constraint) {
            continue;
        }
        let mut rest = core.clone();
        rest.remove(&constraint);
        if let Some(smaller) = unsolvable(problem, &rest, hooks, limits) {
            core = smaller;
        }
    }
    let core = core.into_iter().map(|it| problem.reference(it)).collect();
    Conflict { core, is_irreducible: true }
}

fn unsolvable(
    problem: &Problem,
    of: &BTreeSet<u32>,
    hooks: &mut dyn Hooks,
    limits: &Limits,
) -> Option<BTreeSet<u32>> {
    let mut counts = vec![false; problem.constraint_count() as usize];
    of.iter().for_each(|it| counts[*it as usize] = true);
    let goal = Goal { counts: Some(&counts), facts: &[], with_proof: true, steps: limits.steps };
    match Search::new(World::Fixed(problem), goal, &mut Quiet(hooks)).run() {
        Found::Impossible(core) => Some(core),
        Found::Model(_) | Found::Stopped(_) => None,
    }
}
