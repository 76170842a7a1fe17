use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    task::Waker,
};

use crate::log::Log;

/// The open watches of one kind, with their wakers.
///
/// Those of a whole kind keep their own place in the log. Those of one resource are found by its id and have
/// their events recorded, so that neither commit nor read visits anything that does not concern them.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    whole: BTreeMap<u64, Option<Waker>>,
    single: BTreeMap<Arc<str>, BTreeMap<u64, Single>>,
    pub(crate) resyncs: u64,
}

/// The watch of one resource.
#[derive(Debug, Default)]
pub(crate) struct Single {
    waker: Option<Waker>,
    /// The log entries that are its next events. Never more than the log holds.
    pending: VecDeque<u64>,
    /// True if one of its next events is not in the log any more.
    lagged: bool,
}

/// A watch.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    pub(crate) number: u64,
    /// The id of the only watched resource; `None` for the whole kind.
    pub(crate) id: Option<Arc<str>>,
}

/// The replaced waker: to be dropped after unlocking, because it may own a task that owns a watch.
pub(crate) type Replaced = Option<Waker>;

impl Readers {
    pub(crate) fn add(&mut self, reader: &Reader, pending: VecDeque<u64>) {
        match &reader.id {
            None => drop(self.whole.insert(reader.number, None)),
            Some(id) => {
                let single = Single { pending, ..Single::default() };
                self.single.entry(id.clone()).or_default().insert(reader.number, single);
            }
        }
    }

    pub(crate) fn remove(&mut self, reader: &Reader) -> Replaced {
        let Some(id) = &reader.id else { return self.whole.remove(&reader.number).flatten() };
        let of = self.single.get_mut(id)?;
        let removed = of.remove(&reader.number);
        if of.is_empty() {
            self.single.remove(id);
        }
        removed?.waker
    }

    /// Records an event for the watches of its id.
    pub(crate) fn note(&mut self, id: &str, sequence: u64, log: &Log, wake: &mut Vec<Waker>) {
        for single in self.single.get_mut(id).into_iter().flat_map(BTreeMap::values_mut) {
            single.note(sequence, log);
            wake.extend(single.waker.take());
        }
    }

    /// Wakes the watches of the whole kind.
    pub(crate) fn wake_whole(&mut self, wake: &mut Vec<Waker>) {
        wake.extend(self.whole.values_mut().filter_map(Option::take));
    }

    /// Wakes all watches.
    pub(crate) fn wake_all(&mut self, wake: &mut Vec<Waker>) {
        self.wake_whole(wake);
        let singles = self.single.values_mut().flat_map(BTreeMap::values_mut);
        wake.extend(singles.filter_map(|single| single.waker.take()));
    }

    pub(crate) fn single(&mut self, id: &str, number: u64) -> Option<&mut Single> {
        self.single.get_mut(id)?.get_mut(&number)
    }

    /// Sets the waker for the reader's next event.
    pub(crate) fn wait(&mut self, reader: &Reader, waker: &Waker) -> Replaced {
        let place = match &reader.id {
            None => self.whole.get_mut(&reader.number)?,
            Some(id) => &mut self.single.get_mut(id)?.get_mut(&reader.number)?.waker,
        };
        match place {
            Some(there) if there.will_wake(waker) => None,
            _ => place.replace(waker.clone()),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.whole.len() + self.single.values().map(BTreeMap::len).sum::<usize>()
    }

    pub(crate) fn waiting(&self) -> usize {
        let singles = self.single.values().flat_map(BTreeMap::values);
        self.whole.values().flatten().count() + singles.filter(|single| single.waker.is_some()).count()
    }
}

impl Single {
    fn note(&mut self, sequence: u64, log: &Log) {
        self.look_back(log);
        if !self.lagged {
            self.pending.push_back(sequence);
        }
    }

    /// True if the log does not hold its next event any more.
    pub(crate) fn look_back(&mut self, log: &Log) -> bool {
        self.lagged |= self.pending.front().is_some_and(|first| log.get(*first).is_none());
        if self.lagged {
            self.pending.clear();
        }
        self.lagged
    }

    /// Starts again from the stored state.
    pub(crate) fn restart(&mut self) {
        self.lagged = false;
        self.pending.clear();
    }

    pub(crate) fn take(&mut self, most: usize) -> impl Iterator<Item = u64> {
        self.pending.drain(..most.min(self.pending.len()))
    }
}
