use std::sync::Arc;

use crate::{
    KindStats, Query, Resource, Revision, Snapshot,
    index::Index,
    log::{Log, Step},
    readers::Readers,
    resource_map::ResourceMap,
};

/// Everything of one kind.
#[derive(Debug, Default)]
pub(crate) struct Collection {
    map: ResourceMap,
    index: Index,
    pub(crate) log: Log,
    pub(crate) readers: Readers,
}

impl Collection {
    pub(crate) fn get(&self, id: &str) -> Option<&Arc<Resource>> {
        self.map.get(id)
    }

    pub(crate) fn map(&self) -> &ResourceMap {
        &self.map
    }

    /// Adds a resource from the backing store.
    pub(crate) fn load(&mut self, resource: Arc<Resource>) {
        self.forget(&resource.metadata.key.id);
        self.index.add(&resource);
        self.map.insert(resource);
    }

    fn forget(&mut self, id: &str) {
        if let Some(old) = self.map.get(id) {
            self.index.remove(old);
            self.map.remove(id);
        }
    }

    /// Applies a step of a commit to the resources.
    pub(crate) fn apply(&mut self, step: &Step) {
        match step {
            Step::Created(new) => {
                self.index.add(new);
                self.map.insert(new.clone());
            }
            Step::Updated { old, new } => {
                self.index.replace(old, new);
                self.map.insert(new.clone());
            }
            Step::Destroyed(old) => self.forget(old.id()),
        }
    }

    /// A superset of all that match, found in at most the time that it takes to share all of them.
    pub(crate) fn candidates(&self, revision: Revision, query: &Query) -> Snapshot {
        match self.index.candidates(query, self.map.len() / 8) {
            None => Snapshot::all(revision, self.map.clone()),
            Some(ids) => {
                let found = ids.iter().filter_map(|id| self.map.get(id)).cloned();
                Snapshot::some(revision, found.collect())
            }
        }
    }

    /// True if it can be removed without an observable effect.
    pub(crate) fn is_unused(&self) -> bool {
        self.map.is_empty() && self.log.is_fresh() && self.readers.count() == 0
    }

    pub(crate) fn stats(&self) -> KindStats {
        KindStats {
            resources: self.map.len(),
            log_entries: self.log.len(),
            log_bytes: self.log.bytes(),
            watchers: self.readers.count(),
            waiting: self.readers.waiting(),
            resyncs: self.readers.resyncs,
        }
    }
}
