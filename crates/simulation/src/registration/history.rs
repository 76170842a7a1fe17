use std::collections::BTreeMap;

use regions::{
    copies::Versioned,
    registration::{Entries, Entry, EntryName, Registry},
};

use crate::registry::{Id, MemoryRegistry};

/// An entry; `None` if it was deleted.
type State = Option<Versioned<Entry<Id>>>;

/// Everything that was written to the registry: each state of each entry, by the revision with which it began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct History {
    states: BTreeMap<(EntryName<Id>, u64), State>,
}

impl History {
    /// Notes what has changed after a revision.
    pub(super) fn note(&mut self, registry: &MemoryRegistry, after: u64) {
        for name in registry.changed(after).into_iter().filter(EntryName::is_watched) {
            self.states.insert((name, registry.revision()), registry.entry(&name));
        }
    }

    /// Forgets everything but the states now.
    pub(super) fn forget(&mut self, registry: &MemoryRegistry) {
        let watched = registry.all().iter().filter(|(name, _)| name.is_watched());
        self.states = watched.map(|(name, it)| ((*name, it.revision), Some(it.clone()))).collect();
    }

    /// A deployment whose version was changed, which registrations must not do.
    pub(super) fn changed_version(&self) -> Option<String> {
        let pairs = self.states.iter().zip(self.states.iter().skip(1));
        let mut pairs = pairs.filter(|(((name, _), _), ((next, _), _))| name == next);
        let version = |it: &Option<Versioned<Entry<Id>>>| {
            it.as_ref().and_then(|it| it.value.deployment()).map(|it| it.version.current_version)
        };
        let changed = |first: &Option<_>, second: &Option<_>| match (version(first), version(second)) {
            (Some(first), Some(second)) => first != second,
            (None, _) | (_, None) => false,
        };
        let ((name, _), _) = pairs.find(|((_, first), (_, second))| changed(first, second))?.0;
        Some(format!("a registration has changed the version of {name:?}"))
    }

    /// The watched entries of a few services at a revision.
    pub(super) fn at(&self, revision: u64, is_relevant: impl Fn(&EntryName<Id>) -> bool) -> Entries<Id> {
        let mut entries = Entries::new();
        let states = self.states.iter().filter(|((name, at), _)| *at <= revision && is_relevant(name));
        for ((name, _), state) in states {
            match state {
                Some(it) => drop(entries.insert(*name, it.clone())),
                None => drop(entries.remove(name)),
            }
        }
        entries
    }
}
