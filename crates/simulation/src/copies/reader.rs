use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound::{Excluded, Included, Unbounded},
};

use regions::copies::{Copies, Limits, Progress, Reader, Reply, Request, Versioned};

use super::{History, NodeId, OWNER, ResourceId, Value};

/// A region that keeps copies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReaderNode {
    /// Its number.
    pub id: NodeId,
    /// The copies.
    pub copies: BTreeMap<ResourceId, Versioned<Value>>,
    /// The record that it keeps with them.
    pub progress: Progress<ResourceId>,
    /// The revisions of the owner that the copies have shown, to judge it. No reader knows them.
    shown: BTreeMap<ResourceId, u64>,
    /// The resources of which it has had copies, to judge the number of its tombstones.
    copied: BTreeSet<ResourceId>,
    limits: Limits,
}

impl ReaderNode {
    /// A region without copies. All its requests are always due.
    pub fn new(id: NodeId, limits: Limits) -> Self {
        let (copies, progress) = (BTreeMap::new(), Progress::default());
        let (shown, copied) = (BTreeMap::new(), BTreeSet::new());
        Self { id, copies, progress, shown, copied, limits }
    }

    /// The requests that its record demands, at a time at which all are due.
    pub(super) fn requests(&self) -> Vec<Request<ResourceId>> {
        self.reader().requests(&self.progress, 0)
    }

    /// Takes a message of the owner.
    pub(super) fn take(&mut self, reply: &Reply<ResourceId, Value>, history: &History) {
        self.reader().take(self, reply, 0);
        self.copied.extend(self.copies.keys());
        for id in history.resources() {
            let shown = self.first_shown(history, id);
            self.shown.extend(shown.map(|it| (id, it)));
        }
    }

    /// A promise about its copies and its record that is broken.
    pub(super) fn broken(&self, history: &History) -> Option<String> {
        let is_wrong = |it: &ResourceId| self.first_shown(history, *it).is_none();
        let wrong = history.resources().find(is_wrong).map(|it| self.why_wrong(history, it));
        let others = self.progress.tombstones.keys().filter(|it| !self.copied.contains(it)).count();
        let excess = others > self.limits.tombstones;
        wrong.or_else(|| excess.then(|| format!("region {} has {others} tombstones", self.id)))
    }

    fn why_wrong(&self, history: &History, id: ResourceId) -> String {
        let copy = self.copies.get(&id);
        let state = copy.map(|copy| history.resource(id, copy));
        let shown = self.shown.get(&id).copied().unwrap_or(0);
        let why = match state {
            Some(None) => "is a state that the owner never had",
            Some(Some(it)) if !it.regions.contains(&self.id) => "was never to be there",
            _ if history.first(self.id, id, copy, shown).is_none() => "went back",
            _ => "is not as new as what is said to be complete",
        };
        format!("the copy of resource {id} in region {} {why}", self.id)
    }

    /// A record that is left for no reason.
    pub(super) fn pending(&self, revision: u64) -> Option<String> {
        let complete = self.progress.complete;
        let why = match &self.progress {
            it if it.snapshot.is_some() => "reads a snapshot for ever".to_owned(),
            it if !it.tombstones.is_empty() => "keeps tombstones for ever".to_owned(),
            _ if complete != revision => format!("is complete up to {complete}, not {revision}"),
            _ => return None,
        };
        Some(format!("region {} {why}", self.id))
    }

    /// The first revision at which the owner had what the copy shows: not before what the copy has shown already, and not
    /// before what is said to be complete.
    fn first_shown(&self, history: &History, id: ResourceId) -> Option<u64> {
        let shown = self.shown.get(&id).copied().unwrap_or(0).max(self.progress.complete);
        history.first(self.id, id, self.copies.get(&id), shown)
    }

    const fn reader(&self) -> Reader<NodeId> {
        Reader::new(OWNER, self.limits, 0)
    }
}

impl Copies<NodeId, ResourceId, Value> for ReaderNode {
    fn progress(&self, _owner: &NodeId) -> Progress<ResourceId> {
        self.progress.clone()
    }

    fn set_progress(&mut self, _owner: &NodeId, progress: Progress<ResourceId>) {
        self.progress = progress;
    }

    fn revision(&self, _owner: &NodeId, key: &ResourceId) -> Option<u64> {
        self.copies.get(key).map(|it| it.revision)
    }

    fn range(
        &self,
        _owner: &NodeId,
        after: Option<&ResourceId>,
        upto: Option<&ResourceId>,
        limit: usize,
    ) -> Vec<(ResourceId, u64)> {
        let range = (after.map_or(Unbounded, Excluded), upto.map_or(Unbounded, Included));
        let found = self.copies.range::<ResourceId, _>(range).take(limit);
        found.map(|(key, it)| (*key, it.revision)).collect()
    }

    fn save(&mut self, _owner: &NodeId, key: &ResourceId, copy: Versioned<Value>) {
        self.copies.insert(*key, copy);
    }

    fn delete(&mut self, _owner: &NodeId, key: &ResourceId) {
        self.copies.remove(key);
    }
}
