use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Name;

use super::Versioned;

/// The state of a reader with regard to one owner, as it records it with the copies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Progress<K: Ord> {
    /// The revision of the owner up to which every change is contained in the copies.
    pub complete: u64,
    /// The snapshot that is being read, if changes after `complete` cannot be had.
    pub snapshot: Option<Snapshot<K>>,
    /// The resources that were not copied to the reader any more, each with a revision at which that was so. Only those are
    /// kept that a message may contradict.
    #[serde(with = "crate::pairs", bound(serialize = "K: Serialize"))]
    #[serde(bound(deserialize = "K: Deserialize<'de>"))]
    pub tombstones: BTreeMap<K, u64>,
}

/// A snapshot that is being read, and the changes that are applied meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Snapshot<K> {
    /// The revision that a page must have at least.
    pub oldest: u64,
    /// The revision up to which every change after `oldest` is contained in the copies.
    pub live: u64,
    /// The revision of the newest page that was read.
    pub newest: u64,
    /// The pages that are to be read.
    pub unread: Unread<K>,
}

/// The part of a snapshot that is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unread<K> {
    /// All of it.
    All,
    /// The resources after this one.
    After(K),
    /// Nothing.
    Nothing,
}

/// The copies of a reader, as one transaction reads and changes them.
pub trait Copies<D, K: Ord, V> {
    /// The record about an owner; the default for one from which nothing was read yet.
    fn progress(&self, owner: &D) -> Progress<K>;

    /// Replaces the record.
    fn set_progress(&mut self, owner: &D, progress: Progress<K>);

    /// The revision of the owner that a copy has.
    fn revision(&self, owner: &D, key: &K) -> Option<u64>;

    /// The first `limit` copies after a key up to another one, in order, each with its revision. `None` is before or after all
    /// keys.
    fn range(&self, owner: &D, after: Option<&K>, upto: Option<&K>, limit: usize) -> Vec<(K, u64)>;

    /// Creates or replaces a copy.
    fn save(&mut self, owner: &D, key: &K, copy: Versioned<V>);

    /// Deletes a copy.
    fn delete(&mut self, owner: &D, key: &K);
}

impl<K: Ord> Default for Progress<K> {
    fn default() -> Self {
        Self { complete: 0, snapshot: None, tombstones: BTreeMap::new() }
    }
}

impl<K: Name> Progress<K> {
    /// The revision after which the reader needs changes. It never decreases, and no change up to it is applied again.
    pub fn watched(&self) -> u64 {
        self.snapshot.as_ref().map_or(self.complete, |it| it.live)
    }

    /// The key after which the next page begins; `None` if none is needed.
    pub fn next_page(&self) -> Option<Option<&K>> {
        match &self.snapshot.as_ref()?.unread {
            Unread::All => Some(None),
            Unread::After(key) => Some(Some(key)),
            Unread::Nothing => None,
        }
    }

    /// Notes that the changes between two revisions are contained. Returns false if there is a gap before them.
    pub(super) fn extend(&mut self, after: u64, upto: u64) -> bool {
        let follows = after <= self.watched();
        if follows {
            let watched = self.snapshot.as_mut().map_or(&mut self.complete, |it| &mut it.live);
            *watched = upto.max(*watched);
            self.end_snapshot();
        }
        follows
    }

    /// Begins a snapshot, and changes after a revision.
    pub(super) fn begin_snapshot(&mut self, at: u64) {
        self.snapshot = Some(Snapshot { oldest: at, live: at, newest: at, unread: Unread::All });
    }

    /// True if a page is the next one and not too old.
    pub(super) fn accepts(&self, after: Option<&K>, at: u64) -> bool {
        self.next_page() == Some(after) && self.snapshot.as_ref().is_some_and(|it| it.oldest <= at)
    }

    /// Notes that a page is contained.
    pub(super) fn add_page(&mut self, at: u64, upto: Option<K>) {
        let Some(snapshot) = &mut self.snapshot else { return };
        snapshot.newest = snapshot.newest.max(at);
        snapshot.unread = upto.map_or(Unread::Nothing, Unread::After);
        self.end_snapshot();
    }

    /// Ends the snapshot if all pages were read, and the changes contain what was written meanwhile.
    fn end_snapshot(&mut self) {
        let is_read = |it: &&Snapshot<K>| it.unread == Unread::Nothing && it.newest <= it.live;
        if let Some(snapshot) = self.snapshot.as_ref().filter(is_read) {
            self.complete = snapshot.live;
            self.snapshot = None;
        }
    }

    /// Forgets the tombstones that are not needed, and the oldest others if there are more than `room`: instead of them, pages
    /// that are older are refused. Those after a gap in the changes stay.
    pub(super) fn prune(&mut self, room: usize) {
        self.forget_unneeded();
        let (excess, watched) = (self.tombstones.len().saturating_sub(room), self.watched());
        let mut oldest: Vec<u64> = self.tombstones.values().filter(|it| **it <= watched).copied().collect();
        oldest.sort_unstable();
        let forgotten = oldest.into_iter().take(excess).next_back();
        if let Some((snapshot, forgotten)) = self.snapshot.as_mut().zip(forgotten) {
            snapshot.oldest = forgotten;
            self.forget_unneeded();
        }
    }

    /// Forgets tombstones that no change and no page can contradict any more.
    fn forget_unneeded(&mut self) {
        let (watched, snapshot) = (self.watched(), self.snapshot.as_ref());
        let is_unread =
            |key: &K, revision| snapshot.is_some_and(|it| revision > it.oldest && it.unread.contains(key));
        self.tombstones.retain(|key, revision| *revision > watched || is_unread(key, *revision));
    }
}

impl<K: Ord> Unread<K> {
    fn contains(&self, key: &K) -> bool {
        match self {
            Self::All => true,
            Self::After(last) => key > last,
            Self::Nothing => false,
        }
    }
}
