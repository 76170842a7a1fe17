//! Problems that are hard by chance are decided, and what a budget does not suffice for is reported.

use std::collections::BTreeSet;

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use planloom_resolve::{
    Alternative, Answer, Budget, Conflict, ConstraintRef, FixRequest, Limits, Movement, Nothing, Omission,
    Problem, Rule, Variable, conflicts, fixes, required_changes, solve, why,
};
use proptest::prelude::*;

use crate::{
    batsat::Oracle,
    laws::{config, problem, with_only},
    random_sat::Sat3,
};

/// True if some of the clauses can hold, according to another solver.
fn is_satisfiable(sat: &Sat3, clauses: impl Iterator<Item = usize>) -> bool {
    let mut solver = BasicSolver::default();
    let vars: Vec<_> = (0..sat.variables).map(|_| solver.new_var_default()).collect();
    for clause in clauses {
        let lits = sat.clauses[clause].map(|(var, is_true)| Lit::new(vars[var], is_true));
        solver.add_clause_reuse(&mut lits.to_vec());
    }
    solver.solve_limited(&[]) == lbool::TRUE
}

/// A random problem at the ratio at which problems are hardest.
fn hardest(variables: usize, seed: u64) -> Sat3 {
    Sat3::new(variables, variables * 426 / 100, seed)
}

/// True if there is a solution; `None` if it was not decided.
fn verdict(variables: &[Variable], limits: &Limits) -> Option<bool> {
    match solve(&problem(variables), &mut (), &Budget::new(limits).without_explanation()) {
        Answer::Solved(_) => Some(true),
        Answer::Unsolvable(_) => Some(false),
        Answer::Stopped(_) => None,
    }
}

/// The limits of hosts.
const HOSTS: Limits = Limits { steps: 100_000_000, explanation_steps: 50_000_000 };

#[test]
fn hard_choices_are_decided() {
    for (variables, seeds) in [(50, 1..=20), (100, 1..=6), (150, 1..=3), (200, 1..=2)] {
        for seed in seeds {
            let sat = hardest(variables, seed);
            let expected = is_satisfiable(&sat, 0..sat.clauses.len());
            assert_eq!(verdict(&sat.as_choices(), &HOSTS), Some(expected), "{variables} {seed}");
        }
    }
}

#[test]
fn hard_formulas_are_decided() {
    for (variables, seeds) in [(50, 1..=20), (100, 1..=6), (150, 2..=4)] {
        for seed in seeds {
            let sat = hardest(variables, seed);
            let expected = is_satisfiable(&sat, 0..sat.clauses.len());
            assert_eq!(verdict(&sat.as_formulas(), &HOSTS), Some(expected), "{variables} {seed}");
        }
    }
}

/// 40 variables and 170 clauses: neither the verdict nor the explanation takes the whole budget.
#[test]
fn hard_conflicts_are_explained() {
    for seed in [2, 4, 5] {
        let sat = hardest(40, seed);
        for variables in [sat.as_choices(), sat.as_formulas()] {
            let budget = Budget::new(&HOSTS);
            let found = explain(&problem(&variables), &budget);
            assert!(found.iter().all(|it| it.is_irreducible));
            assert_eq!(budget.omissions(), []);
            assert!(budget.spent() < 30_000_000, "{}", budget.spent());
        }
    }
}

/// Computes all explanations of a problem, within one budget; returns its conflicts.
fn explain(problem: &Problem, budget: &Budget) -> Vec<Conflict> {
    match solve(problem, &mut (), budget) {
        Answer::Solved(solution) => {
            for choice in &solution.choices {
                why(problem, &solution, choice, &(), budget);
            }
            let last = problem.variables().last().expect("a variable").id.clone();
            let moved = required_changes(problem, &solution, &last, &mut Nothing, &(), budget);
            match moved {
                Movement::Impossible { conflict, .. } => assert!(!conflict.core.is_empty()),
                Movement::Possible { .. } | Movement::Stopped(_) => {}
            }
            Vec::new()
        }
        Answer::Unsolvable(conflict) => {
            let found = conflicts(problem, Some(&conflict), &(), budget, 8);
            let relaxable: BTreeSet<ConstraintRef> = found.iter().flat_map(|it| it.core.clone()).collect();
            let request = FixRequest {
                relaxable: relaxable.into_iter().collect(),
                alternatives: Vec::new(),
                most: 8,
                searches: 400,
            };
            fixes(problem, &request, &mut Nothing, &(), budget);
            found
        }
        Answer::Stopped(_) => Vec::new(),
    }
}

