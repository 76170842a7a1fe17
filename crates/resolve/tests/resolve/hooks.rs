//! Events for hosts during a search, and how hosts stop it.

use std::cell::Cell;

use planloom_resolve::{
    Answer, Budget, Conflict, Event, Hooks, Limits, Nothing, Problem, Stop, Verdict, solve, solve_lazily,
};

use crate::{
    notation::variables,
    packages::{self, Shape},
};

/// All events, as texts.
#[derive(Default)]
struct Log(Vec<String>);

impl Hooks for Log {
    fn before(&mut self, problem: &Problem) {
        self.0.push(format!("before {}", problem.variables().len()));
    }

    fn trace(&mut self, event: &Event<'_>) {
        self.0.push(match event {
            Event::Candidate { subject, constraint, candidate, verdict } => {
                let verdict = match verdict {
                    Verdict::Taken => "takes",
                    Verdict::Implied => "has to take",
                    Verdict::Refused => "cannot take",
                };
                format!("{subject}.{} {verdict} {candidate}", constraint.constraint)
            }
            Event::Conflict { decisions } => format!("conflict after {decisions}"),
            Event::Restart => "restart".to_owned(),
        });
    }

    fn after(&mut self, answer: &Answer) {
        self.0.push(format!("after {}", matches!(answer, Answer::Solved(_))));
    }
}

fn check(text: &str, expected: &[&str]) {
    let (problem, _) = Problem::new(variables(text));
    let mut log = Log::default();
    let _ = solve(&problem, &mut log, &Budget::default());
    assert_eq!(log.0, expected, "{text}");
}

#[test]
fn each_step_is_traced() {
    check(
        "{r:[M D(x,y) D(z)], x:[X(z)], y, z}",
        &[
            "before 4",
            "r.0 has to take r",
            "r.1 takes x",
            "conflict after 1",
            "r.1 cannot take x",
            "r.1 has to take y",
            "r.2 has to take z",
            "after true",
        ],
    );
    check(
        "{r:[M D(x,y)], x:[D(p,q)], p:[X(r)], q:[X(r)], y}",
        &[
            "before 5",
            "r.0 has to take r",
            "r.1 takes x",
            "x.0 takes p",
            "conflict after 2",
            "conflict after 1",
            "r.1 cannot take x",
            "r.1 has to take y",
            "after true",
        ],
    );
    check("{a:[M P]}", &["before 1", "conflict after 0", "after false"]);
}

/// Cancels at the third request.
#[derive(Default)]
struct Impatient(Cell<usize>);

impl Hooks for Impatient {
    fn is_cancelled(&self) -> bool {
        self.0.set(self.0.get() + 1);
        self.0.get() > 2
    }
}

#[test]
fn a_search_can_be_broken_off() {
    let (problem, _) = Problem::new(packages::variables(&Shape::roomy(1_000, 10, 1)));
    let stopped = solve(&problem, &mut Impatient::default(), &Budget::default());
    assert_eq!(stopped, Answer::Stopped(Stop::Cancelled));
    assert_eq!(Stop::Cancelled.as_str(), "cancelled before a solution could be found");
    let few = Budget::new(&Limits { steps: 1_000, ..Limits::default() });
    assert_eq!(solve(&problem, &mut (), &few), Answer::Stopped(Stop::Steps));
}

#[test]
fn an_explanation_that_is_broken_off_says_so() {
    let text = "{r:[M D(x,y)], x:[X(r)], y:[X(r)], s:[M]}";
    let (problem, _) = Problem::new(variables(text));
    let none = Budget::default().without_explanation();
    let Answer::Unsolvable(conflict) = solve(&problem, &mut (), &none) else { panic!("it has no solution") };
    assert!(!conflict.is_irreducible);
    // The conflict only contains what the search used, and no constraint of `s`.
    let used: Vec<_> = problem.constraints().filter(|it| &**problem.subject(*it) != "s").collect();
    assert_eq!(conflict.core, used);
    let (answer, _) = solve_lazily(variables(text), &mut Nothing, &mut (), &none);
    assert_eq!(answer, Answer::Unsolvable(Conflict { core: used, is_irreducible: false }));
}
