//! Problems that are generated lazily.

use std::collections::{BTreeMap, BTreeSet};

use planloom_resolve::{
    Alternative, Answer, Budget, Constraint, ConstraintRef, Expand, Expansion, FixRequest, Id, Movement,
    Problem, Rule, Variable, fixes, required_changes, solve, solve_lazily,
};
use proptest::prelude::*;

use crate::{
    generate::{any_problem, deep_problem, plain_problem},
    laws::{config, problem},
    packages::{Shape, variables},
};

/// Generates the variables of a problem, each once, and with the first member of an `AtMost` the variable
/// that has it.
struct Source {
    variables: BTreeMap<Id, Variable>,
    counted_by: BTreeMap<Id, Vec<Variable>>,
    requested: Vec<Id>,
}

impl Source {
    /// The variables that have to be known from the beginning, and the source of the others.
    fn new(variables: &[Variable]) -> (Vec<Variable>, Self) {
        let (later, rest): (Vec<_>, Vec<_>) = variables.iter().cloned().partition(may_come_later);
        let variables = later.into_iter().map(|it| (it.id.clone(), it)).collect();
        let mut source = Self { variables, counted_by: BTreeMap::new(), requested: Vec::new() };
        let roots = rest.into_iter().filter(|it| !source.comes_with_members(it)).collect();
        (roots, source)
    }

    /// A variable that is never selected itself is generated with its counted members, if these are
    /// generated.
    fn comes_with_members(&mut self, variable: &Variable) -> bool {
        let [Constraint { rule: Rule::AtMost { n: 1.., of }, .. }] = variable.constraints.as_slice() else {
            return false;
        };
        let comes = of.iter().all(|it| self.variables.contains_key(it));
        if comes {
            self.variables.insert(variable.id.clone(), variable.clone());
        }
        for id in of.iter().filter(|_| comes) {
            self.counted_by.entry(id.clone()).or_default().push(variable.clone());
        }
        comes
    }
}

/// True if its constraints have no effect unless it is selected.
fn may_come_later(variable: &Variable) -> bool {
    variable.constraints.iter().all(|it| matches!(it.rule, Rule::Dependency(_) | Rule::Conflict(_)))
}

impl Expand for Source {
    fn expand(&mut self, id: &Id) -> Expansion {
        assert!(!self.requested.contains(id), "{id} is requested twice");
        self.requested.push(id.clone());
        let also = self.counted_by.get(id).cloned().unwrap_or_default();
        let variable = self.variables.get(id).cloned().expect(id);
        Expansion { constraints: variable.constraints, origin: variable.origin, also }
    }
}

/// The whole problem in the order in which a search reached it; the rest follows.
fn reordered(all: &[Variable], emitted: &Problem) -> Vec<Variable> {
    let by_id: BTreeMap<&Id, &Variable> = all.iter().map(|it| (&it.id, it)).collect();
    let mut order: Vec<Variable> = emitted.variables().iter().map(|it| by_id[&it.id].clone()).collect();
    let known: BTreeSet<Id> = order.iter().map(|it| it.id.clone()).collect();
    order.extend(all.iter().filter(|it| !known.contains(&it.id)).cloned());
    order
}

/// Checks that a lazy search has the same answer as one that knows everything, and that what it reached
/// suffices to explain the answer.
fn check(all: &[Variable]) -> Result<usize, TestCaseError> {
    let (roots, mut source) = Source::new(all);
    let (found, emitted) = solve_lazily(roots, &mut source, &mut (), &Budget::default());
    let whole = problem(&reordered(all, &emitted));
    match (found, solve(&whole, &mut (), &Budget::default())) {
        (Answer::Solved(found), Answer::Solved(expected)) => {
            prop_assert_eq!(found.ids(&emitted), expected.ids(&whole));
        }
        (Answer::Unsolvable(found), Answer::Unsolvable(_)) => {
            // The conflict is one of the whole problem too.
            let mut kept: Vec<Variable> = all.iter().map(|it| Variable::new(it.id.clone(), [])).collect();
            for it in &found.core {
                let at = all.iter().position(|all| all.id == *emitted.subject(*it)).expect("it is there");
                prop_assert!(all[at].constraints.contains(emitted.constraint(*it)));
                kept[at].constraints.push(emitted.constraint(*it).clone());
            }
            let rest = solve(&problem(&kept), &mut (), &Budget::default());
            prop_assert!(found.is_irreducible && matches!(rest, Answer::Unsolvable(_)));
        }
        (found, expected) => prop_assert!(false, "{:?} {:?}", found, expected),
    }
    Ok(source.requested.len())
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn it_answers_as_if_all_were_known(variables in plain_problem()) {
        check(&variables)?;
    }

    #[test]
    fn it_answers_so_after_going_back(variables in deep_problem()) {
        check(&variables)?;
    }

    #[test]
    fn it_answers_so_with_compound_rules(variables in any_problem()) {
        check(&variables)?;
    }
}

#[test]
fn only_reached_variables_are_requested() {
    let mut requested = 0;
    for seed in 1..=10 {
        requested += check(&variables(&Shape::roomy(100, 6, seed))).expect("the law");
    }
    // Of 6 000 versions.
    assert!((500..3_000).contains(&requested), "{requested}");
}

