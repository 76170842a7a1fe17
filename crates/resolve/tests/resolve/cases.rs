//! Behaviour case by case.

use std::path::Path;

use planloom_resolve::{Answer, Budget, Problem, solve};

use crate::notation::{answer, variables};

/// Checks `{problem} => expected`, after which a comment may follow.
fn check(line: &str) {
    let (problem, expected) = line.split_once("=>").expect("an arrow");
    let expected = expected.split("  #").next().unwrap_or(expected).trim();
    assert_eq!(answer(problem), expected, "{problem}");
}

/// Cases that were run with other solvers. For a variable that is counted twice, as in N10,
/// upstream's answer is wrong; it counts once here.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn answers_match_other_solvers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/solver_cases.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return;
    };
    for line in text.lines().filter(|it| !it.trim().is_empty()) {
        let (name, case) = line.split_once(' ').expect("a name");
        if name != "N10" {
            check(case);
        }
    }
}

#[test]
fn duplicate_candidates_count_once() {
    check("{u:[A1(a,a)], a:[M]} => sol[a]");
    check("{u:[A2(a,a,b)], a:[M], b:[M]} => sol[a,b]");
    check("{u:[Not(A1(a,a))], a} => unsat{u:Not(A1(a,a))}");
    check(&format!("{{u:[A16({})], a:[M]}} => sol[a]", ["a"; 17].join(",")));
    let (_, found) = Problem::new(variables("{u:[A1(a,a)], a}"));
    let messages: Vec<&str> = found.iter().map(|it| &*it.message).collect();
    assert_eq!(messages, ["\"a\" is listed 2 times in one `at_most`, where it counts once"]);
}

/// Cases C1 to C16 (source: deppy's compound constraints).
#[test]
fn compound_rules() {
    for case in [
        "{a:[And(M,D(x,y))], x, y} => sol[a,x]",
        "{a:[And() M]} => sol[a]",
        "{a:[Not(P) D(b)], b} => sol[a,b]",
        "{a:[Not(Not(M))]} => sol[a]",
        "{a:[M Or(D(x),D(y))], x, y} => sol[a,x]",
        "{a:[M Or(D(x),D(y))], x:[P], y} => sol[a,y]",
        "{a:[M Or(And(D(p),D(q)),D(z))], p, q, z} => sol[a,z]",
        "{a:[Or()]} => unsat{a:Or()}",
        "{a:[Not(D(x,y))], x, y, r:[M D(x,z)], z} => sol[a,r,z]",
        "{u:[Not(A1(x,y,z))], x, y, z} => sol[x,y]",
        "{a:[M Or(X(b),X(c))], b:[M], c, d:[M D(c,e)], e} => sol[a,b,d,e]",
        "{a:[M Not(Or(D(x),D(y)))], x, y, r:[M D(x,z)], z} => sol[a,r,z]",
        "{a:[Not(X(x))], x:[D(p,q)], p:[P], q} => sol[a,x,q]",
        "{a:[M Or(A1(x,y,z),D(b))], b:[P], x:[M], r:[M D(y,z,w)], y, z, w} => sol[a,x,r,w]",
        "{a:[M And(D(x),X(x))], x} => unsat{a:M, a:And(D(x),X(x))}",
        "{a:[M Or(D(y),D(x))], x, y} => sol[a,x]",
        "{a:[M Or(D(y,x))], x, y} => sol[a,y]",
    ] {
        check(case);
    }
}

#[test]
fn unknown_variables_are_reported_at_each_mention() {
    let (_, found) = Problem::new(variables("{a:[Or(D(u),And(X(v))) Not(D(w)) A1(a,x) D(u)]}"));
    let messages: Vec<&str> = found.iter().map(|it| &*it.message).collect();
    let expected = ["u", "v", "w", "x"].map(|it| format!("variable \"{it}\" referenced but not provided"));
    assert_eq!(messages, expected);
}

#[test]
fn unknown_variables_cannot_be_chosen() {
    let (problem, _) = Problem::new(variables("{a:[M D(x,b)], b}"));
    let Answer::Solved(solution) = solve(&problem, &mut (), &Budget::default()) else {
        panic!("`b` will do")
    };
    let found = ["a", "b", "x", "y"].map(|it| solution.is_selected(&problem, it));
    assert_eq!(found, [true, true, false, false]);
}
