//! Versions of resources and of their copies, compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use crate::Name;

/// The revisions of resources and of their copies, and which of them differ. A resource or a copy that is not there has
/// revision 0. Each change costs a look-up, and the question whether all are equal costs nothing.
///
/// It is `resVersionsSet` of Goten's guide.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VersionSets<K: Ord> {
    versions: BTreeMap<K, Versions>,
    differing: BTreeSet<K>,
}

/// The revision of a resource and the one of its copy; 0 for one that is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Versions {
    /// The revision of the resource.
    pub source: u64,
    /// The revision that its copy has.
    pub copy: u64,
}

impl<K: Ord> Default for VersionSets<K> {
    fn default() -> Self {
        Self { versions: BTreeMap::new(), differing: BTreeSet::new() }
    }
}

impl<K: Name> VersionSets<K> {
    /// Notes the revision of a resource; 0 if it was deleted, or is not to be copied.
    pub fn set_source(&mut self, key: &K, revision: u64) {
        let copy = self.get(key).copy;
        self.set(key, Versions { source: revision, copy });
    }

    /// Notes the revision that a copy has; 0 if it was deleted.
    pub fn set_copy(&mut self, key: &K, revision: u64) {
        let source = self.get(key).source;
        self.set(key, Versions { source, copy: revision });
    }

    /// The versions of a resource and of its copy.
    pub fn get(&self, key: &K) -> Versions {
        self.versions.get(key).copied().unwrap_or_default()
    }

    /// True if each resource has a copy with its revision, and there are no other copies.
    pub fn are_equal(&self) -> bool {
        self.differing.is_empty()
    }

    /// The resources whose copies differ, after a key, in order.
    pub fn differing(&self, after: Option<&K>) -> impl Iterator<Item = (&K, Versions)> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.differing.range::<K, _>((start, Bound::Unbounded)).map(|key| (key, self.get(key)))
    }

    fn set(&mut self, key: &K, versions: Versions) {
        let _before = match versions {
            Versions { source: 0, copy: 0 } => self.versions.remove(key),
            _ => self.versions.insert(key.clone(), versions),
        };
        let _differed = match versions.source == versions.copy {
            true => self.differing.remove(key),
            false => self.differing.insert(key.clone()),
        };
    }
}
