//! Laws of answers and of explanations.

use planloom_resolve::{Answer, Budget, ConstraintRef, Problem, Solution, Variable, solve};
use proptest::prelude::*;

use crate::{
    generate::{any_problem, deep_problem, plain_problem},
    reference::{Reference, Set},
};

/// `cases` of each law; `PROPTEST_CASES` sets a higher number.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let requested = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok());
    ProptestConfig {
        cases: requested.map_or(cases, |it: u32| it.max(cases)),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

pub(crate) fn set(solution: &Solution) -> Set {
    solution.selected.iter().fold(0, |set, it| set | 1 << it)
}

pub(crate) fn problem(variables: &[Variable]) -> Problem {
    let (problem, diagnostics) = Problem::new(variables.to_vec());
    assert_eq!(diagnostics, Vec::new());
    problem
}

/// The same variables with some of their constraints.
pub(crate) fn with_only(variables: &[Variable], constraints: &[ConstraintRef]) -> Vec<Variable> {
    let mut kept: Vec<Variable> = variables.iter().map(|it| Variable::new(it.id.clone(), [])).collect();
    for it in constraints {
        let constraint = variables[it.variable].constraints[it.constraint].clone();
        kept[it.variable].constraints.push(constraint);
    }
    kept
}

/// Checks that the answer is the defined one, and that a conflict is irreducible.
fn as_defined(variables: &[Variable]) -> Result<(), TestCaseError> {
    let reference = Reference::new(variables);
    let expected = reference.answer();
    match solve(&problem(variables), &mut (), &Budget::default()) {
        Answer::Solved(solution) => {
            prop_assert!(reference.is_model(set(&solution)));
            prop_assert_eq!(Some(set(&solution)), expected);
        }
        Answer::Unsolvable(conflict) => {
            prop_assert_eq!(None, expected);
            prop_assert!(conflict.is_irreducible);
            let core = conflict.core;
            prop_assert!(Reference::new(&with_only(variables, &core)).models().is_empty());
            for needed in &core {
                let rest: Vec<_> = core.iter().copied().filter(|it| it != needed).collect();
                prop_assert!(!Reference::new(&with_only(variables, &rest)).models().is_empty());
            }
        }
        Answer::Stopped(stop) => prop_assert!(false, "{:?}", stop),
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn plain_answers_are_as_defined(variables in plain_problem()) {
        as_defined(&variables)?;
    }

    #[test]
    fn deep_answers_are_as_defined(variables in deep_problem()) {
        as_defined(&variables)?;
    }

    #[test]
    fn compound_answers_are_as_defined(variables in any_problem()) {
        as_defined(&variables)?;
    }
}
