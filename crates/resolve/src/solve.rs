use crate::{
    Answer, Budget, Expand, Hooks, Problem, Variable, explain,
    search::{Found, Goal, Search, World},
};

/// The one answer of a problem: exactly the one that notes/deppy §1.3 defines.
///
/// The same problem has the same answer always, and variables that have nothing to do with each other have no
/// influence on each other.
pub fn solve(problem: &Problem, hooks: &mut dyn Hooks, budget: &Budget) -> Answer {
    hooks.before(problem);
    let goal = Goal { steps: budget.steps(), with_proof: true, ..Goal::default() };
    let (found, steps) = Search::new(World::Fixed(problem), goal, hooks).run();
    budget.spend(steps);
    answer(problem, found, hooks, budget)
}

/// The answer of a problem whose variables are generated when the search reaches them, and the part of the problem that
/// was: what it says suffices to explain the answer.
pub fn solve_lazily(
    roots: Vec<Variable>,
    expand: &mut dyn Expand,
    hooks: &mut dyn Hooks,
    budget: &Budget,
) -> (Answer, Problem) {
    let mut problem = Problem::open(roots);
    hooks.before(&problem);
    let goal = Goal { steps: budget.steps(), with_proof: true, ..Goal::default() };
    let (found, steps) = Search::new(World::Open(&mut problem, expand), goal, hooks).run();
    budget.spend(steps);
    let answer = answer(&problem, found, hooks, budget);
    (answer, problem)
}

fn answer(problem: &Problem, found: Found, hooks: &mut dyn Hooks, budget: &Budget) -> Answer {
    let answer = match found {
        Found::Model(solution) => Answer::Solved(solution),
        Found::Impossible(proof) => Answer::Unsolvable(explain::conflict(problem, &proof, hooks, budget)),
        Found::Stopped(stop) => Answer::Stopped(stop),
    };
    hooks.after(&answer);
    answer
}
