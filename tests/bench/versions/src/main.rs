//! Measures natively, ours and other solvers, and prints the rows as JSON; `inputs` prints the problems instead.

mod clauses;
mod hard;
mod pubgrub;
#[path = "../../../../crates/resolve/tests/resolve/random.rs"]
mod random;
mod ranges;
mod resolvo;

use std::{sync::LazyLock, time::Instant};

use planloom_bench_versions::{Host, Set, contradictory, dense, explained, ours, sets};

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn main() {
    let sets = sets();
    let rows: Vec<String> = match std::env::args().nth(1).as_deref() {
        Some("inputs") => sets.iter().map(inputs).collect(),
        Some("explained") => explanations(),
        Some("hard") => hard::rows(&host()),
        _ => sets.iter().flat_map(rows).collect(),
    };
    println!("[{}]", rows.join(","));
}

fn rows(set: &Set) -> Vec<String> {
    let host = host();
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

fn host() -> Host {
    Host { now: || START.elapsed().as_secs_f64() * 1e3 }
}

/// The verdict and its explanation in words, beside the one other solver that explains.
fn explanations() -> Vec<String> {
    let sets = [
        ("300 packages of 10 versions, contradictory, explained", contradictory()),
        ("40 packages of 10 versions, dense, explained", dense(40)),
        ("100 packages of 10 versions, dense, explained", dense(100)),
        ("300 packages of 10 versions, dense, explained", dense(300)),
    ];
    let host = host();
    let of_set = |(what, problems): &(&str, Vec<Vec<_>>)| {
        let packages = |it: &Vec<_>| ranges::of(it).expect("it has no conflicts");
        [
            host.row(what, "planloom", problems, &|it| it.clone(), &explained),
            host.row(what, "pubgrub", problems, &packages, &pubgrub::explain),
        ]
    };
    sets.iter().flat_map(of_set).collect()
}

/// The problems of a set as clauses, for solvers that are not written in Rust.
fn inputs(set: &Set) -> String {
    let problems: Vec<String> = set.problems.iter().map(|it| clauses::of(it).json()).collect();
    format!("{{\"what\":\"{}\",\"problems\":[{}]}}", set.what, problems.join(","))
}
