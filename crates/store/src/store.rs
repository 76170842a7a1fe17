use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::Waker,
};

use crate::{
    Actor, BackingStore, ChangeLog, Clock, Closing, Committed, From, Key, Kind, Options, Query, Resource,
    Revision, Scope, Snapshot, Stats, StoreError, Submission, Transaction, View, Watch, Writer, Writing,
    overlay::Overlay,
    queue::{Place, Queue},
    seal::Sealed,
    state::State,
    writer::Signal,
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
    /// Orders writers. Held while transactions are built, and while the backing store works, unless that
    /// belongs to a writer; `state` is not. It is locked before `state`.
    queue: Mutex<Queue>,
    pub(crate) signal: Signal,
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
        let state = backing.as_mut().map_or(Ok(State::default()), |it| loaded(&mut **it))?;
        Ok(Self::with(options, clock, backing.map_or(Place::Memory, Place::Backing), state))
    }

    /// A store whose writes are up to a [`Writer`], which has to be [run](Writer::run) in a thread of its own:
    /// transactions that are submitted while it writes are then written together.
    ///
    /// [`commit`](Self::commit) waits for the writer. It must not be called in the writer's thread.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn with_writer(
        options: Options,
        clock: Arc<dyn Clock>,
        mut backing: Box<dyn BackingStore>,
    ) -> Result<(Self, Writer), StoreError> {
        options.check()?;
        let state = loaded(&mut *backing)?;
        let store = Self::with(options, clock, Place::Writer(backing.check()), state);
        let writer = Writer::new(store.shared().clone(), backing);
        Ok((store, writer))
    }

    /// An empty store in memory only, with the default options.
    pub fn in_memory(clock: Arc<dyn Clock>) -> Self {
        Self::with(Options::default(), clock, Place::Memory, State::default())
    }

    fn with(options: Options, clock: Arc<dyn Clock>, place: Place, state: State) -> Self {
        let number = options.number.unwrap_or_else(|| number(&*clock));
        let (queue, state) = (Mutex::new(Queue::new(place)), Mutex::new(state));
        let signal = Signal::default();
        Self { handle: Arc::new(Handle(Arc::new(Shared { number, options, clock, queue, signal, state }))) }
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
        self.shared().submit(actor, |_| Ok(transaction)).wait()
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
        self.shared().submit(actor, build).wait()
    }

    /// Submits the transaction that `build` makes of what the store holds, as [`commit_with`](Self::commit_with)
    /// does, and returns without waiting until it is kept.
    ///
    /// Transactions are in the order of these calls, and each is built on the result of those before it, before
    /// they are kept. Its own result, even an error, is ready when all that it was built on is kept; readers see
    /// it from then on. Without a [`Writer`] the call itself writes, and the result is ready.
    ///
    /// # Errors
    /// Those of `commit_with`, once it is ready; [`StoreError::Invalid`] if the backing store of a writer can never keep
    /// it. If a write fails, the transactions in it fail, and those that
    /// were built on them and not yet written: all with the same [`StoreError::Backing`], and without any effect.
    pub fn submit<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        build: impl FnOnce(&Writing<'_>) -> Result<Transaction, E>,
    ) -> Submission<E> {
        self.shared().submit(actor, build)
    }

    /// The whole content at this moment, of all kinds.
    pub fn view(&self) -> View {
        self.shared().state().view()
    }

    /// The changes of some kinds after a revision: whole commits, until there are `limit` changes. Only those that are kept are
    /// among them.
    pub fn changes(&self, kinds: &[Kind], after: Revision, limit: usize) -> ChangeLog {
        ChangeLog::read(&self.shared().state(), kinds, after, limit)
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

    /// True if it is closed.
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

    pub(crate) fn queue(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }

    fn submit<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        build: impl FnOnce(&Writing<'_>) -> Result<Transaction, E>,
    ) -> Submission<E> {
        let mut queue = self.queue();
        let now = self.clock.now();
        // Only writers change the state, so it is the same when it is locked again.
        let transaction = build(&Writing::new(self, &queue.overlay, now));
        let sealed = transaction.and_then(|it| Ok(self.seal(&queue.overlay, actor, it, now)?));
        match sealed {
            Ok(sealed) if sealed.effective => self.keep(queue, sealed),
            other => queue.answer(other.map(|it| it.committed)),
        }
    }

    fn keep<E: std::convert::From<StoreError>>(
        &self,
        mut queue: MutexGuard<'_, Queue>,
        sealed: Sealed,
    ) -> Submission<E> {
        let commit = sealed.commit();
        let kept = match &mut queue.place {
            Place::Memory | Place::Writer(None) => Ok(()),
            Place::Backing(backing) => {
                backing.commit(&commit.changes, commit.counters).map_err(|why| StoreError::Backing { why })
            }
            Place::Writer(Some(check)) => {
                check(&commit.changes).map_err(|why| StoreError::invalid("transaction", why))
            }
        };
        if let Err(error) = kept {
            return queue.answer(Err(error.into()));
        }
        if let Place::Writer(_) = queue.place {
            let submission = queue.push(sealed, commit);
            drop(queue);
            self.signal.set();
            return submission;
        }
        let woken = self.state().apply(sealed.steps, sealed.counters, &self.options);
        drop(queue);
        woken.into_iter().for_each(Waker::wake);
        Submission::ready(Ok(sealed.committed))
    }

    fn seal(
        &self,
        overlay: &Overlay,
        actor: &Actor,
        transaction: Transaction,
        now: crate::Millis,
    ) -> Result<Sealed, StoreError> {
        let state = self.state();
        if state.closed {
            return Err(StoreError::Cancelled);
        }
        Sealed::of(overlay.on(&state), actor, transaction, &self.options, now)
    }

    /// Makes the first pending transactions visible, of which the writer has kept that many, or fails all that are
    /// pending. Returns the wakers to call once the locks are released.
    pub(crate) fn settle(&self, kept: Result<usize, StoreError>) -> Vec<Waker> {
        let mut queue = self.queue();
        let mut woken = Vec::new();
        match kept {
            Ok(mut kept) => {
                while let Some(first) = queue.pop(&mut kept) {
                    if let Some((commit, steps)) = first.change {
                        woken.extend(self.state().apply(steps, commit.counters, &self.options));
                    }
                    woken.extend(first.ticket.settle(Ok(())));
                }
            }
            Err(error) => {
                woken.extend(queue.fail().iter().filter_map(|it| it.ticket.settle(Err(error.clone()))));
            }
        }
        woken
    }

    pub(crate) fn close(&self) {
        let woken = self.state().close();
        self.signal.set();
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

/// The state with what a backing store holds.
fn loaded(backing: &mut dyn BackingStore) -> Result<State, StoreError> {
    let mut state = State::default();
    let counters = backing.load(&mut |resource| state.load(resource));
    let counters = counters.map_err(|why| StoreError::Backing { why })?;
    state.counters.revision = state.counters.revision.max(counters.revision);
    state.counters.uid = state.counters.uid.max(counters.uid);
    state.loaded = state.counters.revision;
    Ok(state)
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