/// Generates the variables of a list.
struct VariableSource(BTreeMap<Id, Variable>);

impl Expand for VariableSource {
    fn expand(&mut self, id: &Id) -> Expansion {
        let constraints = self.0.get(id).map(|it| it.constraints.clone()).unwrap_or_default();
        Expansion { constraints, ..Expansion::default() }
    }
}

/// A problem without solution that a lazy search reached, and the rest.
fn stuck() -> (Problem, VariableSource) {
    let later = "{app-2:[D(lib-2)], app-1:[D(lib-1)], lib-2:[X(host)], lib-1:[D(old)], old}";
    let later = crate::notation::variables(later).into_iter().map(|it| (it.id.clone(), it)).collect();
    let roots = crate::notation::variables("{host:[M], user:[M D(app-2)]}");
    let mut reported = VariableSource(later);
    let (answer, problem) = solve_lazily(roots, &mut reported, &mut (), &Budget::default());
    assert!(matches!(answer, Answer::Unsolvable(_)));
    assert_eq!(problem.position("lib-1"), None);
    (problem, reported)
}

#[test]
fn fixes_may_come_to_what_the_search_did_not() {
    let (problem, mut reported) = stuck();
    let user = problem.position("user").expect("a root");
    let other = Rule::Dependency(vec!["app-1".into()]);
    let request = FixRequest {
        relaxable: vec![ConstraintRef { variable: user, constraint: 0 }],
        alternatives: vec![Alternative {
            variable: user,
            constraints: vec![Rule::Mandatory.into(), other.into()],
        }],
        most: 10,
        searches: 100,
    };
    let found = fixes(&problem, &request, &mut reported, &(), &Budget::default());
    let reported: Vec<(usize, String)> =
        found.iter().map(|it| (it.dropped.len(), it.selection.join(","))).collect();
    assert_eq!(reported, [(0, "host,user,app-1,lib-1,old".to_owned()), (1, "host".to_owned())]);
}

#[test]
fn moves_may_come_to_what_the_search_did_not() {
    let roots = crate::notation::variables("{user:[M D(a,b)]}");
    let later = crate::notation::variables("{a, b:[D(c)], c, d:[X(user)]}");
    let mut reported = VariableSource(later.into_iter().map(|it| (it.id.clone(), it)).collect());
    let (Answer::Solved(solution), problem) = solve_lazily(roots, &mut reported, &mut (), &Budget::default())
    else {
        panic!("it has a solution")
    };
    let mut moved = |id| required_changes(&problem, &solution, id, &mut reported, &(), &Budget::default());
    let ids = |ids: &[&str]| ids.iter().map(|it| Id::from(*it)).collect::<Vec<Id>>();
    assert_eq!(moved("b"), Movement::Possible { added: ids(&["b", "c"]), removed: ids(&["a"]) });
    let Movement::Impossible { problem, conflict } = moved("d") else { panic!("it cannot be") };
    let expected = ["user is mandatory", "d conflicts with user", "d is mandatory"];
    assert_eq!(conflict.sentences(&problem), expected);
}

/// Generates additional variables with some.
struct Along(BTreeMap<Id, Vec<Variable>>);

impl Expand for Along {
    fn expand(&mut self, id: &Id) -> Expansion {
        Expansion { also: self.0.remove(id).unwrap_or_default(), ..Expansion::default() }
    }
}

/// Mandatory variables are chosen before all other choices, even if they become known late: an answer does
/// not depend on when a variable was requested.
#[test]
fn expanded_variables_may_be_mandatory() {
    for (roots, late, expected) in [
        ("{user:[M D(app) D(p,q)]}", "{must:[M D(x,y)], x, y}", "user,app,p,must,x"),
        ("{user:[M D(app) D(p,q)]}", "{must:[M X(p)]}", "user,app,q,must"),
        ("{user:[M D(app,own) D(p,q)], own}", "{must:[M X(app) D(x)], x}", "user,own,p,must,x"),
        ("{first:[M D(a,b)], user:[M D(app)], a, b}", "{must:[M X(a)]}", "first,user,b,app,must"),
        ("{user:[M D(a) D(app,c)], a, c}", "{one:[A1(a,app)]}", "user,a,c"),
        ("{user:[M D(a) D(b,c) D(app)], a, b, c}", "{one:[A1(a,b)]}", "user,a,c,app"),
    ] {
        let late = crate::notation::variables(late);
        let mut along = Along(BTreeMap::from([("app".into(), late)]));
        let roots = crate::notation::variables(roots);
        let (answer, emitted) = solve_lazily(roots, &mut along, &mut (), &Budget::default());
        let Answer::Solved(found) = answer else { panic!("{expected}: it has a solution") };
        let mut ids: Vec<String> = found.ids(&emitted).iter().map(ToString::to_string).collect();
        ids.sort();
        let mut sorted: Vec<&str> = expected.split(',').collect();
        sorted.sort_unstable();
        assert_eq!(ids, sorted);
        let Answer::Solved(known) = solve(&emitted, &mut (), &Budget::default()) else {
            panic!("{expected}: it has a solution")
        };
        assert_eq!(found.ids(&emitted), known.ids(&emitted), "{expected}");
    }
}
