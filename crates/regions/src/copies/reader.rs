//! The steps of a reader of resources of another region.

use crate::Name;

use super::{Change, Changes, Copies, Page, Progress, Reply, Request, Resync, Versioned};

/// The bounds of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limits {
    /// The number of tombstones for which changes after a gap have room. Changes without room count as lost.
    pub tombstones: usize,
    /// The number of copies, at least 1, that are compared with a page in one transaction. The rest of the range of the page
    /// is read again.
    pub copies: usize,
    /// The time after which a request is sent again, in milliseconds.
    pub patience: i64,
}

/// The reader of one owner. It is in memory only: all that must not be lost is in [`Progress`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reader<D> {
    owner: D,
    limits: Limits,
    /// The time at which changes are asked for again.
    watch_at: i64,
    /// The time at which the next page is asked for, or asked for again.
    page_at: i64,
}

impl<D: Name> Reader<D> {
    /// A reader that has asked for nothing. `now` is in milliseconds.
    pub const fn new(owner: D, limits: Limits, now: i64) -> Self {
        Self { owner, limits, watch_at: now, page_at: now }
    }

    /// The requests that are due. They are derived from the record and sent again until the replies have changed it.
    pub fn requests<K: Name>(&mut self, progress: &Progress<K>, now: i64) -> Vec<Request<K>> {
        let again = now.saturating_add(self.limits.patience);
        let mut requests = Vec::new();
        if self.watch_at <= now {
            self.watch_at = again;
            requests.push(Request::Watch { after: progress.watched() });
        }
        if let Some(after) = progress.next_page().filter(|_| self.page_at <= now) {
            self.page_at = again;
            requests.push(Request::Page { after: after.cloned() });
        }
        requests
    }

    /// Takes a message of the owner, in one transaction. One that is late, or came before, does no harm.
    pub fn take<K: Name, V: Clone>(
        &mut self,
        copies: &mut dyn Copies<D, K, V>,
        reply: &Reply<K, V>,
        now: i64,
    ) {
        let before = copies.progress(&self.owner);
        let after = match reply {
            Reply::Changes(changes) => self.take_changes(copies, &before, changes),
            Reply::Resync(resync) => self.take_resync(&before, *resync),
            Reply::Page(page) => self.take_page(copies, &before, page),
        };
        self.reschedule(reply, &before, &after, now);
        if after != before {
            copies.set_progress(&self.owner, after);
        }
    }

    /// Asks for the next page at once, and for changes if some are missing.
    fn reschedule<K: Name, V>(
        &mut self,
        reply: &Reply<K, V>,
        before: &Progress<K>,
        after: &Progress<K>,
        now: i64,
    ) {
        match reply {
            Reply::Changes(it) if it.after > after.watched() => self.watch_at = now,
            Reply::Changes(_) => self.watch_at = now.saturating_add(self.limits.patience),
            Reply::Resync(_) | Reply::Page(_) if before != after => self.page_at = now,
            Reply::Resync(_) | Reply::Page(_) => {}
        }
    }

    fn take_changes<K: Name, V: Clone>(
        &self,
        copies: &mut dyn Copies<D, K, V>,
        before: &Progress<K>,
        changes: &Changes<K, V>,
    ) -> Progress<K> {
        let mut after = before.clone();
        let follows = after.extend(changes.after, changes.upto);
        if !follows && !self.has_room(before, changes) {
            return after;
        }
        for change in &changes.changes {
            let known = self.known(copies, &after, &change.key).max(before.watched());
            if known < change.revision {
                self.apply(copies, &mut after, change);
            }
        }
        after.prune(self.limits.tombstones);
        after
    }

    /// True if there is room for the tombstones of changes after a gap.
    fn has_room<K: Name, V>(&self, before: &Progress<K>, changes: &Changes<K, V>) -> bool {
        let needed = changes.changes.iter().filter(|it| it.value.is_none()).count();
        before.tombstones.len().saturating_add(needed) <= self.limits.tombstones
    }

    /// The revision at which the state of one resource is known, by its copy or its tombstone.
    fn known<K: Name, V>(&self, copies: &dyn Copies<D, K, V>, progress: &Progress<K>, key: &K) -> u64 {
        let deleted = progress.tombstones.get(key).copied();
        copies.revision(&self.owner, key).max(deleted).unwrap_or(0)
    }

    fn apply<K: Name, V: Clone>(
        &self,
        copies: &mut dyn Copies<D, K, V>,
        progress: &mut Progress<K>,
        change: &Change<K, V>,
    ) {
        let Change { key, revision, value } = change;
        match value.clone() {
            Some(value) => {
                progress.tombstones.remove(key);
                copies.save(&self.owner, key, Versioned { revision: *revision, value });
            }
            None => {
                progress.tombstones.insert(key.clone(), *revision);
                copies.delete(&self.owner, key);
            }
        }
    }

    fn take_page<K: Name, V: Clone>(
        &self,
        copies: &mut dyn Copies<D, K, V>,
        before: &Progress<K>,
        page: &Page<K, V>,
    ) -> Progress<K> {
        let mut after = before.clone();
        if !before.accepts(page.after.as_ref(), page.at) {
            return after;
        }
        let limit = self.limits.copies.max(1);
        let there = copies.range(&self.owner, page.after.as_ref(), page.upto.as_ref(), limit);
        let cut = there.last().filter(|_| there.len() >= limit).map(|(key, _)| key.clone());
        for change in self.missing(copies, before, page).into_iter().chain(superfluous(there, page)) {
            self.apply(copies, &mut after, &change);
        }
        after.add_page(page.at, cut.or_else(|| page.upto.clone()));
        after.prune(self.limits.tombstones);
        after
    }

    /// The resources of a page whose copies are missing, or older.
    fn missing<K: Name, V: Clone>(
        &self,
        copies: &dyn Copies<D, K, V>,
        progress: &Progress<K>,
        page: &Page<K, V>,
    ) -> Vec<Change<K, V>> {
        let newer = page.resources.iter().filter(|(key, it)| self.known(copies, progress, key) < it.revision);
        let change = |(key, it): (&K, &Versioned<V>)| Change {
            key: key.clone(),
            revision: it.revision,
            value: Some(it.value.clone()),
        };
        newer.map(change).collect()
    }

    /// Begins a snapshot, if changes that are missing cannot be had.
    fn take_resync<K: Name>(&self, before: &Progress<K>, resync: Resync) -> Progress<K> {
        let mut after = before.clone();
        if resync.asked == before.watched() {
            after.begin_snapshot(resync.at);
            after.prune(self.limits.tombstones);
        }
        after
    }
}

/// The copies that the page does not have, except those that were changed after it was read.
fn superfluous<K: Name, V>(there: Vec<(K, u64)>, page: &Page<K, V>) -> impl Iterator<Item = Change<K, V>> {
    let gone = |(key, revision): &(K, u64)| *revision <= page.at && !page.resources.contains_key(key);
    let change = |(key, _)| Change { key, revision: page.at, value: None };
    there.into_iter().filter(gone).map(change)
}
