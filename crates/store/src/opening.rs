use crate::{Bookmark, Event, Key, Query, Snapshot, snapshot::SnapshotCursor};

/// The state that a watch sends, resource by resource.
#[derive(Debug)]
pub(crate) struct Opening {
    snapshot: Snapshot,
    place: SnapshotCursor,
    /// The key of the only watched resource, if it does not exist.
    absent: Option<Key>,
    begun: bool,
    end: Bookmark,
}

impl Opening {
    pub(crate) fn new(snapshot: Snapshot, absent: Option<Key>, end: Bookmark) -> Self {
        Self { snapshot, place: SnapshotCursor::default(), absent, begun: false, end }
    }

    /// The next event, and whether it is the last.
    pub(crate) fn next(&mut self, query: &Query) -> (Event, bool) {
        if !self.begun {
            self.begun = true;
            return (Event::Init, false);
        }
        while let Some(resource) = self.snapshot.next(&mut self.place) {
            if query.matches(resource) {
                return (Event::InitApply(resource.clone()), false);
            }
        }
        match self.absent.take() {
            Some(key) => (Event::Absent(key), false),
            None => (Event::InitDone(self.end.clone()), true),
        }
    }
}
