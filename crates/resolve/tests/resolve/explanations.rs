//! Conflicts, reasons, required changes and fixes case by case.

use planloom_resolve::{
    Alternative, Answer, Budget, Choice, Constraint, ConstraintRef, FixRequest, Movement, Nothing, Problem,
    Solution, conflicts, fixes, required_changes, solve, why,
};

use crate::notation::{core, variables};

fn problem(text: &str) -> Problem {
    let (problem, diagnostics) = Problem::new(variables(text));
    assert_eq!(diagnostics, Vec::new(), "{text}");
    problem
}

fn solution(problem: &Problem) -> Solution {
    match solve(problem, &mut (), &Budget::default()) {
        Answer::Solved(solution) => solution,
        other => panic!("{other:?}"),
    }
}

fn check_conflicts(text: &str, expected: &[&str]) {
    let problem = problem(text);
    let found = conflicts(&problem, None, &(), &Budget::default(), 10);
    let found: Vec<String> = found.iter().map(|it| core(&problem, &it.core)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn independent_conflicts_are_reported_together() {
    check_conflicts("{a:[M P], b:[M P]}", &["unsat{a:M, a:P}", "unsat{b:M, b:P}"]);
    check_conflicts("{a:[M], b:[M D(a)]}", &[]);
    // The second conflict that `a` is part of is reported after the first one is fixed.
    check_conflicts("{a:[M], b:[M X(a)], c:[M X(a)]}", &["unsat{a:M, b:M, b:X(a)}"]);
    check_conflicts(
        "{a:[M], b:[M X(a)], c:[M], d:[M D(e)], e:[X(c)]}",
        &["unsat{a:M, b:M, b:X(a)}", "unsat{c:M, d:M, d:D(e), e:X(c)}"],
    );
}

#[test]
fn small_conflicts_are_preferred() {
    // Through `l` it takes six constraints, through `s` four; both come from `r`.
    check_conflicts(
        "{r:[M D(l) D(s)], l:[D(m)], m:[D(n)], n:[D(o)], o:[P], s:[P]}",
        &["unsat{r:M, r:D(s), s:P}"],
    );
}

/// Each choice with what ruled out the preferred candidates.
fn check_why(text: &str, expected: &[&str]) {
    let problem = problem(text);
    let solution = solution(&problem);
    let id = |at: usize| problem.variables()[at].id.clone();
    let reported = |choice: &Choice| {
        let mut reported = Vec::new();
        for it in why(&problem, &solution, choice, &(), &Budget::default()) {
            assert!(it.conflict.is_irreducible);
            let chosen: Vec<_> = it.chosen.iter().map(|it| id(*it)).collect();
            let (taken, refused) = (id(choice.variable), id(it.variable));
            let core = core(&problem, &it.conflict.core);
            reported.push(format!("{taken} not {refused}: {core} with [{}]", chosen.join(",")));
        }
        reported
    };
    let found: Vec<String> = solution.choices.iter().flat_map(reported).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn each_refused_candidate_has_a_reason() {
    check_why("{r:[M D(x,y)], x:[P], y}", &["y not x: unsat{x:P} with []"]);
    check_why(
        "{r:[M D(l) D(m)], l:[D(s2,s1)], m:[D(s1,s2)], s1:[X(s2)], s2}",
        // `s2` was selected before the choice of `m`.
        &[],
    );
    check_why("{r:[M D(a2,a1) D(b2,b1)], a2, a1, b2:[X(a2)], b1}", &["b1 not b2: unsat{b2:X(a2)} with [a2]"]);
    check_why(
        "{r:[M D(x0,y0) D(x1,y1)], x0:[D(p,q) D(s,t)], y0, x1, y1, p:[X(s) X(t)], q:[X(s) X(t)], s, t}",
        &["y0 not x0: unsat{x0:D(p,q), x0:D(s,t), p:X(s), p:X(t), q:X(s), q:X(t)} with []"],
    );
    // A dependency of a candidate may be a choice itself.
    check_why(
        "{r:[M D(x,z)], y1:[X(r)], y2:[D(w) X(x)], x:[D(y1,y2) X(w)], w, z}",
        &["z not x: unsat{r:M, y1:X(r), y2:X(x), x:D(y1,y2)} with []"],
    );
    // Of several reasons the smallest is reported.
    check_why(
        "{r:[M D(x,y) X(k)], x:[D(m) D(l,n,k)], y, l:[X(m)], k, n:[X(n)], m:[D(l)]}",
        &["y not x: unsat{x:D(m), l:X(m), m:D(l)} with []"],
    );
    check_why("{u:[A1(x,y)], r:[M D(x) D(y,z)], x, y, z}", &["z not y: unsat{u:A1(x,y)} with [x]"]);
}

fn check_move(text: &str, id: &str, expected: &str) {
    let problem = problem(text);
    let solution = solution(&problem);
    let found = match required_changes(&problem, &solution, id, &mut Nothing, &(), &Budget::default()) {
        Movement::Possible { added, removed } => format!("+[{}] -[{}]", added.join(","), removed.join(",")),
        Movement::Impossible { problem, conflict } => core(&problem, &conflict.core),
        Movement::Stopped(stop) => stop.as_str().to_owned(),
    };
    assert_eq!(found, expected, "{text} {id}");
}

#[test]
fn moves_for_a_variable_are_reported() {
    let text = "{u:[A1(a1,a2)], r:[M D(a2,a1)], a1:[D(b)], a2, b, c:[X(r)]}";
    check_move(text, "a1", "+[a1,b] -[a2]");
    check_move(text, "a2", "+[] -[]");
    check_move(text, "c", "unsat{r:M, c:X(r), c:M}");
}

fn check_fixes(text: &str, relaxable: &[&str], alternatives: &[(&str, &str)], expected: &[&str]) {
    let problem = problem(text);
    let of = |id: &str| problem.position(id).expect(id);
    let constraints = |id: &&str| {
        let variable = of(id);
        let count = problem.variables()[variable].constraints.len();
        (0..count).map(move |constraint| ConstraintRef { variable, constraint }).collect::<Vec<_>>()
    };
    let alternative = |(id, rules): &(&str, &str)| Alternative {
        variable: of(id),
        constraints: variables(&format!("{{{id}:[{rules}]}}")).remove(0).constraints as Vec<Constraint>,
    };
    let request = FixRequest {
        relaxable: relaxable.iter().flat_map(constraints).collect(),
        alternatives: alternatives.iter().map(alternative).collect(),
        most: 10,
        searches: 1_000,
    };
    let found = fixes(&problem, &request, &mut Nothing, &(), &Budget::default());
    let reported = |it: &planloom_resolve::Fix| {
        let dropped = core(&problem, &it.dropped).replace("unsat", "");
        format!("{dropped} {:?} => [{}]", it.alternatives, it.selection.join(","))
    };
    assert_eq!(found.iter().map(reported).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn fixes_were_tried_and_the_smallest_come_first() {
    let text = "{a:[M D(x)], b:[M X(x)], c:[M X(x)], x}";
    check_fixes(
        text,
        &["a", "b", "c"],
        &[],
        &[
            "{a:M} [] => [b,c]",
            "{a:D(x)} [] => [a,b,c]",
            "{b:M, c:M} [] => [a,x]",
            "{b:M, c:X(x)} [] => [a,c,x]",
            "{b:X(x), c:M} [] => [a,b,x]",
            "{b:X(x), c:X(x)} [] => [a,b,c,x]",
        ],
    );
    check_fixes(text, &["b"], &[], &[]);
    check_fixes(
        text,
        &["a"],
        &[("b", "M"), ("c", "M"), ("a", "M D(b)")],
        &["{} [2] => [a,b,c]", "{a:M} [] => [b,c]", "{a:D(x)} [] => [a,b,c]", "{} [0, 1] => [a,b,c,x]"],
    );
    check_fixes("{a:[M]}", &["a"], &[], &[]);
}
