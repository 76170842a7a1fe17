use pubgrub::{DefaultStringReporter, OfflineDependencyProvider, PubGrubError, Ranges, Reporter, resolve};

use crate::ranges::{Packages, Range};

const ROOT: u32 = u32::MAX;

/// The number of selected versions and root requirements; 0 if there is no solution.
pub fn solve(packages: Packages) -> usize {
    match resolve(&provider(&packages), ROOT, 0_u32) {
        Ok(selected) => selected.iter().count() - 1 + packages.root.len(),
        Err(PubGrubError::NoSolution(_)) => 0,
        Err(error) => panic!("{error}"),
    }
}

/// The length in bytes of the explanation why nothing can be selected.
pub fn explain(packages: Packages) -> usize {
    match resolve(&provider(&packages), ROOT, 0_u32) {
        Err(PubGrubError::NoSolution(mut tree)) => {
            tree.collapse_no_versions();
            DefaultStringReporter::report(&tree).len()
        }
        Ok(_) => panic!("it has a solution"),
        Err(error) => panic!("{error}"),
    }
}

fn provider(packages: &Packages) -> OfflineDependencyProvider<u32, Ranges<u32>> {
    let mut provider = OfflineDependencyProvider::new();
    provider.add_dependencies(ROOT, 0_u32, constraints(&packages.root));
    for (package, version, ranges) in &packages.versions {
        provider.add_dependencies(*package, *version, constraints(ranges));
    }
    provider
}

/// Several ranges of one package are one.
fn constraints(ranges: &[Range]) -> Vec<(u32, Ranges<u32>)> {
    let mut of: std::collections::BTreeMap<u32, Ranges<u32>> = std::collections::BTreeMap::new();
    for (package, from, before) in ranges {
        let range = Ranges::between(*from, *before);
        let entry = of.entry(*package).or_insert_with(Ranges::full);
        *entry = entry.intersection(&range);
    }
    of.into_iter().collect()
}
