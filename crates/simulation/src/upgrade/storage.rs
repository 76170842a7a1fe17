use std::collections::{BTreeMap, BTreeSet};

use regions::{
    copies::{Copies, Entry, Progress, Resource, Source, Versioned},
    upgrade::{Follower, Following, Shard},
};

use crate::registry::Id;

/// The number of a resource.
pub type ResourceId = u8;
/// The value of a resource, as clients write it.
pub type Value = u8;

/// The number of resources that a page has, and of writes that are read for one message.
pub(super) const PAGE: usize = 1;

/// The storage of a version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Storage {
    /// Its resources, in its own form.
    pub resources: BTreeMap<ResourceId, Versioned<Value>>,
    /// The records about its shards, for the time in which it follows.
    pub shards: BTreeMap<Shard, (Following, Progress<ResourceId>)>,
    form: Form,
    shard_count: u16,
    revision: u64,
    log: Vec<Entry<Shard, ResourceId, Value>>,
    log_start: u64,
}

/// The form in which the storage of a version has values: each version another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form(pub Id);

impl Form {
    /// The form of a value that a client has written.
    pub const fn of(self, value: Value) -> Value {
        value.wrapping_add(self.0.wrapping_mul(100))
    }

    /// The value of a form.
    pub const fn value(self, form: Value) -> Value {
        form.wrapping_sub(self.0.wrapping_mul(100))
    }
}

impl Storage {
    /// A storage without resources.
    pub fn new(version: Id, shard_count: u16) -> Self {
        let (resources, shards) = (BTreeMap::new(), BTreeMap::new());
        Self {
            resources,
            shards,
            form: Form(version),
            shard_count,
            revision: 0,
            log: Vec::new(),
            log_start: 0,
        }
    }

    /// True if it has these values of all resources, as clients have written them.
    pub fn has(&self, truth: &BTreeMap<ResourceId, Value>) -> bool {
        let is_equal =
            |((id, it), (other, value)): ((&ResourceId, &Versioned<Value>), (&ResourceId, &Value))| {
                id == other && self.form.value(it.value) == *value
            };
        self.resources.len() == truth.len() && self.resources.iter().zip(truth).all(is_equal)
    }

    /// The record about a shard, and the progress.
    pub fn record(&self, shard: Shard) -> (Following, Progress<ResourceId>) {
        self.shards.get(&shard).cloned().unwrap_or_default()
    }

    /// Writes a resource, or deletes it.
    pub(super) fn write(&mut self, key: ResourceId, value: Option<Value>) {
        self.revision += 1;
        let (revision, shard) = (self.revision, self.shard(key));
        let value = value.map(|it| self.form.of(it));
        let old = match value {
            Some(value) => self.resources.insert(key, Versioned { revision, value }),
            None => self.resources.remove(&key),
        };
        let regions = BTreeSet::from([shard]);
        let old_regions = old.map(|_| regions.clone()).unwrap_or_default();
        let new = value.map(|value| Resource { revision, regions, value });
        self.log.push(Entry { key, revision, old_regions, new });
    }

    /// Forgets its log.
    pub(super) fn truncate_log(&mut self) {
        self.log.clear();
        self.log_start = self.revision;
    }

    const fn shard(&self, key: ResourceId) -> Shard {
        key as Shard % self.shard_count
    }
}

impl Source<Shard, ResourceId, Value> for Storage {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn log_start(&self) -> u64 {
        self.log_start
    }

    fn log<'a>(&'a self, after: u64) -> Box<dyn Iterator<Item = Entry<Shard, ResourceId, Value>> + 'a> {
        Box::new(self.log.iter().filter(move |it| it.revision > after).cloned())
    }

    fn resources<'a>(
        &'a self,
        after: Option<&ResourceId>,
    ) -> Box<dyn Iterator<Item = (ResourceId, Resource<Shard, Value>)> + 'a> {
        let after = after.copied();
        let all = self.resources.iter().filter(move |(id, _)| after.is_none_or(|after| **id > after));
        let resource = |id, it: &Versioned<Value>| Resource {
            revision: it.revision,
            regions: BTreeSet::from([self.shard(id)]),
            value: it.value,
        };
        Box::new(all.map(move |(id, it)| (*id, resource(*id, it))))
    }
}

/// A storage that follows one of another form.
pub(super) struct Target<'a> {
    /// The storage.
    pub(super) storage: &'a mut Storage,
    /// The form of what it follows.
    pub(super) from: Form,
}

impl Copies<Shard, ResourceId, Value> for Target<'_> {
    fn progress(&self, shard: &Shard) -> Progress<ResourceId> {
        self.storage.record(*shard).1
    }

    fn set_progress(&mut self, shard: &Shard, progress: Progress<ResourceId>) {
        self.storage.shards.entry(*shard).or_default().1 = progress;
    }

    fn revision(&self, _shard: &Shard, key: &ResourceId) -> Option<u64> {
        self.storage.resources.get(key).map(|it| it.revision)
    }

    fn range(
        &self,
        shard: &Shard,
        after: Option<&ResourceId>,
        upto: Option<&ResourceId>,
        limit: usize,
    ) -> Vec<(ResourceId, u64)> {
        let is_in = |it: &ResourceId| {
            self.storage.shard(*it) == *shard
                && after.is_none_or(|after| it > after)
                && upto.is_none_or(|upto| it <= upto)
        };
        let found = self.storage.resources.iter().filter(|(key, _)| is_in(key)).take(limit);
        found.map(|(key, it)| (*key, it.revision)).collect()
    }

    fn save(&mut self, _shard: &Shard, key: &ResourceId, copy: Versioned<Value>) {
        let value = self.storage.form.of(self.from.value(copy.value));
        self.storage.resources.insert(*key, Versioned { value, ..copy });
    }

    fn delete(&mut self, _shard: &Shard, key: &ResourceId) {
        self.storage.resources.remove(key);
    }
}

impl Follower<ResourceId, Value> for Target<'_> {
    fn following(&self, shard: Shard) -> Following {
        self.storage.record(shard).0
    }

    fn set_following(&mut self, shard: Shard, following: Following) {
        self.storage.shards.entry(shard).or_default().0 = following;
    }

    fn continue_after(&mut self, revision: u64) {
        self.storage.revision = self.storage.revision.max(revision);
        self.storage.truncate_log();
    }
}
