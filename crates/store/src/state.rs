use std::{collections::BTreeMap, sync::Arc, task::Waker};

use crate::{
    Counters, Key, Kind, Options, Resource, Revision, Stats, Uid, View, collection::Collection, log::Step,
};

/// The content of a store: everything that its lock guards.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) counters: Counters,
    /// The number of the last event.
    pub(crate) sequence: u64,
    /// The revision with which this process began: the logs hold nothing of what was before.
    pub(crate) loaded: Revision,
    kinds: BTreeMap<Kind, Collection>,
    log_bytes: usize,
    readers: u64,
    pub(crate) closed: bool,
    /// The wakers of those who wait for it to be closed.
    pub(crate) closing: BTreeMap<u64, Waker>,
}

impl State {
    pub(crate) fn get(&self, key: &Key) -> Option<&Arc<Resource>> {
        self.kinds.get(&key.kind)?.get(&key.id)
    }

    pub(crate) fn kind(&self, kind: &Kind) -> Option<&Collection> {
        self.kinds.get(kind)
    }

    /// The collection of a kind; call [`tidy`](Self::tidy) if it may stay empty.
    pub(crate) fn kind_mut(&mut self, kind: &Kind) -> &mut Collection {
        self.kinds.entry(kind.clone()).or_default()
    }

    /// Removes a kind without any content.
    pub(crate) fn tidy(&mut self, kind: &Kind) {
        if self.kinds.get(kind).is_some_and(Collection::is_unused) {
            self.kinds.remove(kind);
        }
    }

    pub(crate) fn load(&mut self, resource: Resource) {
        let metadata = &resource.metadata;
        self.counters.uid = self.counters.uid.max(metadata.uid);
        self.counters.revision = self.counters.revision.max(metadata.revision);
        let kind = metadata.key.kind.clone();
        self.kind_mut(&kind).load(Arc::new(resource));
    }

    /// Applies the steps of one commit; returns the wakers to call once the lock is released.
    pub(crate) fn apply(&mut self, steps: Vec<Step>, counters: Counters, options: &Options) -> Vec<Waker> {
        self.counters = counters;
        let mut wake = Vec::new();
        for step in steps {
            self.record(step, options, &mut wake);
        }
        self.trim(options.log_bytes);
        wake
    }

    fn record(&mut self, step: Step, options: &Options, wake: &mut Vec<Waker>) {
        self.sequence += 1;
        let (sequence, revision) = (self.sequence, self.counters.revision);
        let key = step.key().clone();
        let collection = self.kind_mut(&key.kind);
        collection.apply(&step);
        let before = collection.log.bytes();
        collection.log.push(sequence, revision, step);
        while collection.log.len() > options.log_entries {
            collection.log.drop_oldest();
        }
        let after = collection.log.bytes();
        collection.readers.note(&key.id, sequence, &collection.log, wake);
        collection.readers.wake_whole(wake);
        self.log_bytes = self.log_bytes + after - before;
    }

    /// Keeps the total size of all logs under a limit, by dropping entries of the largest.
    fn trim(&mut self, most: usize) {
        while self.log_bytes > most {
            let logs = self.kinds.values_mut().map(|collection| &mut collection.log);
            let Some(longest) = logs.max_by_key(|log| log.bytes()) else { return };
            self.log_bytes -= longest.drop_oldest();
        }
    }

    pub(crate) fn next_reader(&mut self) -> u64 {
        self.readers += 1;
        self.readers
    }

    pub(crate) fn close(&mut self) -> Vec<Waker> {
        self.closed = true;
        let mut wake: Vec<Waker> = std::mem::take(&mut self.closing).into_values().collect();
        self.kinds.values_mut().for_each(|collection| collection.readers.wake_all(&mut wake));
        wake
    }

    pub(crate) fn revision(&self) -> Revision {
        self.counters.revision
    }

    pub(crate) fn uid(&self) -> Uid {
        self.counters.uid
    }

    pub(crate) fn view(&self) -> View {
        let kinds = self.kinds.iter().filter(|(_, collection)| !collection.map().is_empty());
        let maps = kinds.map(|(kind, collection)| (kind.clone(), collection.map().clone()));
        View::new(self.revision(), maps.collect())
    }

    pub(crate) fn stats(&self) -> Stats {
        let kinds = self.kinds.iter().map(|(kind, collection)| (kind.clone(), collection.stats()));
        Stats { revision: self.revision(), kinds: kinds.collect() }
    }
}
