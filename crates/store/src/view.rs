use std::{collections::BTreeMap, sync::Arc};

use crate::{Key, Kind, Query, Resource, Revision, Snapshot, resource_map::ResourceMap};

/// The whole content of a store at one revision, of all kinds. It never changes, and sharing it costs what the number of
/// kinds does, not that of resources.
#[derive(Clone, Debug)]
pub struct View {
    revision: Revision,
    kinds: BTreeMap<Kind, ResourceMap>,
}

impl View {
    pub(crate) fn new(revision: Revision, kinds: BTreeMap<Kind, ResourceMap>) -> Self {
        Self { revision, kinds }
    }

    /// The revision that it shows.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// A resource, if there was one.
    pub fn get(&self, key: &Key) -> Option<&Arc<Resource>> {
        self.kinds.get(&key.kind)?.get(&key.id)
    }

    /// The resources of a kind that match, by id. Labels and owners are not indexed here: the cost is that of the ids that
    /// begin as the query's pattern does.
    pub fn list(&self, kind: &Kind, query: &Query) -> Snapshot {
        let all = self.kinds.get(kind).cloned().unwrap_or_default();
        Snapshot::all(self.revision, all).filtered(query)
    }

    /// The kinds that had any resources, in order.
    pub fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.keys()
    }
}
