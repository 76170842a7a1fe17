use std::{collections::BTreeMap, sync::Arc};

use crate::{Counters, Key, Kind, Query, Resource, Revision, Snapshot, Uid, log::Step, state::State};

/// The effect of the transactions that are submitted and not yet kept: what the next ones are built on.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    kinds: BTreeMap<Kind, BTreeMap<Arc<str>, Staged>>,
    /// Those after the last of them; `None` if there are none.
    counters: Option<Counters>,
}

/// One resource after the last transaction that changed it.
#[derive(Debug)]
struct Staged {
    revision: Revision,
    resource: Option<Arc<Resource>>,
}

/// A state with an overlay.
#[derive(Clone, Copy)]
pub(crate) struct Base<'a> {
    state: &'a State,
    overlay: &'a Overlay,
}

impl Overlay {
    pub(crate) fn on<'a>(&'a self, state: &'a State) -> Base<'a> {
        Base { state, overlay: self }
    }

    /// Adds the steps of a transaction. If it destroys and recreates a resource, the later step counts.
    pub(crate) fn add(&mut self, steps: &[Step], counters: Counters) {
        self.counters = Some(counters);
        for step in steps {
            let Key { kind, id } = step.key().clone();
            let resource = match step {
                Step::Created(new) | Step::Updated { new, .. } => Some(new.clone()),
                Step::Destroyed(_) => None,
            };
            let staged = Staged { revision: counters.revision, resource };
            self.kinds.entry(kind).or_default().insert(id, staged);
        }
    }

    /// Removes what a transaction, which is kept now, changed last.
    pub(crate) fn settle(&mut self, steps: &[Step], revision: Revision) {
        for step in steps {
            let Key { kind, id } = step.key();
            let Some(staged) = self.kinds.get_mut(kind) else { continue };
            if staged.get(id).is_some_and(|it| it.revision == revision) {
                staged.remove(id);
            }
            if staged.is_empty() {
                self.kinds.remove(kind);
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The list of a kind, given what is kept of it.
    pub(crate) fn list(&self, kept: Snapshot, kind: &Kind, query: &Query) -> Snapshot {
        let revision = self.counters.map_or(kept.revision(), |it| it.revision);
        let Some(staged) = self.kinds.get(kind) else { return kept.at(revision) };
        let mut all: BTreeMap<_, _> = kept.iter().map(|it| (it.id().clone(), it.clone())).collect();
        for (id, Staged { resource, .. }) in staged {
            match resource.as_ref().filter(|it| query.matches(it)) {
                Some(resource) => all.insert(id.clone(), resource.clone()),
                None => all.remove(id),
            };
        }
        Snapshot::some(revision, all.into_values().collect())
    }
}

impl<'a> Base<'a> {
    pub(crate) fn get(self, key: &Key) -> Option<&'a Arc<Resource>> {
        match self.overlay.kinds.get(&key.kind).and_then(|it| it.get(&key.id)) {
            Some(staged) => staged.resource.as_ref(),
            None => self.state.get(key),
        }
    }

    pub(crate) fn revision(self) -> Revision {
        self.overlay.counters.map_or(self.state.revision(), |it| it.revision)
    }

    pub(crate) fn uid(self) -> Uid {
        self.overlay.counters.map_or(self.state.uid(), |it| it.uid)
    }
}
