use pubgrub::{OfflineDependencyProvider, PubGrubError, Ranges, resolve};

use crate::ranges::{Packages, Range};

const ROOT: u32 = u32::MAX;

/// How many versions are selected, and what asks for them; or 0.
pub fn solve(packages: Packages) -> usize {
    let mut provider = OfflineDependencyProvider::<u32, Ranges<u32>>::new();
    provider.add_dependencies(ROOT, 0_u32, constraints(&packages.root));
    for (package, version, ranges) in &packages.versions {
        provider.add_dependencies(*package, *version, constraints(ranges));
    }
    match resolve(&provider, ROOT, 0_u32) {
        Ok(selected) => selected.iter().count() - 1 + packages.root.len(),
        Err(PubGrubError::NoSolution(_)) => 0,
        Err(error) => panic!("{error}"),
    }
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
