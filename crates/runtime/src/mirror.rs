use std::{
    collections::{BTreeMap, btree_map::Entry},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::Stream;
use store::{Event, From, Key, Kind, Millis, Phase, Query, Resource, Scope, Store, StoreError, Uid, Watch};

/// The number of events that are read at a time, so that many of them do not delay the host.
const CHUNK: usize = 256;

/// A copy of the resources of a kind as the controllers have received them, and the watch for further
/// changes.
///
/// It holds the resources themselves, shared with the store, so that changes that were missed while a watch
/// lagged are found by comparing, including deletions.
#[derive(Debug)]
pub(crate) struct Mirror {
    kind: Kind,
    watch: Watch,
    known: BTreeMap<Arc<str>, Arc<Resource>>,
    /// The ids received so far while the whole state is sent again.
    named: Vec<Arc<str>>,
    leaving: BTreeMap<Arc<str>, Millis>,
    life: MirrorState,
}

/// The progress of a mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MirrorState {
    /// The initial state is being received. This is no change: readers of the kind start with the existing
    /// resources.
    Opening,
    Open,
    /// The whole state has just been received again.
    Missed,
}

/// A part of the new changes.
pub(crate) struct ChangeBatch {
    pub(crate) changes: Vec<Change>,
    /// True if changes were missed: current differences are among `changes`, but not intermediate states.
    pub(crate) missed: bool,
    pub(crate) then: BatchEnd,
}

/// The state after a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BatchEnd {
    More,
    Wait,
    /// The store was closed.
    Closed,
}

/// The overall change of one resource since the last batch.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) key: Key,
    pub(crate) old: Option<Arc<Resource>>,
    /// The states in between: a run that was woken for another reason may have read one and acted on it.
    pub(crate) between: Vec<Arc<Resource>>,
    pub(crate) new: Option<Arc<Resource>>,
}

impl Mirror {
    pub(crate) fn open(store: &Store, kind: &Kind) -> Result<Self, StoreError> {
        let watch = store.watch(Scope::Kind(kind.clone(), Query::all()), From::State)?;
        let (known, leaving) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { kind: kind.clone(), watch, known, named: Vec::new(), leaving, life: MirrorState::Opening })
    }

    /// The next changes, in the order in which they began; the context's waker is called when there are more.
    pub(crate) fn read(&mut self, cx: &mut Context<'_>) -> ChangeBatch {
        let mut before = PreviousStates::default();
        let mut then = BatchEnd::More;
        for _ in 0..CHUNK {
            match Pin::new(&mut self.watch).poll_next(cx) {
                Poll::Ready(Some(event)) => self.see(event, &mut before),
                Poll::Ready(None) => then = BatchEnd::Closed,
                Poll::Pending => then = BatchEnd::Wait,
            }
            if then != BatchEnd::More {
                break;
            }
        }
        let missed = self.life == MirrorState::Missed;
        self.life = if missed { MirrorState::Open } else { self.life };
        ChangeBatch { changes: self.changes(before), missed, then }
    }

    /// The resources that are tearing down, each with the time since when that is known.
    pub(crate) fn leaving(&self) -> impl Iterator<Item = (&Arc<Resource>, Millis)> {
        self.leaving.iter().filter_map(|(id, since)| Some((self.known.get(id)?, *since)))
    }

    fn see(&mut self, event: Event, before: &mut PreviousStates) {
        match event {
            Event::Init => self.named.clear(),
            Event::InitApply(new) => {
                if self.life != MirrorState::Opening {
                    self.named.push(new.id().clone());
                }
                self.apply(before, new.id().clone(), Some(new));
            }
            Event::InitDone(_) if self.life == MirrorState::Opening => self.life = MirrorState::Open,
            Event::InitDone(_) => {
                self.forget(before);
                self.life = MirrorState::Missed;
            }
            Event::Created { new, .. } | Event::Updated { new, .. } => {
                self.apply(before, new.id().clone(), Some(new));
            }
            Event::Destroyed { last, .. } => self.apply(before, last.id().clone(), None),
            // From here on all differences are changes, even if the initial state was being received.
            Event::Resync(_) => self.life = MirrorState::Open,
            Event::Absent(_) => {}
        }
    }

    fn apply(&mut self, before: &mut PreviousStates, id: Arc<str>, new: Option<Arc<Resource>>) {
        note_leaving(&mut self.leaving, &id, new.as_deref());
        let old = match new {
            Some(new) => self.known.insert(id.clone(), new),
            None => self.known.remove(&id),
        };
        if self.life != MirrorState::Opening {
            before.note(id, old);
        }
    }

    /// Removes resources that were not named when the whole state was sent again. Both are sorted by id.
    fn forget(&mut self, before: &mut PreviousStates) {
        let named = std::mem::take(&mut self.named);
        let mut named = named.iter().peekable();
        let mut is_named = |id: &Arc<str>| {
            while named.next_if(|name| *name < id).is_some() {}
            named.peek().is_some_and(|name| *name == id)
        };
        let gone: Vec<_> = self.known.keys().filter(|id| !is_named(id)).cloned().collect();
        gone.into_iter().for_each(|id| self.apply(before, id, None));
    }

    fn changes(&self, mut before: PreviousStates) -> Vec<Change> {
        let changes = before.order.into_iter().map(|id| {
            let States { old, between } = before.seen.remove(&id).unwrap_or_default();
            Change { key: self.kind.key(id.clone()), old, between, new: self.known.get(&id).cloned() }
        });
        changes.filter(Change::is_one).collect()
    }
}

