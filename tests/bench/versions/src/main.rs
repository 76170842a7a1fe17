//! Measures natively, ours and other solvers, and prints the rows as JSON; `inputs` prints the problems instead.

mod clauses;
mod pubgrub;
mod ranges;
mod resolvo;

use std::{sync::LazyLock, time::Instant};

use planloom_bench_versions::{Host, Set, ours, sets};

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn main() {
    let sets = sets();
    let rows: Vec<String> = match std::env::args().nth(1).as_deref() {
        Some("inputs") => sets.iter().map(inputs).collect(),
        _ => sets.iter().flat_map(rows).collect(),
    };
    println!("[{}]", rows.join(","));
}

fn rows(set: &Set) -> Vec<String> {
    let host = Host { now: || START.elapsed().as_secs_f64() * 1e3 };
    let mut rows = vec![
        host.row(set.what, "planloom", &set.problems, &|it| it.clone(), &ours),
        host.row(set.what, "batsat, any answer", &set.problems, &|it| clauses::of(it), &clauses::any),
        host.row(
            set.what,
            "batsat, the preferred answer",
            &set.problems,
            &|it| clauses::of(it),
            &clauses::preferred,
        ),
    ];
    if let Some(packages) = set.problems.iter().map(|it| ranges::of(it)).collect::<Option<Vec<_>>>() {
        let at = |problem: &Vec<_>| {
            let at = set.problems.iter().position(|it| std::ptr::eq(it, problem)).expect("one of them");
            packages[at].clone()
        };
        rows.push(host.row(set.what, "pubgrub", &set.problems, &at, &pubgrub::solve));
        rows.push(host.row(set.what, "resolvo", &set.problems, &at, &resolvo::solve));
    }
    rows
}

/// The problems of a set as clauses, for solvers that are not written in Rust.
fn inputs(set: &Set) -> String {
    let problems: Vec<String> = set.problems.iter().map(|it| clauses::of(it).json()).collect();
    format!("{{\"what\":\"{}\",\"problems\":[{}]}}", set.what, problems.join(","))
}
