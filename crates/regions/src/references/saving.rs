use std::collections::{BTreeMap, BTreeSet};

use crate::Name;

use super::{Records, ReferenceId, Remote, Reply, Request};

/// A transaction of a source, before its commit: it establishes the references to resources of others.
///
/// It is in memory only. While it exists, its number has to be reported as open; if the process ends, so does it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Saving<D, K: Ord> {
    id: ReferenceId<D>,
    /// The owners of resources that have not replied.
    waiting: BTreeMap<K, D>,
    established: BTreeMap<K, u64>,
    refused: BTreeSet<Refused<K>>,
}

/// A resource that cannot be referred to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Refused<K> {
    /// The resource.
    pub key: K,
    /// True if it is being deleted; otherwise it does not exist.
    pub deleting: bool,
}

impl<D: Name, K: Name> Saving<D, K> {
    /// A transaction that will refer to these resources of others.
    pub fn new(id: ReferenceId<D>, targets: impl IntoIterator<Item = (K, D)>) -> Self {
        let waiting = targets.into_iter().collect();
        Self { id, waiting, established: BTreeMap::new(), refused: BTreeSet::new() }
    }

    /// The transaction.
    pub const fn id(&self) -> &ReferenceId<D> {
        &self.id
    }

    /// The requests to send, or to send again, each to an owner.
    pub fn requests(&self) -> impl Iterator<Item = (D, Request<D, K>)> {
        let request = |key: &K| Request::Establish { id: self.id.clone(), key: key.clone() };
        self.waiting.iter().map(move |(key, owner)| (owner.clone(), request(key)))
    }

    /// Takes the reply about a resource. One that came before changes nothing.
    pub fn reply(&mut self, key: &K, reply: &Reply<K>) {
        let refused = |deleting| Refused { key: key.clone(), deleting };
        let _before = match reply {
            _ if !self.waiting.contains_key(key) => return,
            Reply::Established { incarnation } => {
                self.established.insert(key.clone(), *incarnation).is_some()
            }
            Reply::Missing => self.refused.insert(refused(false)),
            Reply::Deleting => self.refused.insert(refused(true)),
            Reply::Confirmed | Reply::Status { .. } | Reply::Checked { .. } | Reply::Depends { .. } => return,
        };
        self.waiting.remove(key);
    }

    /// The resources that cannot be referred to, so that the transaction has to end without a commit.
    pub const fn refused(&self) -> &BTreeSet<Refused<K>> {
        &self.refused
    }

    /// True if all owners have replied.
    pub fn is_complete(&self) -> bool {
        self.waiting.is_empty()
    }

    /// True if a reference to a resource is established.
    pub fn has_established(&self, key: &K) -> bool {
        self.established.contains_key(key)
    }

    /// Notes the references in the transaction that commits them.
    pub fn commit(&self, records: &mut dyn Records<D, K>) {
        for (key, incarnation) in &self.established {
            let same = records.remote(key).filter(|it| it.incarnation == *incarnation);
            let mut remote = same.unwrap_or_else(|| Remote::of(*incarnation));
            remote.unconfirmed.insert(self.id.clone());
            records.set_remote(key, Some(remote));
        }
    }
}
