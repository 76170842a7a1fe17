//! Times of choosing versions: the same code natively (`main.rs`) and in wasm ([`run`]).

mod host;
#[path = "../../../../crates/resolve/tests/resolve/packages.rs"]
mod packages;
#[path = "../../../../crates/resolve/tests/resolve/random.rs"]
mod random;

use planloom_resolve::{Answer, Budget, Problem, Rule, Variable, solve};

pub use host::Host;
use packages::Shape;

/// Packages whose requirements contradict each other, without anything but ranges of versions: those of the first
/// hundred that have no solution.
pub fn dense(packages: usize) -> Vec<Vec<Variable>> {
    let shape = |seed| Shape {
        required: 30,
        requirements: 5,
        narrow: 90,
        conflicts: 0,
        ..Shape::roomy(packages, 10, seed)
    };
    let has_none = |it: &Vec<Variable>| {
        let (problem, _) = Problem::new(it.clone());
        let answer = solve(&problem, &mut (), &Budget::default().without_explanation());
        matches!(answer, Answer::Unsolvable(_))
    };
    (1..=100).map(|seed| packages::variables(&shape(seed))).filter(has_none).take(10).collect()
}

/// A set of problems.
pub struct Set {
    /// A description of the set.
    pub what: &'static str,
    /// Its problems, which all have a solution or all have none.
    pub problems: Vec<Vec<Variable>>,
}

/// The sets of problems that are measured.
pub fn sets() -> Vec<Set> {
    let of =
        |what, shapes: Vec<Shape>| Set { what, problems: shapes.iter().map(packages::variables).collect() };
    let roomy = |packages, count| (1..=count).map(move |seed| Shape::roomy(packages, 10, seed));
    let without_conflicts = |it| Shape { conflicts: 0, ..it };
    vec![
        of("40 packages of 10 versions", roomy(40, 10).map(without_conflicts).collect()),
        of("100 packages of 10 versions", roomy(100, 10).map(without_conflicts).collect()),
        of("300 packages of 10 versions", roomy(300, 5).map(without_conflicts).collect()),
        of("300 packages of 10 versions, with conflicts", roomy(300, 5).collect()),
        of("1,000 packages of 10 versions", roomy(1_000, 3).map(without_conflicts).collect()),
        Set { what: "300 packages of 10 versions, contradictory", problems: contradictory() },
    ]
}

/// Problems that each require, besides their own packages, two that need different versions of a third.
pub fn contradictory() -> Vec<Vec<Variable>> {
    let spoilt = |seed| {
        let mut variables = packages::variables(&Shape { conflicts: 0, ..Shape::roomy(300, 10, seed) });
        for (name, version) in [("old", 0), ("new", 9)] {
            let rules = [Rule::Mandatory, Rule::Dependency(vec![packages::version(7, version)])];
            variables.insert(0, Variable::new(name, rules.map(Into::into)));
        }
        variables
    };
    (1..=5).map(spoilt).collect()
}

/// The number of selected variables; 0 if the problem has no solution.
pub fn ours(variables: Vec<Variable>) -> usize {
    let (problem, _) = Problem::new(variables);
    match solve(&problem, &mut (), &Budget::default()) {
        Answer::Solved(solution) => solution.selected.len(),
        Answer::Unsolvable(conflict) => {
            assert!(conflict.is_irreducible);
            0
        }
        Answer::Stopped(stop) => panic!("{stop:?}"),
    }
}

/// The length in bytes of the explanation of a problem without solution; its conflict is irreducible.
pub fn explained(variables: Vec<Variable>) -> usize {
    let (problem, _) = Problem::new(variables);
    match solve(&problem, &mut (), &Budget::default()) {
        Answer::Unsolvable(conflict) => {
            assert!(conflict.is_irreducible);
            conflict.sentences(&problem).join("\n").len()
        }
        other => panic!("{other:?}"),
    }
}

/// Our times as JSON.
pub fn json(host: &Host) -> String {
    let rows =
        sets().into_iter().map(|set| host.row(set.what, "planloom", &set.problems, &|it| it.clone(), &ours));
    format!("[{}]", rows.collect::<Vec<_>>().join(","))
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    use std::cell::RefCell;

    use crate::{Host, json};

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds.
        safe fn now() -> f64;
    }

    thread_local! {
        static TEXT: RefCell<String> = RefCell::default();
    }

    /// Measures; then [`length`] bytes of JSON are here.
    #[unsafe(no_mangle)]
    pub extern "C" fn run() -> *const u8 {
        TEXT.replace(json(&Host { now: || now() }));
        TEXT.with_borrow(|text| text.as_ptr())
    }

    /// The length of the text in bytes.
    #[unsafe(no_mangle)]
    pub extern "C" fn length() -> usize {
        TEXT.with_borrow(String::len)
    }
}
