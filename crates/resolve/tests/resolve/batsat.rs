//! Compares answers with another solver, with the definition on top of it.

use std::collections::HashMap;

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};
use planloom_resolve::{Answer, Budget, Rule, Variable, solve};

use crate::{
    laws::problem,
    packages::{Shape, variables},
    reference::Reference,
};

/// A problem without compound rules in `batsat`.
pub(crate) struct Oracle {
    solver: BasicSolver,
    vars: Vec<Var>,
}

impl Oracle {
    pub(crate) fn new(variables: &[Variable]) -> Self {
        let mut solver = BasicSolver::default();
        let vars: Vec<Var> = variables.iter().map(|_| solver.new_var_default()).collect();
        let places: HashMap<&str, Var> =
            variables.iter().zip(&vars).map(|(variable, var)| (&*variable.id, *var)).collect();
        let mut oracle = Self { solver, vars };
        for variable in variables {
            let subject = places[&*variable.id];
            variable.constraints.iter().for_each(|it| oracle.add(subject, &it.rule, &places));
        }
        oracle
    }

    fn add(&mut self, subject: Var, rule: &Rule, places: &HashMap<&str, Var>) {
        let (yes, no) = (|var| Lit::new(var, true), |var| Lit::new(var, false));
        let mut clause = |mut lits: Vec<Lit>| {
            self.solver.add_clause_reuse(&mut lits);
        };
        match rule {
            Rule::Mandatory => clause(vec![yes(subject)]),
            Rule::Prohibited => clause(vec![no(subject)]),
            Rule::Conflict(other) => clause(vec![no(subject), no(places[&**other])]),
            Rule::Dependency(of) => {
                let of = of.iter().map(|it| yes(places[&**it]));
                clause([no(subject)].into_iter().chain(of).collect());
            }
            Rule::AtMost { n: 1, of } => {
                for (at, first) in of.iter().enumerate() {
                    for second in &of[at + 1..] {
                        clause(vec![no(places[&**first]), no(places[&**second])]);
                    }
                }
            }
            Rule::AtMost { .. } | Rule::And(_) | Rule::Or(_) | Rule::Not(_) => panic!("{rule:?}"),
        }
    }

    pub(crate) fn is_possible(&mut self, chosen: &[usize]) -> bool {
        let chosen: Vec<Lit> = chosen.iter().map(|it| Lit::new(self.vars[*it], true)).collect();
        self.solver.solve_limited(&chosen) == lbool::TRUE
    }
}

/// Packages whose requirements contradict each other more often.
const fn tight(packages: usize, versions: usize, seed: u64) -> Shape {
    let shape = Shape::roomy(packages, versions, seed);
    Shape { required: 30, requirements: 5, narrow: 90, conflicts: 50, ..shape }
}

/// The number of problems that have a solution.
fn check(shapes: impl Iterator<Item = Shape>) -> usize {
    let mut solved = 0;
    for shape in shapes {
        let variables = variables(&shape);
        let mut oracle = Oracle::new(&variables);
        let expected = Reference::new(&variables).choose(&mut |chosen| oracle.is_possible(chosen));
        let budget = Budget::default().without_explanation();
        let found = match solve(&problem(&variables), &mut (), &budget) {
            Answer::Solved(solution) => Some(solution.selected),
            Answer::Unsolvable(_) => None,
            Answer::Stopped(stop) => panic!("{stop:?}"),
        };
        solved += usize::from(found.is_some());
        assert_eq!(found, expected.map(sorted), "{shape:?}");
    }
    solved
}

fn sorted(mut chosen: Vec<usize>) -> Vec<usize> {
    chosen.sort_unstable();
    chosen
}

#[test]
fn packages_with_room_are_chosen_alike() {
    assert_eq!(check((1..=30).map(|seed| Shape::roomy(20, 5, seed))), 30);
    assert_eq!(check((1..=20).map(|seed| Shape::roomy(40, 5, seed))), 20);
    assert_eq!(check((1..=6).map(|seed| Shape::roomy(100, 6, seed))), 6);
}

#[test]
fn packages_that_exclude_each_other_are_chosen_alike() {
    let few = check((1..=60).map(|seed| tight(20, 5, seed)));
    let more = check((1..=30).map(|seed| tight(40, 6, seed)));
    let many = check((1..=6).map(|seed| tight(100, 8, seed)));
    // There are some of both kinds.
    assert!((1..60).contains(&few) && (1..30).contains(&more) && many > 0, "{few} {more} {many}");
}
