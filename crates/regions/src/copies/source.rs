use std::collections::BTreeSet;

use crate::Name;

/// A resource, as its owner stores it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resource<D: Ord, V> {
    /// The revision of its last write.
    pub revision: u64,
    /// The regions that it is copied to, as the policy said at that write.
    pub regions: BTreeSet<D>,
    /// The value.
    pub value: V,
}

/// A write of a resource in the log of its owner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry<D: Ord, K, V> {
    /// The resource.
    pub key: K,
    /// The revision of the write.
    pub revision: u64,
    /// The regions that the resource was copied to before.
    pub old_regions: BTreeSet<D>,
    /// The resource as it was written; `None` if it was deleted.
    pub new: Option<Resource<D, V>>,
}

/// The resources of an owner and a log of their last writes, as one transaction reads them.
///
/// # Guarantees
/// Each transaction has a revision of its own, greater than those of all transactions before it, also after a restart. It
/// has one entry for each resource that it writes.
pub trait Source<D: Ord, K, V> {
    /// The revision of the last write.
    fn revision(&self) -> u64;

    /// The revision after which the log has every write.
    fn log_start(&self) -> u64;

    /// The log after a revision, in the order of revisions.
    fn log<'a>(&'a self, after: u64) -> Box<dyn Iterator<Item = Entry<D, K, V>> + 'a>;

    /// The resources after a key, in the order of keys; all of them for `None`.
    fn resources<'a>(&'a self, after: Option<&K>) -> Box<dyn Iterator<Item = (K, Resource<D, V>)> + 'a>;
}

/// The resources that were last written under another policy, with keys in order. The owner has to write each again, with
/// the same value and the regions that `policy` says: so a change of policy has a revision for each resource.
pub fn outdated<'a, D: Name, K: Name + 'a, V: 'a>(
    source: &'a dyn Source<D, K, V>,
    policy: impl Fn(&K) -> BTreeSet<D> + 'a,
) -> impl Iterator<Item = K> + 'a {
    let all = source.resources(None);
    all.filter(move |(key, resource)| resource.regions != policy(key)).map(|(key, _)| key)
}
