use std::collections::BTreeMap;

use regions::references::{BackReferences, Blocker, Checking, Dependents, Records, Remote, Saving};

/// The number of a deployment.
pub type NodeId = u8;
/// The number of a resource, in all deployments.
pub type ResourceId = u8;

/// The effect on a resource when the one that it refers to is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Behavior {
    /// The deletion is refused.
    Block,
    /// Its reference is cleared afterwards.
    Unset,
    /// It is deleted afterwards.
    Cascade,
}

/// A stored resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    /// Its incarnation.
    pub incarnation: u64,
    /// The resource that it refers to.
    pub reference: Option<ResourceId>,
}

/// A transaction that waits for others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Saved {
    /// Its part of the protocol.
    pub saving: Saving<NodeId, ResourceId>,
    /// The reference that the resource will have.
    pub reference: Option<ResourceId>,
}

/// A deletion that waits for others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Checked {
    /// Its part of the protocol; `None` if it has not begun to ask.
    pub checking: Option<Checking<NodeId, ResourceId>>,
    /// The number of its exchanges.
    pub exchange: u64,
}

/// A deployment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// Its number.
    pub id: NodeId,
    /// Its resources.
    pub resources: BTreeMap<ResourceId, Resource>,
    /// The references from others.
    pub back_references: BTreeMap<ResourceId, BackReferences<NodeId>>,
    /// The resources of others that its own refer to.
    pub remotes: BTreeMap<ResourceId, Remote<NodeId>>,
    /// The last number that was used for a transaction, an exchange or an incarnation.
    pub last: u64,
    /// The transactions that wait for others, by what they save. In memory only.
    pub savings: BTreeMap<ResourceId, Saved>,
    /// The deletions that wait for others. In memory only.
    pub checkings: BTreeMap<ResourceId, Checked>,
    behaviors: BTreeMap<ResourceId, Behavior>,
}

impl Node {
    /// A deployment without resources. `behaviors` are those of all resources.
    pub fn new(id: NodeId, behaviors: BTreeMap<ResourceId, Behavior>) -> Self {
        let (resources, back_references, remotes) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (savings, checkings) = (BTreeMap::new(), BTreeMap::new());
        Self { id, resources, back_references, remotes, last: 0, savings, checkings, behaviors }
    }

    /// A number that was not used before.
    pub fn new_number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// What a resource has for its deletion.
    pub fn behavior(&self, resource: ResourceId) -> Behavior {
        self.behaviors.get(&resource).copied().unwrap_or(Behavior::Block)
    }

    /// Loses what is in memory only: after a crash, or because clients have given up.
    pub fn forget(&mut self) {
        self.savings.clear();
        self.checkings.clear();
    }

    /// True if a transaction is open.
    pub fn is_open(&self, number: u64) -> bool {
        self.savings.values().any(|it| it.saving.id().number == number)
    }
}

impl Records<NodeId, ResourceId> for Node {
    fn incarnation(&self, key: &ResourceId) -> Option<u64> {
        self.resources.get(key).map(|it| it.incarnation)
    }

    fn back_references(&self, key: &ResourceId) -> Option<BackReferences<NodeId>> {
        self.back_references.get(key).cloned()
    }

    fn set_back_references(&mut self, key: &ResourceId, record: Option<BackReferences<NodeId>>) {
        match record {
            Some(record) => self.back_references.insert(*key, record),
            None => self.back_references.remove(key),
        };
    }

    fn remote(&self, key: &ResourceId) -> Option<Remote<NodeId>> {
        self.remotes.get(key).cloned()
    }

    fn set_remote(&mut self, key: &ResourceId, record: Option<Remote<NodeId>>) {
        match record {
            Some(record) => self.remotes.insert(*key, record),
            None => self.remotes.remove(key),
        };
    }

    fn dependents(&self, key: &ResourceId) -> Dependents<ResourceId> {
        let all: Vec<ResourceId> =
            self.resources.iter().filter(|(_, it)| it.reference == Some(*key)).map(|(it, _)| *it).collect();
        let blocking = all.iter().filter(|it| self.behavior(**it) == Behavior::Block);
        let blockers = blocking.map(|it| Blocker { referrer: *it, place: String::new() }).collect();
        Dependents { blockers, any: !all.is_empty() }
    }
}
