use std::collections::{BTreeMap, BTreeSet, VecDeque};

use regions::copies::{Entry, Reply, Request, Resource, Source, Watches, outdated, page};

/// The number of a region.
pub type NodeId = u8;
/// The number of a resource.
pub type ResourceId = u8;
/// The value of a resource.
pub type Value = u8;

/// The region that owns all resources.
pub const OWNER: NodeId = 0;

/// A region that owns resources.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    /// Its resources.
    pub resources: BTreeMap<ResourceId, Resource<NodeId, Value>>,
    /// The readers to which all resources are copied.
    pub policy: BTreeSet<NodeId>,
    /// The readers that watch. In memory only.
    pub watches: Watches<NodeId>,
    revision: u64,
    log: VecDeque<Entry<NodeId, ResourceId, Value>>,
    log_start: u64,
    log_size: usize,
    page: usize,
}

impl Owner {
    /// A region without resources. `log_size` is the number of writes that its log holds, and `page` the number that is read
    /// for one message.
    pub fn new(policy: BTreeSet<NodeId>, log_size: usize, page: usize) -> Self {
        let (resources, watches, log) = (BTreeMap::new(), Watches::new(page), VecDeque::new());
        Self { resources, policy, watches, revision: 0, log, log_start: 0, log_size, page }
    }

    /// Creates or updates a resource. Its value is a new one.
    pub(super) fn save(&mut self, id: ResourceId) {
        let value = u8::try_from(self.revision.saturating_add(1) % 255).unwrap_or_default();
        self.write(id, Some(value));
    }

    /// Deletes a resource, if it exists.
    pub(super) fn delete(&mut self, id: ResourceId) {
        if self.resources.contains_key(&id) {
            self.write(id, None);
        }
    }

    /// The first resource that was written under another policy.
    pub(super) fn outdated(&self) -> Option<ResourceId> {
        outdated(self, |_| self.policy.clone()).next()
    }

    /// Writes a resource with the same value.
    pub(super) fn refresh(&mut self, id: ResourceId) {
        let value = self.resources.get(&id).map(|it| it.value);
        if value.is_some() {
            self.write(id, value);
        }
    }

    fn write(&mut self, key: ResourceId, value: Option<Value>) {
        self.revision += 1;
        let revision = self.revision;
        let new = value.map(|value| Resource { revision, regions: self.policy.clone(), value });
        let old = match new.clone() {
            Some(new) => self.resources.insert(key, new),
            None => self.resources.remove(&key),
        };
        let old_regions = old.map(|it| it.regions).unwrap_or_default();
        self.log.push_back(Entry { key, revision, old_regions, new });
        self.truncate_log(self.log_size);
    }

    /// Forgets the oldest writes.
    pub(super) fn truncate_log(&mut self, size: usize) {
        while self.log.len() > size {
            self.log_start = self.log.pop_front().map_or(self.log_start, |it| it.revision);
        }
    }

    /// True if a reader that watches was not sent everything.
    pub(super) fn has_news(&self, reader: NodeId) -> bool {
        self.watches.sent(&reader).is_some_and(|it| it < self.revision)
    }

    /// True if a crash would lose something.
    pub(super) fn has_memory(&self) -> bool {
        self.watches != Watches::new(self.page) || !self.log.is_empty()
    }

    /// Loses what is in memory only. The log is, too.
    pub(super) fn crash(&mut self) {
        self.watches = Watches::new(self.page);
        self.truncate_log(0);
    }

    /// Answers a request.
    pub(super) fn answer(
        &mut self,
        reader: NodeId,
        request: &Request<ResourceId>,
    ) -> Reply<ResourceId, Value> {
        let (mut watches, size) = (self.watches.clone(), self.page);
        let reply = match request {
            Request::Watch { after } => watches.watch(self, &reader, *after),
            Request::Page { after } => page(self, &reader, after.as_ref(), size),
        };
        self.watches = watches;
        reply
    }

    /// The next changes for a reader that watches.
    pub(super) fn send(&mut self, reader: NodeId) -> Option<Reply<ResourceId, Value>> {
        let mut watches = self.watches.clone();
        let reply = watches.next(self, &reader);
        self.watches = watches;
        reply
    }
}

impl Source<NodeId, ResourceId, Value> for Owner {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn log_start(&self) -> u64 {
        self.log_start
    }

    fn log<'a>(&'a self, after: u64) -> Box<dyn Iterator<Item = Entry<NodeId, ResourceId, Value>> + 'a> {
        Box::new(self.log.iter().filter(move |it| it.revision > after).cloned())
    }

    fn resources<'a>(
        &'a self,
        after: Option<&ResourceId>,
    ) -> Box<dyn Iterator<Item = (ResourceId, Resource<NodeId, Value>)> + 'a> {
        let after = after.copied();
        let all = self.resources.iter().filter(move |(id, _)| after.is_none_or(|after| **id > after));
        Box::new(all.map(|(id, it)| (*id, it.clone())))
    }
}