/// The highest number of steps of one propagation and of the start of a search.
fn slack(problem: &Problem) -> u64 {
    let sizes = problem.constraints().map(|it| 4 + 2 * problem.constraint(it).sentence("").len() as u64);
    1_000 + sizes.sum::<u64>()
}

/// Checks that a conflict is one, and that each of its constraints is necessary if it claims so.
fn check_conflict(variables: &[Variable], conflict: &Conflict) -> Result<(), TestCaseError> {
    let is_possible = |core: &[ConstraintRef]| Oracle::new(&with_only(variables, core)).is_possible(&[]);
    prop_assert!(!is_possible(&conflict.core));
    if conflict.is_irreducible {
        for at in 0..conflict.core.len() {
            let mut rest = conflict.core.clone();
            rest.remove(at);
            prop_assert!(is_possible(&rest));
        }
    }
    Ok(())
}

/// Wherever the budget ends: if fewer fixes are found than there are, that is reported.
#[test]
fn omitted_fixes_are_reported() {
    let text = "{host:[M], user:[M D(app-2)], app-2:[D(lib-2)], app-1:[D(lib-1)], lib-2:[X(host)], lib-1}";
    let problem = problem(&crate::notation::variables(text));
    let user = problem.position("user").expect("it is there");
    let host = problem.position("host").expect("it is there");
    let alternative = |on: &str| Alternative {
        variable: user,
        constraints: vec![Rule::Mandatory.into(), Rule::Dependency(vec![on.into()]).into()],
    };
    for alternatives in [vec![], vec![alternative("lib-2")], vec![alternative("lib-2"), alternative("app-1")]]
    {
        let relaxable = [(host, 0), (user, 0), (user, 1)]
            .map(|(variable, constraint)| ConstraintRef { variable, constraint });
        let request = FixRequest { relaxable: relaxable.into(), alternatives, most: 100, searches: 100 };
        let within = |explanation_steps: u64| {
            let budget = Budget::new(&Limits { explanation_steps, ..Limits::default() });
            let found = fixes(&problem, &request, &mut Nothing, &(), &budget).len();
            (found, budget.omissions().contains(&Omission::Fixes), budget.spent())
        };
        let (all, is_left_out, spent) = within(1_000_000);
        assert!(all >= 2 && !is_left_out, "{all} {is_left_out}");
        for steps in 0..spent {
            let (found, is_left_out, _) = within(steps);
            assert!(found == all || is_left_out, "{found} of {all} within {steps} of {spent} steps");
        }
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn budgets_hold(
        variables in 10..60_usize,
        ratio in 300..600_usize,
        seed in any::<u64>(),
        steps in 0..200_000_u64,
        explanation_steps in 0..400_000_u64,
        are_choices in any::<bool>(),
    ) {
        let sat = Sat3::new(variables, variables * ratio / 100, seed);
        let variables = if are_choices { sat.as_choices() } else { sat.as_formulas() };
        let problem = problem(&variables);
        let budget = Budget::new(&Limits { steps, explanation_steps });
        let found = explain(&problem, &budget);
        let allowed = steps + explanation_steps + 4 * slack(&problem);
        prop_assert!(budget.spent() <= allowed, "{} of {}", budget.spent(), allowed);
        let is_sure = found.iter().all(|it| it.is_irreducible);
        prop_assert!(is_sure || budget.omissions().contains(&Omission::Irreducibility));
        if !found.is_empty() {
            prop_assert!(!is_satisfiable(&sat, 0..sat.clauses.len()));
        }
        if are_choices {
            found.iter().try_for_each(|it| check_conflict(&variables, it))?;
        }
    }

    #[test]
    fn verdicts_are_those_of_another_solver(
        variables in 5..80_usize,
        ratio in 350..500_usize,
        seed in any::<u64>(),
    ) {
        let sat = Sat3::new(variables, variables * ratio / 100, seed);
        let expected = is_satisfiable(&sat, 0..sat.clauses.len());
        prop_assert_eq!(verdict(&sat.as_choices(), &HOSTS), Some(expected));
        prop_assert_eq!(verdict(&sat.as_formulas(), &HOSTS), Some(expected));
    }
}
