use super::conflicts::first;
use crate::{
    Answer, Budget, Conflict, Constraint, Expand, Hooks, Id, Problem, Rule, Solution, Stop,
    search::{Goal, Search, SearchOutcome, VariableSource},
};

use super::probe::CancelOnly;

/// The consequences of choosing a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Movement {
    /// There is a solution with it.
    Possible {
        /// The additionally selected variables, by name.
        added: Vec<Id>,
        /// The variables that are no longer selected.
        removed: Vec<Id>,
    },
    /// There is none. The conflict is one of the problem that is included.
    Impossible {
        /// The problem with the additional constraint that the variable is mandatory.
        problem: Box<Problem>,
        /// The conflict that prevents it.
        conflict: Conflict,
    },
    /// The search was stopped.
    Stopped(Stop),
}

/// The changes of a solution that are necessary for a variable to be chosen.
///
/// `expand` generates variables that a lazy search did not reach; [`Nothing`](crate::Nothing) if all are
/// known.
pub fn required_changes(
    problem: &Problem,
    solution: &Solution,
    id: &str,
    expand: &mut dyn Expand,
    hooks: &dyn Hooks,
    budget: &Budget,
) -> Movement {
    let mut changed = problem.clone();
    changed.demand(id, expand);
    match solve_changed(&mut changed, &[], expand, hooks, budget) {
        Answer::Solved(moved) => difference(&solution.ids(problem), &moved.ids(&changed)),
        Answer::Unsolvable(conflict) => Movement::Impossible { problem: Box::new(changed), conflict },
        Answer::Stopped(stop) => Movement::Stopped(stop),
    }
}

fn difference(before: &[Id], after: &[Id]) -> Movement {
    let without = |list: &[Id], other: &[Id]| {
        let other = diag::order::set(other.iter().cloned());
        list.iter().filter(|it| !other.contains(*it)).cloned().collect()
    };
    Movement::Possible { added: without(after, before), removed: without(before, after) }
}

/// Solves a variation of a problem, without the constraints with some numbers.
pub(super) fn solve_changed(
    problem: &mut Problem,
    without: &[u32],
    expand: &mut dyn Expand,
    hooks: &dyn Hooks,
    budget: &Budget,
) -> Answer {
    match search_changed(problem, without, expand, hooks, budget) {
        SearchOutcome::Model(solution) => Answer::Solved(solution),
        SearchOutcome::Impossible(proof) => Answer::Unsolvable(first(problem, &proof, hooks, budget)),
        SearchOutcome::Stopped(stop) => Answer::Stopped(stop),
    }
}

/// The same without an explanation: an unsolvable problem is returned with the constraints that were used to
/// show it.
pub(super) fn search_changed(
    problem: &mut Problem,
    without: &[u32],
    expand: &mut dyn Expand,
    hooks: &dyn Hooks,
    budget: &Budget,
) -> SearchOutcome {
    let mut counts = vec![true; problem.constraint_count() as usize];
    without.iter().for_each(|it| counts[*it as usize] = false);
    let goal = Goal { counts: Some(&counts), facts: &[], with_proof: true, steps: budget.steps() };
    // The start takes longer the larger the problem is.
    let beginning = u64::from(problem.constraint_count()) / 2 + 100;
    let (found, steps) =
        Search::new(VariableSource::Open(problem, expand), goal, &mut CancelOnly(hooks)).run();
    budget.spend(steps + beginning);
    found
}

impl Problem {
    /// Makes a variable mandatory.
    fn demand(&mut self, id: &str, expand: &mut dyn Expand) {
        let number = self.mention(&id.into());
        VariableSource::Open(self, expand).expand(number);
        let mut constraints = self.variables()[number as usize].constraints.clone();
        constraints.push(Constraint::new(Rule::Mandatory));
        *self = self.with(&[(number as usize, constraints)]);
    }
}
