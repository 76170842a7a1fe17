//! Laws of explanations.

use std::collections::BTreeSet;

use planloom_resolve::{
    Answer, Budget, ConstraintRef, FixRequest, Nothing, Rule, Solution, Variable, conflicts, fixes, solve,
    why,
};
use proptest::prelude::*;

use crate::{
    generate::{any_problem, deep_problem, plain_problem},
    laws::{config, problem, set, with_only},
    reference::{Reference, Set},
};

/// True if these constraints can hold if some variables are selected.
fn is_possible(variables: &[Variable], constraints: &[ConstraintRef], chosen: &[usize]) -> bool {
    let mut kept = with_only(variables, constraints);
    chosen.iter().for_each(|it| kept[*it].constraints.push(Rule::Mandatory.into()));
    !Reference::new(&kept).models().is_empty()
}

fn without<T: Clone>(list: &[T], at: usize) -> Vec<T> {
    list.iter().enumerate().filter(|(it, _)| *it != at).map(|(_, it)| it.clone()).collect()
}

/// Checks that the constraints that rule a candidate out do so, and are all necessary.
fn check_reasons(variables: &[Variable], solution: &Solution) -> Result<(), TestCaseError> {
    let problem = problem(variables);
    for choice in &solution.choices {
        let refusals = why(&problem, solution, choice, &(), &Budget::default());
        let candidates = choice.candidates(&problem);
        prop_assert_eq!(candidates[choice.candidate], choice.variable);
        let refused: Vec<usize> = refusals.iter().map(|it| it.variable).collect();
        let expected = if choice.was_chosen { &[] } else { &candidates[..choice.candidate] };
        prop_assert_eq!(&refused, expected);
        for it in refusals {
            prop_assert!(it.conflict.is_irreducible);
            let core = &it.conflict.core;
            let with = |chosen: &[usize]| [chosen, &[it.variable]].concat();
            prop_assert!(!is_possible(variables, core, &with(&it.chosen)));
            for at in 0..core.len() {
                prop_assert!(is_possible(variables, &without(core, at), &with(&it.chosen)));
            }
            for at in 0..it.chosen.len() {
                prop_assert!(is_possible(variables, core, &with(&without(&it.chosen, at))));
            }
        }
    }
    Ok(())
}

/// Checks that conflicts are disjoint, and that the rest can hold without all of them.
fn check_conflicts(variables: &[Variable]) -> Result<(), TestCaseError> {
    let problem = problem(variables);
    let found = conflicts(&problem, None, &(), &Budget::default(), 100);
    let mut seen = BTreeSet::new();
    for conflict in &found {
        prop_assert!(!is_possible(variables, &conflict.core, &[]));
        prop_assert!(conflict.core.iter().all(|it| seen.insert(*it)));
    }
    let rest: Vec<ConstraintRef> = problem.constraints().filter(|it| !seen.contains(it)).collect();
    prop_assert!(is_possible(variables, &rest, &[]));
    Ok(())
}

/// Checks that the smallest conflict is reported for few connected constraints.
fn check_smallest(variables: &[Variable]) -> Result<(), TestCaseError> {
    let problem = problem(variables);
    let found = conflicts(&problem, None, &(), &Budget::default(), 2);
    let ([conflict], 0..=30) = (found.as_slice(), problem.constraints().count()) else { return Ok(()) };
    // By set of variables: the constraints that do not hold in it. A conflict contains one of each.
    let reference = Reference::new(variables);
    let broken = |set: Set| {
        let holds =
            |it: &ConstraintRef| reference.holds(&problem.constraint(*it).rule, problem.subject(*it), set);
        problem
            .constraints()
            .enumerate()
            .filter(|(_, it)| !holds(it))
            .fold(0_u32, |all, (at, _)| all | 1 << at)
    };
    let mut broken: Vec<u32> = (0..1 << variables.len()).map(broken).collect();
    broken.sort_by_key(|it| it.count_ones());
    broken.dedup();
    prop_assert!(!has_one_of_each(&broken, 0, conflict.core.len() - 1), "{:?}", conflict);
    Ok(())
}

/// True if `more` additional members suffice to have one of each.
fn has_one_of_each(sets: &[u32], chosen: u32, more: usize) -> bool {
    match sets.iter().find(|it| *it & chosen == 0) {
        None => true,
        Some(_) if more == 0 => false,
        Some(missed) => (0..32)
            .filter(|it| missed >> it & 1 == 1)
            .any(|it| has_one_of_each(sets, chosen | 1 << it, more - 1)),
    }
}

/// Checks that fixes are exactly the smallest sets of constraints without which the rest can hold, up to a
/// size.
fn check_fixes(variables: &[Variable]) -> Result<(), TestCaseError> {
    let problem = problem(variables);
    let relaxable: Vec<ConstraintRef> = problem
        .constraints()
        .filter(|it| problem.constraint(*it).rule.kind() != planloom_resolve::RuleKind::Dependency)
        .collect();
    let request =
        FixRequest { relaxable: relaxable.clone(), alternatives: Vec::new(), most: 1_000, searches: 1_000 };
    let found = fixes(&problem, &request, &mut Nothing, &(), &Budget::default());
    let sizes: Vec<usize> = found.iter().map(|it| it.dropped.len()).collect();
    prop_assert!(sizes.is_sorted());
    let found: Vec<BTreeSet<ConstraintRef>> =
        found.into_iter().map(|it| it.dropped.into_iter().collect()).collect();
    let helps = |dropped: &BTreeSet<ConstraintRef>| {
        let rest: Vec<_> = problem.constraints().filter(|it| !dropped.contains(it)).collect();
        is_possible(variables, &rest, &[])
    };
    for it in &found {
        prop_assert!(helps(it));
        for less in it {
            prop_assert!(!helps(&it.iter().filter(|it| *it != less).copied().collect()));
        }
    }
    for (at, first) in relaxable.iter().enumerate() {
        for second in &relaxable[at..] {
            let pair = BTreeSet::from([*first, *second]);
            prop_assert_eq!(helps(&pair), found.iter().any(|it| it.is_subset(&pair)));
        }
    }
    Ok(())
}

fn check(variables: &[Variable]) -> Result<(), TestCaseError> {
    check_conflicts(variables)?;
    match solve(&problem(variables), &mut (), &Budget::default()) {
        Answer::Solved(solution) => {
            prop_assert!(Reference::new(variables).is_model(set(&solution)));
            check_reasons(variables, &solution)
        }
        _ => {
            check_smallest(variables)?;
            check_fixes(variables)
        }
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn plain_problems_are_explained(variables in plain_problem()) {
        check(&variables)?;
    }

    #[test]
    fn deep_problems_are_explained(variables in deep_problem()) {
        check(&variables)?;
    }

    #[test]
    fn compound_problems_are_explained(variables in any_problem()) {
        check(&variables)?;
    }
}
