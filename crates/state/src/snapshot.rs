use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::{Change, Commit, Entry, Intent};

/// The resources that a deployment is known to have made, and what is being done (`planloom.state/1`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// `planloom.state/1`.
    pub format: String,
    /// The deployment's name.
    #[serde(default)]
    pub deployment: String,
    /// What tells this deployment from all others, whatever they are called: 128 random bits.
    #[serde(default)]
    pub lineage: String,
    /// Grows by one with each commit.
    pub serial: u64,
    /// The resources by address.
    pub resources: BTreeMap<String, Entry>,
    /// What is being done, in the order in which it was begun.
    #[serde(default)]
    pub journal: Vec<Intent>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub rest: Map<String, Json>,
}

impl Snapshot {
    /// The format's name.
    pub const FORMAT: &str = "planloom.state/1";

    /// Of a deployment that has made nothing.
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

    /// The generation of what is made anew at an address; with lineage and address it decides the id.
    pub fn next_generation(&self, address: &str) -> u64 {
        self.resources.get(address).map_or(0, |it| it.generation) + 1
    }

    /// Takes a commit in; whether it fits, which it does when its serial is the next.
    pub fn take(&mut self, commit: &Commit) -> bool {
        if commit.serial != self.serial + 1 {
            return false;
        }
        self.serial = commit.serial;
        commit.changes.iter().for_each(|change| self.change(change));
        true
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::Put(address, entry) => drop(self.resources.insert(address.clone(), (**entry).clone())),
            Change::Remove(address) => drop(self.resources.remove(address)),
            Change::Begin(intent) => self.journal.push((**intent).clone()),
            Change::Settle(id) => self.journal.retain(|it| it.id != *id),
        }
    }
}
