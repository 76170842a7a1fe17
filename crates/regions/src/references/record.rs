use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Blocker;

/// The transaction that establishes references, of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ReferenceId<D> {
    /// The deployment whose resources will refer.
    pub source: D,
    /// Its transaction. A source never uses a number twice, also after a restart.
    pub number: u64,
}

/// The references from other deployments to a resource, as its owner records them.
///
/// It is kept as long as the resource exists, because a deletion compares its version; and afterwards until no source
/// depends on the resource any more.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BackReferences<D: Ord> {
    /// The deployments that may have resources that refer to it.
    pub sources: BTreeSet<D>,
    /// The references that are established and not confirmed.
    pub tentative: BTreeSet<Tentative<D>>,
    /// The number of references that were established.
    pub version: u64,
    /// The incarnation of the resource that was deleted, while sources depend on it.
    pub deleted: Option<u64>,
}

/// A reference that is established and not confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Tentative<D> {
    /// The transaction.
    pub id: ReferenceId<D>,
    /// The time at which it was established, in milliseconds.
    pub since: i64,
}

/// A resource of another deployment that own resources refer to, as the source records it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Remote<D: Ord> {
    /// The incarnation that they refer to.
    pub incarnation: u64,
    /// The transactions whose references the owner has not confirmed.
    pub unconfirmed: BTreeSet<ReferenceId<D>>,
    /// True if it was deleted: what depends on it is to be cleared or deleted.
    pub deleted: bool,
}

/// The own resources that depend on a resource of another deployment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dependents<K> {
    /// Those that forbid its deletion.
    pub blockers: Vec<Blocker<K>>,
    /// True if any resource depends on it, in a way that forbids the deletion or in another.
    pub any: bool,
}

/// The resources and records of one deployment, as one transaction reads and changes them.
pub trait Records<D: Ord, K> {
    /// The incarnation of an own resource; `None` if it does not exist or is being deleted.
    fn incarnation(&self, key: &K) -> Option<u64>;

    /// The references from others to an own resource.
    fn back_references(&self, key: &K) -> Option<BackReferences<D>>;

    /// Replaces or removes the record.
    fn set_back_references(&mut self, key: &K, record: Option<BackReferences<D>>);

    /// A resource of another deployment that own resources refer to.
    fn remote(&self, key: &K) -> Option<Remote<D>>;

    /// Replaces or removes the record.
    fn set_remote(&mut self, key: &K, record: Option<Remote<D>>);

    /// The own resources that depend on a resource of another deployment.
    fn dependents(&self, key: &K) -> Dependents<K>;
}

impl<D: Ord> Default for BackReferences<D> {
    fn default() -> Self {
        Self { sources: BTreeSet::new(), tentative: BTreeSet::new(), version: 0, deleted: None }
    }
}

impl<D: Ord> Remote<D> {
    /// A resource in one incarnation, which no transaction has referred to.
    pub fn of(incarnation: u64) -> Self {
        Self { incarnation, unconfirmed: BTreeSet::new(), deleted: false }
    }
}
