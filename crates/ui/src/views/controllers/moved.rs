//! The counts that have changed since the view was opened.

use std::collections::BTreeMap;

use super::snapshot::Snapshot;

/// The counts that were there first.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(BTreeMap<String, u64>);

impl Seen {
    /// Takes in a snapshot: a new count starts at its value, and so does one that has restarted.
    pub(super) fn take(&mut self, snapshot: &Snapshot) {
        for edge in &snapshot.edges {
            let first = self.0.entry(edge.id.clone()).or_insert(edge.count);
            *first = (*first).min(edge.count);
        }
    }

    /// True if the count of an edge has moved.
    pub(super) fn moved(&self, edge: &str, count: u64) -> bool {
        self.0.get(edge).is_some_and(|first| *first != count)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::snapshot::*, Seen};

    #[test]
    fn only_what_moves_later_has_moved() {
        let with = |count| {
            let edge = EdgeItem { id: "a".into(), count, ..EdgeItem::default() };
            Snapshot { edges: vec![edge], ..Snapshot::default() }
        };
        let mut seen = Seen::default();
        assert!(!seen.moved("a", 3));
        seen.take(&with(3));
        assert!(!seen.moved("a", 3));
        seen.take(&with(4));
        assert!(seen.moved("a", 4));
        // A runtime that begins again counts from the beginning.
        seen.take(&with(0));
        assert!(!seen.moved("a", 0));
        assert!(seen.moved("a", 1));
    }
}
