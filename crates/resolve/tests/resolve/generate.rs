//! Random problems.

use planloom_resolve::{Id, Rule, Variable};
use proptest::{collection::vec, prelude::*};

/// Some of these, each at most once, in any order.
fn some(ids: usize, most: usize) -> impl Strategy<Value = Vec<usize>> {
    vec(0..ids, 0..=most).prop_map(|mut list| {
        let mut seen = std::collections::BTreeSet::new();
        list.retain(|it| seen.insert(*it));
        list
    })
}

pub(crate) fn id(at: usize) -> Id {
    format!("v{at}").into()
}

fn ids(list: Vec<usize>) -> Vec<Id> {
    list.into_iter().map(id).collect()
}

/// The rules that package managers have.
fn plain(count: usize) -> BoxedStrategy<Rule> {
    prop_oneof![
        2 => Just(Rule::Mandatory),
        1 => Just(Rule::Prohibited),
        4 => (0..count).prop_map(|it| Rule::Conflict(id(it))),
        8 => some(count, 4).prop_map(|it| Rule::Dependency(ids(it))),
        3 => (0..3_usize, some(count, 5)).prop_map(|(n, of)| Rule::AtMost { n, of: ids(of) }),
    ]
    .boxed()
}

/// These rules with `And`, `Or` and `Not` around them.
fn compound(count: usize) -> BoxedStrategy<Rule> {
    plain(count)
        .prop_recursive(3, 8, 3, |inner| {
            prop_oneof![
                vec(inner.clone(), 0..3).prop_map(Rule::And),
                vec(inner.clone(), 0..4).prop_map(Rule::Or),
                inner.prop_map(|it| Rule::Not(Box::new(it))),
            ]
        })
        .boxed()
}

fn variables_of(
    rules: fn(usize) -> BoxedStrategy<Rule>,
    most: usize,
) -> impl Strategy<Value = Vec<Variable>> {
    (1..=most).prop_flat_map(move |count| {
        vec(vec(rules(count), 0..=3), count).prop_map(|all| {
            let variable =
                |(at, rules): (usize, Vec<Rule>)| Variable::new(id(at), rules.into_iter().map(Into::into));
            all.into_iter().enumerate().map(variable).collect()
        })
    })
}

/// Problems without compound rules. The first variable is mandatory, so that there is a choice more often.
pub(crate) fn plain_problem() -> impl Strategy<Value = Vec<Variable>> {
    variables_of(plain, 9).prop_map(|mut variables| {
        variables[0].constraints.insert(0, Rule::Mandatory.into());
        variables
    })
}

/// Problems with any rules.
pub(crate) fn any_problem() -> impl Strategy<Value = Vec<Variable>> {
    variables_of(compound, 9)
}

/// Problems in which late choices have to be reverted: few candidates, which exclude each other.
pub(crate) fn deep_problem() -> impl Strategy<Value = Vec<Variable>> {
    let count = 10_usize;
    let dependency = vec(0..count, 1..=3).prop_map(|it| Rule::Dependency(ids(it)));
    let conflict = (0..count).prop_map(|it| Rule::Conflict(id(it)));
    let of_one = (vec(dependency, 0..=2), vec(conflict, 0..=2)).prop_map(|(a, b)| [a, b].concat());
    vec(of_one, count).prop_map(|all| {
        let mut rules: Vec<Vec<Rule>> = all;
        rules[0].push(Rule::Mandatory);
        let variable =
            |(at, rules): (usize, Vec<Rule>)| Variable::new(id(at), rules.into_iter().map(Into::into));
        rules.into_iter().enumerate().map(variable).collect()
    })
}
