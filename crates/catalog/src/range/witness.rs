use super::test::Group;
use crate::version::{Pre, Version};

/// A group with more tests is assumed to let some version pass.
const MOST: usize = 24;

/// True if no version passes any of these groups.
///
/// The versions are ordered, and each has a successor; the results of tests change at finitely many versions.
/// So if a version passes, one does that follows such a version by at most as many steps as there are tests
/// that exclude single versions.
pub(super) fn is_empty(groups: &[Group]) -> bool {
    !groups.iter().any(|group| group.tests.len() > MOST || has_witness(group))
}

fn has_witness(group: &Group) -> bool {
    let mut lowest = Version::new(0, 0, 0);
    lowest.pre.push(Pre::Number(0));
    let edges = group.tests.iter().flat_map(|test| test.edges()).chain([lowest]);
    edges.into_iter().any(|edge| [release(&edge), edge].into_iter().any(|from| has_behind(group, from)))
}

/// Tests a version and those after it: each next one, and if only releases pass, each next release.
fn has_behind(group: &Group, from: Version) -> bool {
    let mut candidate = from;
    for _ in 0..group.tests.len() + 2 {
        if group.admits(&candidate) {
            return true;
        }
        let Some(mut next) = candidate.successor() else { return false };
        if !group.pre_releases {
            next = release(&next);
        }
        candidate = next;
    }
    false
}

/// The release that a pre-release precedes.
fn release(version: &Version) -> Version {
    Version::new(version.major, version.minor, version.patch)
}
