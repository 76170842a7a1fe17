use protocol::Verb;
use serde::{Deserialize, Serialize};

use crate::{Entry, Intent};

/// One step from a snapshot to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The resource of an address is this from now on.
    Put(String, Box<Entry>),
    /// It is not recorded any more.
    Remove(String),
    /// This is about to be done.
    Begin(Box<Intent>),
    /// It is known what came of the intent of that id.
    Settle(String),
}

/// Changes that are kept together: all of them or none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// The snapshot's serial after them: one more than before.
    pub serial: u64,
    /// The changes, in order.
    pub changes: Vec<Change>,
}

impl Commit {
    /// Whether something is begun that may make the state longer.
    pub fn may_grow_state(&self) -> bool {
        let makes = |it: &Change| matches!(it, Change::Begin(intent) if intent.verb != Verb::Destroy);
        self.changes.iter().any(makes)
    }
}
