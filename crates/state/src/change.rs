use protocol::Verb;
use serde::{Deserialize, Serialize};

use crate::{Entry, Intent};

/// A change from a snapshot to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Records a resource at an address.
    Put(String, Box<Entry>),
    /// Removes the resource at an address.
    Remove(String),
    /// Records an intent, before its call is sent.
    Begin(Box<Intent>),
    /// Removes the intent of that id, as its outcome is known.
    Settle(String),
}

/// Changes that are written together: all of them or none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// The snapshot's serial after the changes: one more than before.
    pub serial: u64,
    /// The changes, in order.
    pub changes: Vec<Change>,
}

impl Commit {
    /// True if it begins something that may make the state longer.
    pub fn may_grow_state(&self) -> bool {
        let makes = |it: &Change| matches!(it, Change::Begin(intent) if intent.verb != Verb::Destroy);
        self.changes.iter().any(makes)
    }
}
