use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::Waker,
};

use crate::{
    Actor, BackingStore, Clock, Closing, Committed, From, Key, Kind, Options, Query, Resource, Revision,
    Scope, Snapshot, Stats, StoreError, Transaction, View, Watch, Writing, seal::Sealed, state::State,
};

/// The resources of one process. Clones are handles of the same store; when the last is dropped, it is
/// closed.
///
/// A read after a write shows that write, on every handle.
#[derive(Clone)]
pub struct Store {
    handle: Arc<Handle>,
}

/// Closes the store when the last handle is dropped. Watches do not keep it open.
struct Handle(Arc<Shared>);

pub(crate) struct Shared {
    /// Distinguishes bookmarks of different stores.
    pub(crate) number: u64,
    options: Options,
    clock: Arc<dyn Clock>,
    /// Orders writers. Held while the backing store works; `state` is not.
    writer: Mutex<Option<Box<dyn BackingStore>>>,
    /// Held briefly, and never while code of a caller runs.
    state: Mutex<State>,
}

impl Store {
    /// A store that keeps its resources in `backing`, if given, and starts with those it holds.
    ///
    /// # Errors
    /// [`StoreError::InvalidOptions`]; [`StoreError::Backing`] if loading failed.
    pub fn new(
        options: Options,
        clock: Arc<dyn Clock>,
        backing: Option<Box<dyn BackingStore>>,
    ) -> Result<Self, StoreError> {
        options.check()?;
        let mut backing = backing;
        let mut state = State::default();
        if let Some(backing) = &mut backing {
            let counters = backing.load(&mut |resource| state.load(resource));
            let counters = counters.map_err(|why| StoreError::Backing { why })?;
            state.counters.revision = state.counters.revision.max(counters.revision);
            state.counters.uid = state.counters.uid.max(counters.uid);
        }
        Ok(Self::with(options, clock, backing, state))
    }

    /// An empty store in memory only, with the default options.
    pub fn in_memory(clock: Arc<dyn Clock>) -> Self {
        Self::with(Options::default(), clock, None, State::default())
    }

    fn with(
        options: Options,
        clock: Arc<dyn Clock>,
        backing: Option<Box<dyn BackingStore>>,
        state: State,
    ) -> Self {
        let number = options.number.unwrap_or_else(|| number(&*clock));
        let (writer, state) = (Mutex::new(backing), Mutex::new(state));
        Self { handle: Arc::new(Handle(Arc::new(Shared { number, options, clock, writer, state }))) }
    }

    /// A resource.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn get(&self, key: &Key) -> Result<Arc<Resource>, StoreError> {
        let state = self.shared().state();
        state.get(key).cloned().ok_or_else(|| StoreError::NotFound { key: key.clone() })
    }

    /// The resources of a kind that match, by id; none for an unknown kind. Without a query the cost does not
    /// depend on their number; labels and owners are indexed, ids are found by the prefix of their pattern.
    pub fn list(&self, kind: &Kind, query: &Query) -> Snapshot {
        self.shared().candidates(&self.shared().state(), kind, query).filtered(query)
    }

    /// Commits a transaction, all of it or nothing: the only way to write.
    ///
    /// # Errors
    /// The error of the first operation that is refused, before anything happens; [`StoreError::Backing`];
    /// [`StoreError::Cancelled`] once the store is closed.
    pub fn commit(&self, actor: &Actor, transaction: Transaction) -> Result<Committed, StoreError> {
        self.shared().commit(actor, |_| Ok(transaction))
    }

    /// Commits the transaction that `build` makes of what the store holds. No other writer comes between what it reads and
    /// what it writes, so it can check conditions over many resources, also over ones that do not exist.
    ///
    /// `build` runs once, must not write to the store (that would deadlock) and should be quick: other writers wait.
    ///
    /// # Errors
    /// The error of `build`, without any effect; those of [`commit`](Self::commit).
    pub fn commit_with<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        build: impl FnOnce(&Writing<'_>) -> Result<Transaction, E>,
    ) -> Result<Committed, E> {
        self.shared().commit(actor, build)
    }

    /// The whole content at this moment, of all kinds.
    pub fn view(&self) -> View {
        self.shared().state().view()
    }

    /// Watches changes from a starting point on.
    ///
    /// # Errors
    /// [`StoreError::InvalidBookmark`] before any event; [`StoreError::Cancelled`] once the store is closed.
    pub fn watch(&self, scope: Scope, from: From) -> Result<Watch, StoreError> {
        Watch::open(self.shared(), scope, from)
    }

    /// The last commit.
    pub fn revision(&self) -> Revision {
        self.shared().state().revision()
    }

    /// The counts of the store, for people and tests.
    pub fn stats(&self) -> Stats {
        self.shared().state().stats()
    }

    /// The time by the store's clock.
    pub fn now(&self) -> crate::Millis {
        self.shared().clock.now()
    }

    /// Closes it: writers and waiting clients get [`StoreError::Cancelled`], watches end after the changes so
    /// far. It can still be read.
    pub fn close(&self) {
        self.shared().close();
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        self.shared().state().closed
    }

    /// Waits until it is closed, regardless of writes.
    pub fn closing(&self) -> Closing {
        Closing::new(self.shared())
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.handle.0
    }
}

impl Shared {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// A superset of all that match.
    pub(crate) fn candidates(&self, state: &State, kind: &Kind, query: &Query) -> Snapshot {
        match state.kind(kind) {
            Some(collection) => collection.candidates(state.revision(), query),
            None => Snapshot::some(state.revision(), Vec::new()),
        }
    }

    fn commit<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        build: impl FnOnce(&Writing<'_>) -> Result<Transaction, E>,
    ) -> Result<Committed, E> {
        let mut writer = lock(&self.writer);
        let now = self.clock.now();
        let transaction = build(&Writing::new(self, now))?;
        // Only writers change the state, so it is the same when it is locked again.
        let sealed = self.seal(actor, transaction, now)?;
        if !sealed.effective {
            return Ok(sealed.committed);
        }
        if let Some(backing) = &mut *writer {
            let kept = backing.commit(&sealed.changes(), sealed.counters);
            kept.map_err(|why| StoreError::Backing { why })?;
        }
        let woken = self.state().apply(sealed.steps, sealed.counters, &self.options);
        drop(writer);
        woken.into_iter().for_each(Waker::wake);
        Ok(sealed.committed)
    }

    fn seal(
        &self,
        actor: &Actor,
        transaction: Transaction,
        now: crate::Millis,
    ) -> Result<Sealed, StoreError> {
        let state = self.state();
        if state.closed {
            return Err(StoreError::Cancelled);
        }
        Sealed::of(&state, actor, transaction, &self.options, now)
    }

    fn close(&self) {
        let woken = self.state().close();
        woken.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("stats", &self.stats()).finish_non_exhaustive()
    }
}

/// A panic elsewhere leaves nothing half done: the guarded state changes in steps that cannot fail.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number that is unique for each store of a process, and most likely among processes.
fn number(clock: &dyn Clock) -> u64 {
    static STORES: AtomicU64 = AtomicU64::new(1);
    let started = clock.now().0.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    started ^ STORES.fetch_add(1, Ordering::Relaxed)
}
