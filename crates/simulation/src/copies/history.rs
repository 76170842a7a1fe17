use std::collections::BTreeMap;

use regions::copies::{Resource, Versioned};

use super::{NodeId, Owner, ResourceId, Value};

/// Everything that the owner has written: each state of each resource, by the revision with which it began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct History {
    states: BTreeMap<ResourceId, BTreeMap<u64, Option<Resource<NodeId, Value>>>>,
}

impl History {
    /// Notes the last write.
    pub(super) fn note(&mut self, id: ResourceId, revision: u64, owner: &Owner) {
        self.states.entry(id).or_default().insert(revision, owner.resources.get(&id).cloned());
    }

    /// Forgets everything but the last states.
    pub(super) fn forget(&mut self) {
        for states in self.states.values_mut() {
            let last = states.pop_last();
            *states = last.into_iter().collect();
        }
    }

    /// The resources that have ever existed.
    pub(super) fn resources(&self) -> impl Iterator<Item = ResourceId> {
        self.states.keys().copied()
    }

    /// The first revision, not before `since`, at which a copy is what its reader may have.
    pub(super) fn first(
        &self,
        reader: NodeId,
        id: ResourceId,
        copy: Option<&Versioned<Value>>,
        since: u64,
    ) -> Option<u64> {
        let states = self.states.get(&id);
        let last = states.and_then(|it| it.range(..=since).next_back()).map(|(_, state)| state.as_ref());
        if is_seen(reader, last.flatten(), copy) {
            return Some(since);
        }
        let mut later = states?.range(since.saturating_add(1)..);
        later.find(|(_, state)| is_seen(reader, state.as_ref(), copy)).map(|(revision, _)| *revision)
    }

    /// The regions that a resource was copied to at the revision of a copy, if the owner had that state.
    pub(super) fn resource(
        &self,
        id: ResourceId,
        copy: &Versioned<Value>,
    ) -> Option<&Resource<NodeId, Value>> {
        let resource = self.states.get(&id)?.get(&copy.revision)?.as_ref();
        resource.filter(|it| it.value == copy.value)
    }
}

/// True if a copy is what a reader has to have of a state.
fn is_seen(reader: NodeId, state: Option<&Resource<NodeId, Value>>, copy: Option<&Versioned<Value>>) -> bool {
    let state = state.filter(|it| it.regions.contains(&reader)).map(|it| (it.revision, it.value));
    state == copy.map(|it| (it.revision, it.value))
}
