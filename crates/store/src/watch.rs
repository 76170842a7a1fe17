use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use futures_core::Stream;

use crate::{
    Bookmark, Event, From, Kind, Position, Query, ResyncReason, Scope, Snapshot, StoreError,
    log::{Entry, Step},
    opening::Opening,
    readers::Reader,
    state::State,
    store::Shared,
};

/// The number of events that are taken from the log at a time, which a slow reader may keep to itself.
const BATCH: usize = 256;

/// A stream of [`Event`]s. It ends when the store is closed, after the changes so far. Dropping it
/// unregisters it.
///
/// It never delays a writer: one that is read so late that the log does not hold its next event any more
/// sends [`Event::Resync`] and the whole state again. Only events of its own kind, and for [`Scope::One`]
/// only those of its own resource, can cause that.
pub struct Watch {
    shared: Arc<Shared>,
    kind: Kind,
    query: Query,
    reader: Reader,
    /// Every event up to this number was read from the log.
    cursor: u64,
    ready: VecDeque<Event>,
    opening: Option<Opening>,
}

/// The next entry of the log for a watch.
enum Next {
    Entries(Vec<Arc<Entry>>),
    /// It was sent the whole state again.
    Restarted,
    Nothing {
        closed: bool,
    },
}

impl Watch {
    pub(crate) fn open(shared: &Arc<Shared>, scope: Scope, from: From) -> Result<Self, StoreError> {
        let (kind, query, id) = match scope {
            Scope::One(key) => (key.kind, Query::all(), Some(key.id)),
            Scope::Kind(kind, query) => (kind, query, None),
        };
        let mut state = shared.state();
        if state.closed {
            return Err(StoreError::Cancelled);
        }
        let cursor = match &from {
            From::Revision(bookmark) => check(bookmark, &kind, &state, shared.number)?,
            From::Now | From::State | From::Tail(_) => state.sequence,
        };
        let reader = Reader { number: state.next_reader(), id };
        let (ready, opening) = (VecDeque::new(), None);
        let mut watch = Self { shared: shared.clone(), kind, query, reader, cursor, ready, opening };
        watch.begin(&mut state, &from);
        Ok(watch)
    }

    /// Registers it, with the events that it sends first.
    fn begin(&mut self, state: &mut State, from: &From) {
        let log = &state.kind_mut(&self.kind).log;
        let mut pending = VecDeque::new();
        match from {
            From::Now => {}
            From::State => self.opening = Some(self.state_now(state)),
            From::Revision(_) => {
                let mine = log.after(self.cursor).filter(|entry| self.is_mine(entry));
                pending.extend(mine.map(|entry| entry.sequence));
            }
            From::Tail(count) => {
                let last = log.after(0).rev().filter_map(|entry| self.event(entry)).take(*count);
                let mut last: VecDeque<Event> = last.collect();
                last.make_contiguous().reverse();
                self.ready = last;
            }
        }
        state.kind_mut(&self.kind).readers.add(&self.reader, pending);
    }

    /// The place after everything that it has sent, also if that is nothing: a watch from there continues this one. `None`
    /// while it sends the state, which ends with a bookmark of its own.
    ///
    /// It moves with what is read, so a watch that nothing matches should be read from time to time, or the log may not
    /// reach back to its bookmark any more.
    pub fn bookmark(&self) -> Option<Bookmark> {
        let next = self.ready.front().and_then(Event::bookmark);
        let sequence = next.map_or(self.cursor, |next| next.at.sequence.saturating_sub(1));
        let here = Bookmark { kind: self.kind.clone(), at: self.position(sequence) };
        self.opening.is_none().then_some(here)
    }

    /// Everything that can be read now, without waiting; a state that is being sent, to its end.
    pub fn batch(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Poll::Ready(Some(event)) = self.poll(None) {
            events.push(event);
        }
        events
    }

