use std::collections::BTreeMap;

use crate::{Kind, Revision};

/// The counts of a store at one time, for people and tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The last commit.
    pub revision: Revision,
    /// The kinds with any content.
    pub kinds: BTreeMap<Kind, KindStats>,
}

/// The counts of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindStats {
    /// The number of resources.
    pub resources: usize,
    /// The number of past events that are kept.
    pub log_entries: usize,
    /// Their approximate size in memory, in bytes.
    pub log_bytes: usize,
    /// The number of open watches.
    pub watchers: usize,
    /// The number of wakers that wait for a change.
    pub waiting: usize,
    /// The number of times that a watch had fallen behind and was sent the whole state again.
    pub resyncs: u64,
}

impl Stats {
    /// The number of open watches, of all kinds.
    pub fn watchers(&self) -> usize {
        self.kinds.values().map(|kind| kind.watchers).sum()
    }

    /// The number of times that watches had fallen behind, of all kinds.
    pub fn resyncs(&self) -> u64 {
        self.kinds.values().map(|kind| kind.resyncs).sum()
    }
}
