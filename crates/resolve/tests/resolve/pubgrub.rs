//! Compares with pubgrub which versions are possible.

use std::path::Path;

use planloom_resolve::{Answer, Budget, solve_lazily};
use pubgrub::{OfflineDependencyProvider, PubGrubError, Ranges, resolve};

use crate::index::{Index, Source, ranges};

fn provider(index: &Index) -> OfflineDependencyProvider<u32, Ranges<u32>> {
    let mut provider = OfflineDependencyProvider::new();
    for (package, version) in index.versions() {
        let requirements = index.packages[&package][&version].iter();
        let requirements = requirements.map(|(other, segments)| (*other, ranges(segments)));
        provider.add_dependencies(package, version, requirements);
    }
    provider
}

/// Requires every version of every package: returns how many of them are possible, and their number.
fn check(file: &str) -> Option<(usize, usize)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pubgrub").join(file);
    let index = Index::read(&std::fs::read_to_string(path).ok()?);
    let provider = provider(&index);
    let (mut possible, mut all) = (0, 0);
    for (package, version) in index.versions() {
        let expected = match resolve(&provider, package, version) {
            Ok(_) => true,
            Err(PubGrubError::NoSolution(_)) => false,
            Err(error) => panic!("{error}"),
        };
        let budget = Budget::default().without_explanation();
        let roots = index.root(package, version);
        let (answer, _) = solve_lazily(roots, &mut Source::new(&index), &mut (), &budget);
        assert_eq!(matches!(answer, Answer::Solved(_)), expected, "{file} {package} {version}");
        (possible, all) = (possible + usize::from(expected), all + 1);
    }
    Some((possible, all))
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn the_same_is_possible() {
    for (file, expected) in [
        ("HEAD_large_case_u16_NumberVersion.ron", (593, 641)),
        ("refs_pull_34_head_large_case_1_u16_NumberVersion.ron", (408, 463)),
    ] {
        match check(file) {
            Some(found) => assert_eq!(found, expected, "{file}"),
            None => eprintln!("skipped: there is no {file}"),
        }
    }
}
