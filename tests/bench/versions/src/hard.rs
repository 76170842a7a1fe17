//! The worst of many random hard problems: what all questions to one take, within one budget.

use std::collections::BTreeSet;

use planloom_bench_versions::Host;
use planloom_resolve::{
    Answer, Budget, ConstraintRef, FixRequest, Limits, Nothing, Problem, conflicts, fixes, required_changes,
    solve, why,
};

#[path = "../../../../crates/resolve/tests/resolve/random_sat.rs"]
mod random_sat;
use random_sat::Sat3;

/// The limits that hosts allow.
const LIMITS: Limits = Limits { steps: 100_000_000, explanation_steps: 50_000_000 };

/// From 10 variables to 69, with 4.26 clauses each, as choices and as formulas.
const COUNT: u64 = 1_000;

/// The cost of one problem.
struct Taken {
    millis: f64,
    steps: u64,
    is_decided: bool,
    is_complete: bool,
}

/// One row as JSON: the 99th of a hundred and the worst.
pub fn rows(host: &Host) -> Vec<String> {
    let mut all: Vec<Taken> = (0..COUNT).map(|seed| taken(host, seed)).collect();
    let decided = all.iter().filter(|it| it.is_decided).count();
    let complete = all.iter().filter(|it| it.is_complete).count();
    all.sort_by_key(|it| it.steps);
    let steps = [all.len() * 99 / 100, all.len() - 1].map(|it| all[it].steps);
    all.sort_by(|a, b| a.millis.total_cmp(&b.millis));
    let millis = [all.len() * 99 / 100, all.len() - 1].map(|it| all[it].millis);
    let allowed = LIMITS.steps + LIMITS.explanation_steps;
    vec![format!(
        "{{\"what\":\"{COUNT} random hard problems, all questions\",\"decided\":{decided},\
         \"complete\":{complete},\"allowed\":{allowed},\"steps\":{steps:?},\"millis\":{millis:?}}}"
    )]
}

fn taken(host: &Host, seed: u64) -> Taken {
    let variables = 10 + (seed % 60) as usize;
    let sat = Sat3::new(variables, variables * 426 / 100, seed + 1);
    let variables = if seed.is_multiple_of(2) { sat.as_choices() } else { sat.as_formulas() };
    let (problem, _) = Problem::new(variables);
    let budget = Budget::new(&LIMITS);
    let start = (host.now)();
    let is_decided = ask_all(&problem, &budget);
    let millis = (host.now)() - start;
    Taken { millis, steps: budget.spent(), is_decided, is_complete: budget.omissions().is_empty() }
}

/// True if there was an answer.
fn ask_all(problem: &Problem, budget: &Budget) -> bool {
    match solve(problem, &mut (), budget) {
        Answer::Solved(solution) => {
            for choice in &solution.choices {
                why(problem, &solution, choice, &(), budget);
            }
            for it in problem.variables().iter().rev().take(1) {
                required_changes(problem, &solution, &it.id, &mut Nothing, &(), budget);
            }
            true
        }
        Answer::Unsolvable(conflict) => {
            let found = conflicts(problem, Some(&conflict), &(), budget, 8);
            let relaxable: BTreeSet<ConstraintRef> = found.iter().flat_map(|it| it.core.clone()).collect();
            let relaxable = relaxable.into_iter().collect();
            let request = FixRequest { relaxable, alternatives: Vec::new(), most: 8, searches: 400 };
            fixes(problem, &request, &mut Nothing, &(), budget);
            true
        }
        Answer::Stopped(_) => false,
    }
}
