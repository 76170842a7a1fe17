use std::collections::{BTreeMap, BTreeSet};

use crate::Name;

use super::{BackReferences, Blocker, Records, ReferenceId, Reply, Request};

/// A deletion of an owner, before its commit: it asks the sources of references to what would be deleted.
///
/// It is in memory only: if the process ends, nothing was deleted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checking<D: Ord, K: Ord> {
    /// The resources whose sources are asked, as they were at the beginning: incarnation, and version of the record.
    begun: BTreeMap<K, (u64, u64)>,
    waiting: BTreeSet<(K, D)>,
    /// The sources that depend on a resource without blocking its deletion.
    depending: BTreeSet<(K, D)>,
    blockers: BTreeSet<(K, Blocker<K>)>,
}

/// References that are established and not known to be committed, each with the resource of the owner.
pub type Tentatives<D, K> = Vec<(K, ReferenceId<D>)>;

/// The reason why a deletion cannot be committed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unchecked<D, K> {
    /// These references are established, and it is not known whether they are committed: their sources have to be asked.
    Tentative(Tentatives<D, K>),
    /// The sources of these resources have not been asked, or not since the last reference to them was established.
    Sources(Vec<K>),
}

impl<D: Ord, K: Ord> Default for Checking<D, K> {
    /// A deletion that has asked nothing.
    fn default() -> Self {
        let (begun, waiting) = (BTreeMap::new(), BTreeSet::new());
        Self { begun, waiting, depending: BTreeSet::new(), blockers: BTreeSet::new() }
    }
}

impl<D: Name, K: Name> Checking<D, K> {
    /// Begins to ask about resources.
    ///
    /// # Errors
    /// Their tentative references, whose sources have to be [queried](Request::Status) first.
    pub fn begin(
        records: &dyn Records<D, K>,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<Self, Tentatives<D, K>> {
        let (mut begun, mut waiting, mut tentative) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        for key in keys {
            let Some((incarnation, record)) = records.incarnation(&key).zip(records.back_references(&key))
            else {
                continue;
            };
            tentative.extend(record.tentative.into_iter().map(|it| (key.clone(), it.id)));
            waiting.extend(record.sources.into_iter().map(|source| (key.clone(), source)));
            begun.insert(key, (incarnation, record.version));
        }
        match tentative.is_empty() {
            true => Ok(Self { begun, waiting, ..Self::default() }),
            false => Err(tentative),
        }
    }

    /// The requests to send, or to send again, each to a source.
    pub fn requests(&self) -> impl Iterator<Item = (D, Request<D, K>)> {
        self.waiting.iter().map(|(key, source)| (source.clone(), Request::Check { key: key.clone() }))
    }

    /// Takes the reply of a source about a resource. One that came before changes nothing.
    pub fn reply(&mut self, source: &D, key: &K, reply: &Reply<K>) {
        let Reply::Checked { blockers, depends } = reply else { return };
        let asked = (key.clone(), source.clone());
        if self.waiting.remove(&asked) {
            self.blockers.extend(blockers.iter().map(|it| (key.clone(), it.clone())));
            self.depending.extend(depends.then_some(asked));
        }
    }

    /// True if all sources have replied.
    pub fn is_complete(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The resources of others that forbid the deletion, each with the one that it refers to.
    pub const fn blockers(&self) -> &BTreeSet<(K, Blocker<K>)> {
        &self.blockers
    }

    /// The resources that a source depends on without blocking their deletion, so that it is to be told of it.
    pub fn depended_on(&self) -> impl Iterator<Item = &K> {
        self.depending.iter().map(|(key, _)| key)
    }

    /// Checks, in the transaction that deletes them, that nothing refers to resources but what was asked about.
    ///
    /// # Errors
    /// What has to be asked first.
    pub fn allows(&self, records: &dyn Records<D, K>, keys: &[K]) -> Result<(), Unchecked<D, K>> {
        let (mut tentative, mut sources) = (Vec::new(), Vec::new());
        for key in keys {
            let Some(record) = records.back_references(key) else { continue };
            tentative.extend(record.tentative.iter().map(|it| (key.clone(), it.id.clone())));
            if !record.sources.is_empty() && !self.is_current(records, key, &record) {
                sources.push(key.clone());
            }
        }
        match (tentative.is_empty(), sources.is_empty()) {
            (false, _) => Err(Unchecked::Tentative(tentative)),
            (true, false) => Err(Unchecked::Sources(sources)),
            (true, true) => Ok(()),
        }
    }

    fn is_current(&self, records: &dyn Records<D, K>, key: &K, record: &BackReferences<D>) -> bool {
        let now = records.incarnation(key).map(|it| (it, record.version));
        self.is_complete() && self.begun.get(key).copied() == now
    }

    /// Notes, in the transaction that deletes a resource, the sources that are to be told. Returns true if there are any.
    pub fn delete(&self, records: &mut dyn Records<D, K>, key: &K) -> bool {
        let Some((mut record, incarnation)) = records.back_references(key).zip(records.incarnation(key))
        else {
            return false;
        };
        record.sources.retain(|source| self.depending.contains(&(key.clone(), source.clone())));
        record.deleted = Some(incarnation);
        let remains = !record.sources.is_empty();
        records.set_back_references(key, remains.then_some(record));
        remains
    }
}
