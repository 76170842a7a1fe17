use std::sync::Arc;

use crate::{Key, Kind, Millis, Query, Resource, Revision, Snapshot, overlay::Overlay, store::Shared};

/// The store as the only writer sees it: nothing changes until the transaction that is being built has been committed.
///
/// It is what [`Store::commit_with`](crate::Store::commit_with) and [`Store::submit`](crate::Store::submit) pass on. It
/// contains what was submitted before, also what readers do not see yet because it is still being written. Others read
/// and watch meanwhile; writing to the store from there would deadlock.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    shared: &'a Shared,
    overlay: &'a Overlay,
    now: Millis,
}

impl<'a> Writing<'a> {
    pub(crate) fn new(shared: &'a Shared, overlay: &'a Overlay, now: Millis) -> Self {
        Self { shared, overlay, now }
    }

    /// A resource, if there is one.
    pub fn get(&self, key: &Key) -> Option<Arc<Resource>> {
        self.overlay.on(&self.shared.state()).get(key).cloned()
    }

    /// As [`Store::list`](crate::Store::list); labels and owners are indexed.
    pub fn list(&self, kind: &Kind, query: &Query) -> Snapshot {
        let kept = self.shared.candidates(&self.shared.state(), kind, query).filtered(query);
        self.overlay.list(kept, kind, query)
    }

    /// The last commit. The one that is being built, if it has an effect, is the next.
    pub fn revision(&self) -> Revision {
        self.overlay.on(&self.shared.state()).revision()
    }

    /// The time that the transaction has.
    pub fn now(&self) -> Millis {
        self.now
    }
}

impl std::fmt::Debug for Writing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writing").field("now", &self.now).finish_non_exhaustive()
    }
}
