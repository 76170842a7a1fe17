use crate::{
    Answer, Budget, Expand, Hooks, Problem, Variable, explain,
    search::{Goal, Search, SearchOutcome, VariableSource},
};

/// The one answer of a problem: the one that its choices define, made in the order in which they arise.
///
/// The same problem always has the same answer, and independent variables do not influence each other.
pub fn solve(problem: &Problem, hooks: &mut dyn Hooks, budget: &Budget) -> Answer {
    hooks.before(problem);
    let goal = Goal { steps: budget.steps(), with_proof: true, ..Goal::default() };
    let (found, steps) = Search::new(VariableSource::Fixed(problem), goal, hooks).run();
    budget.spend(steps);
    answer(problem, found, hooks, budget)
}

/// The answer of a problem whose variables are generated when the search reaches them, and the part of the
/// problem that was generated, which suffices to explain the answer.
pub fn solve_lazily(
    roots: Vec<Variable>,
    expand: &mut dyn Expand,
    hooks: &mut dyn Hooks,
    budget: &Budget,
) -> (Answer, Problem) {
    let mut problem = Problem::open(roots);
    hooks.before(&problem);
    let goal = Goal { steps: budget.steps(), with_proof: true, ..Goal::default() };
    let (found, steps) = Search::new(VariableSource::Open(&mut problem, expand), goal, hooks).run();
    budget.spend(steps);
    let answer = answer(&problem, found, hooks, budget);
    (answer, problem)
}

fn answer(problem: &Problem, found: SearchOutcome, hooks: &mut dyn Hooks, budget: &Budget) -> Answer {
    let answer = match found {
        SearchOutcome::Model(solution) => Answer::Solved(solution),
        SearchOutcome::Impossible(proof) => {
            Answer::Unsolvable(explain::conflict(problem, &proof, hooks, budget))
        }
        SearchOutcome::Stopped(stop) => Answer::Stopped(stop),
    };
    hooks.after(&answer);
    answer
}
