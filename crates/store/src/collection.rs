use std::sync::Arc;

use crate::{
    KindStats, Query, Resource, Revision, Snapshot,
    index::Index,
    log::{Log, Step},
    readers::Readers,
    shelf::Shelf,
};

/// Everything of one kind.
#[derive(Debug, Default)]
pub(crate) struct Collection {
    shelf: Shelf,
    index: Index,
    pub(crate) log: Log,
    pub(crate) readers: Readers,
}

impl Collection {
    pub(crate) fn get(&self, id: &str) -> Option<&Arc<Resource>> {
        self.shelf.get(id)
    }

    /// Puts what a backing store held.
    pub(crate) fn load(&mut self, resource: Arc<Resource>) {
        self.forget(&resource.metadata.key.id);
        self.index.add(&resource);
        self.shelf.insert(resource);
    }

    fn forget(&mut self, id: &str) {
        if let Some(old) = self.shelf.get(id) {
            self.index.remove(old);
            self.shelf.remove(id);
        }
    }

    /// What a step did to the resources.
    pub(crate) fn apply(&mut self, step: &Step) {
        match step {
            Step::Created(new) => {
                self.index.add(new);
                self.shelf.insert(new.clone());
            }
            Step::Updated { old, new } => {
                self.index.replace(old, new);
                self.shelf.insert(new.clone());
            }
            Step::Destroyed(old) => self.forget(old.id()),
        }
    }

    /// At least all that match, at no more cost than there are, or than sharing all of them.
    pub(crate) fn candidates(&self, revision: Revision, query: &Query) -> Snapshot {
        match self.index.candidates(query, self.shelf.len() / 8) {
            None => Snapshot::all(revision, self.shelf.clone()),
            Some(ids) => {
                let found = ids.iter().filter_map(|id| self.shelf.get(id)).cloned();
                Snapshot::some(revision, found.collect())
            }
        }
    }

    /// Whether it may be forgotten without anybody noticing.
    pub(crate) fn is_unused(&self) -> bool {
        self.shelf.len() == 0 && self.log.is_fresh() && self.readers.count() == 0
    }

    pub(crate) fn stats(&self) -> KindStats {
        KindStats {
            resources: self.shelf.len(),
            log_entries: self.log.len(),
            log_bytes: self.log.bytes(),
            watchers: self.readers.count(),
            waiting: self.readers.waiting(),
            resyncs: self.readers.resyncs,
        }
    }
}
