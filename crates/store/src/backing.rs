use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{Key, Resource, Revision, Uid};

/// Persistent storage for resources. The store keeps everything in memory and reads it only at the start.
///
/// It is called by one writer at a time, while others read and watch. It may read the store, but must not
/// write to it: that would deadlock with the writer that it serves.
pub trait BackingStore: Send {
    /// Passes all resources, in any order, to `each`, and returns the counters of the last commit.
    ///
    /// # Errors
    /// An error message for people; the store is not opened in that case.
    fn load(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String>;

    /// Keeps the changes of one transaction and the counters after it: all of it or nothing.
    ///
    /// # Errors
    /// An error message for people; nothing changes in memory either, and the writer gets
    /// [`StoreError::Backing`].
    ///
    /// [`StoreError::Backing`]: crate::StoreError::Backing
    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String>;

    /// Keeps the first of several transactions, in their order and at least one, in one write: all of these or
    /// none. Returns their number; the others follow in later calls. [`Writer::run`] calls it with all that
    /// were submitted while the write before was going on. By default it keeps the first alone.
    ///
    /// # Errors
    /// As for [`commit`](Self::commit): none of them is kept.
    ///
    /// [`Writer::run`]: crate::Writer::run
    fn commit_many(&mut self, commits: &[Commit]) -> Result<usize, String> {
        let Some(first) = commits.first() else { return Ok(0) };
        self.commit(&first.changes, first.counters).map(|()| 1)
    }

    /// A check that refuses transactions that can never be kept, such as those that are too large. A [`Writer`] uses it
    /// before others are built on that one, and answers with [`StoreError::Invalid`]. By default there is nothing
    /// like that.
    ///
    /// [`StoreError::Invalid`]: crate::StoreError::Invalid
    ///
    /// [`Writer`]: crate::Writer
    fn check(&self) -> Option<ChangeCheck> {
        None
    }
}

/// Refuses the changes of a transaction with an error message for people.
pub type ChangeCheck = Arc<dyn Fn(&[Change]) -> Result<(), String> + Send + Sync>;

/// The changes of one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its changes, at most one for each key; there may be none.
    pub changes: Vec<Change>,
    /// The counters after it.
    pub counters: Counters,
}

/// One resource's part of a transaction. There is at most one for each key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The resource was created or updated.
    Put(Arc<Resource>),
    /// The resource was destroyed.
    Delete(Key),
}

impl Change {
    /// The resource it is about.
    pub fn key(&self) -> &Key {
        match self {
            Self::Put(resource) => resource.key(),
            Self::Delete(key) => key,
        }
    }
}

/// The store's counters: kept with the resources, so that nothing is assigned twice after a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The last commit.
    pub revision: Revision,
    /// The last uid that was assigned; the resource that had it may be gone.
    pub uid: Uid,
}

impl Counters {
    /// Counters from their numbers, as a backing store reads them.
    pub fn new(revision: u64, uid: u64) -> Self {
        Self { revision: Revision(revision), uid: Uid(uid) }
    }
}

/// A backing store in memory, for tests and restarts: its clones share their content.
#[derive(Clone, Debug, Default)]
pub struct MemoryBacking(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    resources: BTreeMap<Key, Arc<Resource>>,
    counters: Counters,
}

impl MemoryBacking {
    /// Its resources, by key.
    pub fn resources(&self) -> Vec<Arc<Resource>> {
        self.held().resources.values().cloned().collect()
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BackingStore for MemoryBacking {
    fn load(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        let held = self.held();
        held.resources.values().for_each(|resource| each((**resource).clone()));
        Ok(held.counters)
    }

    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String> {
        let mut held = self.held();
        for change in changes {
            match change {
                Change::Put(resource) => held.resources.insert(resource.key().clone(), resource.clone()),
                Change::Delete(key) => held.resources.remove(key),
            };
        }
        held.counters = counters;
        Ok(())
    }
}