/// The known states before a batch, in the order in which the batch names them.
#[derive(Default)]
struct PreviousStates {
    order: Vec<Arc<str>>,
    seen: BTreeMap<Arc<str>, States>,
}

#[derive(Default)]
struct States {
    old: Option<Arc<Resource>>,
    between: Vec<Arc<Resource>>,
}

impl PreviousStates {
    fn note(&mut self, id: Arc<str>, replaced: Option<Arc<Resource>>) {
        match self.seen.entry(id.clone()) {
            Entry::Occupied(mut seen) => seen.get_mut().between.extend(replaced),
            Entry::Vacant(entry) => {
                entry.insert(States { old: replaced, between: Vec::new() });
                self.order.push(id);
            }
        }
    }
}

impl Change {
    fn is_one(&self) -> bool {
        let state = |it: &Option<Arc<Resource>>| it.as_ref().map(|it| (it.metadata.uid, it.metadata.version));
        !self.between.is_empty() || state(&self.old) != state(&self.new)
    }

    /// All its states since the last batch, including the current one.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Resource>> {
        self.old.iter().chain(&self.between).chain(&self.new)
    }

    /// True if more than labels and finalizers changed, which justifies another try after a terminal failure.
    pub(crate) fn is_significant(&self) -> bool {
        let old = gist(self.old.as_ref());
        let differs = |it: &Arc<Resource>| gist(Some(it)) != old;
        self.between.iter().any(differs) || gist(self.new.as_ref()) != old
    }

    /// True if one of these owners can destroy it now, or it was destroyed before a notification.
    pub(crate) fn is_ready(&self, own: impl Fn(&Resource) -> bool) -> bool {
        let now = self.new.as_ref().is_some_and(|new| own(new) && new.metadata.destroy_ready());
        let stays = |it: &Resource| self.new.as_ref().is_some_and(|new| new.metadata.uid == it.metadata.uid);
        let last = self.between.last().or(self.old.as_ref());
        now || last.is_some_and(|last| own(last) && !stays(last) && !last.metadata.destroy_ready())
    }
}

/// The first moment counts: later changes are by those who release it.
fn note_leaving(leaving: &mut BTreeMap<Arc<str>, Millis>, id: &Arc<str>, new: Option<&Resource>) {
    match new {
        Some(new) if new.metadata.phase == Phase::TearingDown => {
            leaving.entry(id.clone()).or_insert(new.metadata.updated);
        }
        _ => drop(leaving.remove(id)),
    }
}

fn gist(resource: Option<&Arc<Resource>>) -> Option<(Uid, u64, Phase)> {
    resource.map(|it| (it.metadata.uid, it.metadata.generation, it.metadata.phase))
}
