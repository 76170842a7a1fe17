use std::collections::BTreeMap;

use crate::{Kind, Revision};

/// The counts of a store at a moment, for people and tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The last commit.
    pub revision: Revision,
    /// The kinds that have anything.
    pub kinds: BTreeMap<Kind, KindStats>,
}

/// The counts of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindStats {
    /// Resources.
    pub resources: usize,
    /// Past events that are kept.
    pub log_entries: usize,
    /// About how many bytes these keep in memory.
    pub log_bytes: usize,
    /// Watches that are open.
    pub watchers: usize,
    /// Wakers that wait for a change.
    pub waiting: usize,
    /// How often a watch had fallen behind and was shown the state anew.
    pub resyncs: u64,
}

impl Stats {
    /// Watches that are open, of all kinds.
    pub fn watchers(&self) -> usize {
        self.kinds.values().map(|kind| kind.watchers).sum()
    }

    /// How often watches had fallen behind, of all kinds.
    pub fn resyncs(&self) -> u64 {
        self.kinds.values().map(|kind| kind.resyncs).sum()
    }
}
