//! The steps of the owner of resources.

use std::collections::BTreeMap;

use crate::Name;

use super::{Change, Changes, Entry, Page, Reply, Resource, Resync, Source, Versioned};

/// The readers that watch an owner. It is in memory only: after a restart, readers ask again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Watches<D: Ord> {
    /// The revision up to which each reader was sent changes.
    sent: BTreeMap<D, u64>,
    limit: usize,
}

impl<D: Name> Watches<D> {
    /// No readers. `limit` is the number of writes, at least 1, that are read for one message; those of one transaction are
    /// in one message.
    pub const fn new(limit: usize) -> Self {
        Self { sent: BTreeMap::new(), limit }
    }

    /// The revision up to which a reader was sent changes; `None` if it does not watch.
    pub fn sent(&self, reader: &D) -> Option<u64> {
        self.sent.get(reader).copied()
    }

    /// Begins to send changes to a reader, after a revision or, if the log does not reach back to that, from now on.
    pub fn watch<K: Name, V>(&mut self, source: &dyn Source<D, K, V>, reader: &D, after: u64) -> Reply<K, V> {
        let (upto, reply) = if after < source.log_start() {
            let at = source.revision();
            (at, Reply::Resync(Resync { asked: after, at }))
        } else {
            let changes = self.changes(source, reader, after);
            (changes.upto, Reply::Changes(changes))
        };
        self.sent.insert(reader.clone(), upto);
        reply
    }

    /// The next message to a reader that watches. Without changes it is one that says so, which has to be sent from time to
    /// time, because a reader to which nothing is sent asks again.
    pub fn next<K: Name, V>(&mut self, source: &dyn Source<D, K, V>, reader: &D) -> Option<Reply<K, V>> {
        let sent = self.sent(reader)?;
        Some(self.watch(source, reader, sent))
    }

    fn changes<K: Name, V>(&self, source: &dyn Source<D, K, V>, reader: &D, after: u64) -> Changes<K, V> {
        let mut rest = source.log(after).peekable();
        let mut entries: Vec<Entry<D, K, V>> = Vec::new();
        let limit = self.limit.max(1);
        // Writes of one transaction stay together.
        while let Some(entry) = rest.next_if(|it| {
            entries.len() < limit || entries.last().is_some_and(|last| last.revision == it.revision)
        }) {
            entries.push(entry);
        }
        let last = rest.peek().and(entries.last()).map(|it| it.revision);
        let upto = last.unwrap_or_else(|| source.revision());
        let changes = entries.into_iter().filter_map(|it| change(it, reader)).collect();
        Changes { after, upto, changes }
    }
}

/// A write as a reader sees it: `None` if the resource was not copied to it before and is not now.
fn change<D: Name, K, V>(entry: Entry<D, K, V>, reader: &D) -> Option<Change<K, V>> {
    let value = entry.new.filter(|it| it.regions.contains(reader)).map(|it| it.value);
    let concerns = value.is_some() || entry.old_regions.contains(reader);
    concerns.then_some(Change { key: entry.key, revision: entry.revision, value })
}

/// A page of a snapshot for a reader, with at most `limit` resources, but at least 1 if there are any.
pub fn page<D: Name, K: Name, V>(
    source: &dyn Source<D, K, V>,
    reader: &D,
    after: Option<&K>,
    limit: usize,
) -> Reply<K, V> {
    let limit = limit.max(1);
    let versioned = |it: Resource<D, V>| Versioned { revision: it.revision, value: it.value };
    let copied = source.resources(after).filter(|(_, it)| it.regions.contains(reader));
    let resources: BTreeMap<K, _> = copied.take(limit).map(|(key, it)| (key, versioned(it))).collect();
    let upto = resources.keys().next_back().filter(|_| resources.len() >= limit).cloned();
    Reply::Page(Page { after: after.cloned(), upto, at: source.revision(), resources })
}
