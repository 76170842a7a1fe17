use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use regions::{
    copies::Versioned,
    registration::{Entry, EntryName, NamedEntry, Registry, Reply, Request, State, answer, state},
};

/// The name of a service, a region, a version or a process: a number.
pub type Id = u8;

/// A registry in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemoryRegistry {
    entries: BTreeMap<EntryName<Id>, Versioned<Entry<Id>>>,
    /// The revision of the last change of each entry, also of one that was deleted.
    changes: BTreeMap<EntryName<Id>, u64>,
    revision: u64,
    last_deletion: u64,
    log_start: u64,
}

impl MemoryRegistry {
    /// A registry that has only regions.
    pub fn with_regions(regions: &BTreeSet<Id>) -> Self {
        let mut registry = Self::default();
        for region in regions {
            registry.write(&EntryName::Region { region: *region }, Some(Entry::Region));
        }
        registry
    }

    /// The state of an entry now.
    pub fn state(&self, name: &EntryName<Id>) -> State<Id> {
        state(self, name)
    }

    /// The entries.
    pub const fn all(&self) -> &BTreeMap<EntryName<Id>, Versioned<Entry<Id>>> {
        &self.entries
    }

    /// Answers a request. What shares the registry keeps it as it was.
    pub(crate) fn answer(self: &mut Arc<Self>, request: &Request<Id>) -> Reply<Id> {
        let mut after = Self::clone(self);
        let reply = answer(&mut after, request);
        if after.revision != self.revision {
            *self = Arc::new(after);
        }
        reply
    }

    /// Forgets which entries have changed so far.
    pub fn truncate_log(&mut self) {
        self.log_start = self.revision;
        self.changes.clear();
    }
}

impl Registry<Id> for MemoryRegistry {
    fn revision(&self) -> u64 {
        self.revision
    }

    fn last_deletion(&self) -> u64 {
        self.last_deletion
    }

    fn log_start(&self) -> u64 {
        self.log_start
    }

    fn changed(&self, after: u64) -> Vec<EntryName<Id>> {
        self.changes.iter().filter(|(_, it)| **it > after).map(|(name, _)| *name).collect()
    }

    fn entry(&self, name: &EntryName<Id>) -> Option<Versioned<Entry<Id>>> {
        self.entries.get(name).cloned()
    }

    fn entries<'a>(&'a self) -> Box<dyn Iterator<Item = NamedEntry<Id>> + 'a> {
        Box::new(self.entries.iter().map(|(name, it)| (*name, it.clone())))
    }

    fn write(&mut self, name: &EntryName<Id>, entry: Option<Entry<Id>>) {
        self.revision += 1;
        let revision = self.revision;
        self.changes.insert(*name, revision);
        match entry {
            Some(value) => drop(self.entries.insert(*name, Versioned { revision, value })),
            None => {
                self.last_deletion = revision;
                self.entries.remove(name);
            }
        }
    }
}
