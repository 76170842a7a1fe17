//! Measures how long answers of a lazy search take, compared with pubgrub: `cargo run --release -p
//! planloom-resolve --example time_index FILE.ron`, an index of packages in pubgrub's format. Each version of
//! each package is requested.
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::time::Instant;

use planloom_resolve::{Answer, Budget, solve_lazily};
use pubgrub::{OfflineDependencyProvider, Ranges, resolve};

#[path = "../tests/resolve/index.rs"]
mod index;
use index::{Index, Source, ranges};

fn main() -> std::io::Result<()> {
    let Some(file) = std::env::args().nth(1) else { return Ok(()) };
    let index = Index::read(&std::fs::read_to_string(file)?);
    let mut provider = OfflineDependencyProvider::<u32, Ranges<u32>>::new();
    for (package, version) in index.versions() {
        let requirements = index.packages[&package][&version].iter();
        provider.add_dependencies(package, version, requirements.map(|(other, it)| (*other, ranges(it))));
    }
    for _ in 0..3 {
        let started = Instant::now();
        let ours = index.versions().filter(|(package, version)| {
            let roots = index.root(*package, *version);
            let budget = Budget::default().without_explanation();
            let (answer, _) = solve_lazily(roots, &mut Source::new(&index), &mut (), &budget);
            matches!(answer, Answer::Solved(_))
        });
        println!("planloom: {} possible in {:?}", ours.count(), started.elapsed());
        let started = Instant::now();
        let theirs =
            index.versions().filter(|(package, version)| resolve(&provider, *package, *version).is_ok());
        println!("pubgrub: {} possible in {:?}", theirs.count(), started.elapsed());
    }
    Ok(())
}
