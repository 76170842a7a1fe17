//! Independent parts do not influence each other.

use std::collections::BTreeSet;

use planloom_resolve::{Answer, Budget, Constraint, Id, Rule, Variable, solve};
use proptest::prelude::*;

use crate::{
    generate::{any_problem, deep_problem, plain_problem},
    laws::{config, problem},
};

/// The same problem with other names.
fn renamed(variables: &[Variable]) -> Vec<Variable> {
    let id = |id: &Id| Id::from(format!("other {id}"));
    let variable = |it: &Variable| {
        let constraints = it.constraints.iter().map(|it| Constraint::new(renamed_rule(&it.rule, &id)));
        Variable::new(id(&it.id), constraints)
    };
    variables.iter().map(variable).collect()
}

fn renamed_rule(rule: &Rule, id: &dyn Fn(&Id) -> Id) -> Rule {
    let all = |rules: &[Rule]| rules.iter().map(|it| renamed_rule(it, id)).collect();
    let ids = |ids: &[Id]| ids.iter().map(id).collect();
    match rule {
        Rule::Mandatory | Rule::Prohibited => rule.clone(),
        Rule::Conflict(other) => Rule::Conflict(id(other)),
        Rule::Dependency(of) => Rule::Dependency(ids(of)),
        Rule::AtMost { n, of } => Rule::AtMost { n: *n, of: ids(of) },
        Rule::And(rules) => Rule::And(all(rules)),
        Rule::Or(rules) => Rule::Or(all(rules)),
        Rule::Not(rule) => Rule::Not(Box::new(renamed_rule(rule, id))),
    }
}

/// Both lists merged, each in its own order; `take` selects the list of the next one.
fn mixed(one: &[Variable], other: &[Variable], take: &[bool]) -> Vec<Variable> {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut take = take.iter().copied().cycle();
    let mut mixed = Vec::new();
    while one.peek().is_some() || other.peek().is_some() {
        let first = take.next().unwrap_or(true);
        let next =
            if first { one.next().or_else(|| other.next()) } else { other.next().or_else(|| one.next()) };
        mixed.extend(next.cloned());
    }
    mixed
}

/// The selection, or the constraints of the conflict, by name.
#[derive(Debug, PartialEq)]
enum SolveOutcome {
    Selected(BTreeSet<Id>),
    Conflict(Vec<(Id, Rule)>),
}

fn reported(variables: &[Variable]) -> SolveOutcome {
    let problem = problem(variables);
    match solve(&problem, &mut (), &Budget::default()) {
        Answer::Solved(solution) => SolveOutcome::Selected(solution.ids(&problem).into_iter().collect()),
        Answer::Unsolvable(conflict) => {
            let of = |it| (problem.subject(it).clone(), problem.constraint(it).rule.clone());
            SolveOutcome::Conflict(conflict.core.into_iter().map(of).collect())
        }
        Answer::Stopped(stop) => panic!("{stop:?}"),
    }
}

/// Checks that each part of a problem has the same answer as alone; of conflicts one is reported.
fn check(one: &[Variable], other: &[Variable], take: &[bool]) -> Result<(), TestCaseError> {
    let other = renamed(other);
    let together = reported(&mixed(one, &other, take));
    match (reported(one), reported(&other)) {
        (SolveOutcome::Selected(mut one), SolveOutcome::Selected(other)) => {
            one.extend(other);
            prop_assert_eq!(together, SolveOutcome::Selected(one));
        }
        (SolveOutcome::Selected(_), conflict) | (conflict, SolveOutcome::Selected(_)) => {
            prop_assert_eq!(together, conflict)
        }
        (one, other) => prop_assert!(together == one || together == other),
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn plain_problems(one in plain_problem(), other in plain_problem(), take in any::<[bool; 9]>()) {
        check(&one, &other, &take)?;
    }

    #[test]
    fn deep_problems(one in deep_problem(), other in deep_problem(), take in any::<[bool; 9]>()) {
        check(&one, &other, &take)?;
    }

    #[test]
    fn compound_problems(one in any_problem(), other in any_problem(), take in any::<[bool; 9]>()) {
        check(&one, &other, &take)?;
    }
}