    /// Waits until there is something to read, and returns all of it. An empty batch means that the stream
    /// has ended.
    pub fn poll_batch(&mut self, cx: &mut Context<'_>) -> Poll<Vec<Event>> {
        match self.poll(Some(cx.waker())) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(None) => Poll::Ready(Vec::new()),
            Poll::Ready(Some(first)) => {
                let mut events = vec![first];
                events.append(&mut self.batch());
                Poll::Ready(events)
            }
        }
    }

    /// The next event; without a waker, no wake is registered.
    fn poll(&mut self, waker: Option<&Waker>) -> Poll<Option<Event>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Poll::Ready(Some(event));
            }
            if let Some(opening) = &mut self.opening {
                let (event, last) = opening.next(&self.query);
                self.opening = self.opening.take().filter(|_| !last);
                return Poll::Ready(Some(event));
            }
            match self.read(waker) {
                Next::Entries(entries) => {
                    self.ready = entries.iter().filter_map(|entry| self.event(entry)).collect()
                }
                Next::Restarted => {}
                Next::Nothing { closed: true } => return Poll::Ready(None),
                Next::Nothing { closed: false } => return Poll::Pending,
            }
        }
    }

    fn read(&mut self, waker: Option<&Waker>) -> Next {
        let shared = self.shared.clone();
        let mut state = shared.state();
        if self.is_behind(&mut state) {
            self.restart(&mut state);
            return Next::Restarted;
        }
        let entries = self.take(&mut state);
        if !entries.is_empty() {
            return Next::Entries(entries);
        }
        let closed = state.closed;
        let waker = waker.filter(|_| !closed);
        let replaced = waker.and_then(|waker| state.kind_mut(&self.kind).readers.wait(&self.reader, waker));
        drop(state);
        drop(replaced);
        Next::Nothing { closed }
    }

    /// True if the log does not hold its next event any more.
    fn is_behind(&self, state: &mut State) -> bool {
        let collection = state.kind_mut(&self.kind);
        match &self.reader.id {
            None => !collection.log.reaches(self.cursor),
            Some(id) => {
                let single = collection.readers.single(id, self.reader.number);
                single.is_some_and(|single| single.look_back(&collection.log))
            }
        }
    }

    fn restart(&mut self, state: &mut State) {
        self.ready.push_back(Event::Resync(ResyncReason::Lagged));
        self.opening = Some(self.state_now(state));
        self.cursor = state.sequence;
        let readers = &mut state.kind_mut(&self.kind).readers;
        readers.resyncs += 1;
        if let Some(single) = self.reader.id.as_ref().and_then(|id| readers.single(id, self.reader.number)) {
            single.restart();
        }
    }

    fn take(&mut self, state: &mut State) -> Vec<Arc<Entry>> {
        let head = state.sequence;
        let collection = state.kind_mut(&self.kind);
        let Some(id) = &self.reader.id else {
            let entries: Vec<_> = collection.log.after(self.cursor).take(BATCH).cloned().collect();
            self.cursor = if entries.len() < BATCH { head } else { entries[BATCH - 1].sequence };
            return entries;
        };
        let Some(single) = collection.readers.single(id, self.reader.number) else { return Vec::new() };
        let taken: Vec<u64> = single.take(BATCH).collect();
        self.cursor = if taken.len() < BATCH { head } else { taken[BATCH - 1] };
        taken.into_iter().filter_map(|sequence| collection.log.get(sequence).cloned()).collect()
    }

    fn state_now(&self, state: &State) -> Opening {
        let end = Bookmark { kind: self.kind.clone(), at: self.position(state.sequence) };
        let Some(id) = &self.reader.id else {
            return Opening::new(self.shared.candidates(state, &self.kind, &self.query), None, end);
        };
        let key = self.kind.key(id.clone());
        let found = state.get(&key).cloned();
        let absent = found.is_none().then_some(key);
        Opening::new(Snapshot::some(state.revision(), found.into_iter().collect()), absent, end)
    }

    fn position(&self, sequence: u64) -> Position {
        Position { store: self.shared.number, sequence }
    }

    fn is_mine(&self, entry: &Entry) -> bool {
        self.reader.id.as_ref().is_none_or(|id| *id == entry.step.key().id)
    }

    /// The event of a log entry for this watch: a resource that begins to match is created, one that ceases
    /// to match is destroyed.
    fn event(&self, entry: &Entry) -> Option<Event> {
        let at = self.position(entry.sequence);
        match &entry.step {
            _ if !self.is_mine(entry) => None,
            Step::Created(new) => self.query.matches(new).then(|| Event::Created { new: new.clone(), at }),
            Step::Destroyed(last) => {
                self.query.matches(last).then(|| Event::Destroyed { last: last.clone(), at })
            }
            Step::Updated { old, new } => match (self.query.matches(old), self.query.matches(new)) {
                (true, true) => Some(Event::Updated { old: old.clone(), new: new.clone(), at }),
                (false, true) => Some(Event::Created { new: new.clone(), at }),
                (true, false) => Some(Event::Destroyed { last: new.clone(), at }),
                (false, false) => None,
            },
        }
    }
}

/// The number of the event of a bookmark; an error if it is of another kind or store, or the log does not
/// reach back to it.
fn check(bookmark: &Bookmark, kind: &Kind, state: &State, store: u64) -> Result<u64, StoreError> {
    let sequence = bookmark.at.sequence;
    let reaches = || state.kind(kind).is_none_or(|collection| collection.log.reaches(sequence));
    let why = match () {
        () if bookmark.at.store != store => "it is of another store".to_owned(),
        () if bookmark.kind != *kind => format!("it is of kind {}, not {kind}", bookmark.kind),
        () if sequence > state.sequence => "it is newer than the last change".to_owned(),
        () if !reaches() => "the changes after it are no longer kept".to_owned(),
        () => return Ok(sequence),
    };
    Err(StoreError::InvalidBookmark { why })
}

impl Stream for Watch {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        self.get_mut().poll(Some(cx.waker()))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        let replaced = state.kind_mut(&self.kind).readers.remove(&self.reader);
        state.tidy(&self.kind);
        drop(state);
        drop(replaced);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, query, reader) = (&self.kind, &self.query, &self.reader);
        f.debug_struct("Watch")
            .field("kind", kind)
            .field("query", query)
            .field("reader", reader)
            .finish_non_exhaustive()
    }
}
