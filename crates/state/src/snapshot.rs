use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::{Change, Commit, Entry, Intent};

/// The resources that a deployment is known to have created, and the writes in progress (`planloom.state/1`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// `planloom.state/1`.
    pub format: String,
    /// The deployment's name.
    #[serde(default)]
    pub deployment: String,
    /// The identifier that distinguishes this deployment from all others, whatever their names: 128 random
    /// bits.
    #[serde(default)]
    pub lineage: String,
    /// Incremented by each commit.
    pub serial: u64,
    /// The resources by address.
    pub resources: BTreeMap<String, Entry>,
    /// The writes in progress, in the order in which they were started.
    #[serde(default)]
    pub journal: Vec<Intent>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}

impl Snapshot {
    /// The format's name.
    pub const FORMAT: &str = "planloom.state/1";

    /// The snapshot of a deployment without resources.
    pub fn new(deployment: impl Into<String>, lineage: impl Into<String>) -> Self {
        Self {
            format: Self::FORMAT.into(),
            deployment: deployment.into(),
            lineage: lineage.into(),
            serial: 0,
            resources: BTreeMap::new(),
            journal: Vec::new(),
            rest: Map::new(),
        }
    }

    /// The generation of the next resource that is created at an address; with lineage and address it
    /// determines the id. A resource that was created there and has another name now still has its id.
    pub fn next_generation(&self, address: &str) -> u64 {
        let renamed = self.resources.values().filter(|it| it.created_as == address);
        let all = renamed.chain(self.resources.get(address));
        all.map(|it| it.generation).max().unwrap_or(0) + 1
    }

    /// Applies a commit; returns whether it fits, which it does if its serial is the next.
    pub fn take(&mut self, commit: &Commit) -> bool {
        if commit.serial != self.serial + 1 {
            return false;
        }
        self.serial = commit.serial;
        commit.changes.iter().for_each(|change| self.change(change));
        true
    }

    pub(crate) fn change(&mut self, change: &Change) {
        match change {
            Change::Put(address, entry) => drop(self.resources.insert(address.clone(), (**entry).clone())),
            Change::Remove(address) => drop(self.resources.remove(address)),
            Change::Begin(intent) => self.journal.push((**intent).clone()),
            Change::Settle(id) => self.journal.retain(|it| it.id != *id),
        }
    }
}
