use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use store::{Actor, Key, Query, Store, StoreError};

use crate::{
    Agreements, Clearing, Deletion, DeletionPreview, Flags, InstanceMap, Instances, IntegrityError, Level,
    Outcome, Plugins, Rules, Session, Submitted, Via, Work,
    commit::Commit,
    owners,
    session::{Reads, Write},
    stored::{self, Stored},
    work,
};

/// The number of attempts to run a transaction when others commit first.
const ATTEMPTS: usize = 10;

/// Reads and writes of a store in which references hold. Clones share everything.
///
/// All writes of the store have to go through it, or through a clone with the same rules.
#[derive(Clone)]
pub struct Transactions(Arc<Shared>, Option<Arc<str>>);

struct Shared {
    store: Store,
    rules: Rules,
    plugins: Plugins,
    flags: Flags,
    /// The number of commits that were begun.
    commits: AtomicU64,
}

impl Transactions {
    /// Over a store, which may have resources already.
    pub fn new(store: Store, rules: Rules, plugins: Plugins, flags: Flags) -> Self {
        let commits = AtomicU64::new(0);
        Self(Arc::new(Shared { store, rules, plugins, flags, commits }), None)
    }

    /// The same, for a user: plugins see the name.
    #[must_use]
    pub fn by(&self, user: Option<Arc<str>>) -> Self {
        Self(self.0.clone(), user)
    }

    /// Runs a transaction and commits it; up to ten times, if others change what it has read. With [`Level::Manual`], runs
    /// it once, and a transaction that it has left open is dropped. `body` may run more than once and should only depend on
    /// what it reads.
    ///
    /// # Errors
    /// Those of `body`, without any effect; those of [`Session::commit`].
    pub fn run<T, E: From<IntegrityError>>(
        &self,
        level: Level,
        mut body: impl FnMut(&mut Session) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut attempt = 1;
        loop {
            let mut session = Session::new(self.clone(), level, false);
            let result = body(&mut session)?;
            let committed =
                if level == Level::Snapshot && session.is_open() { session.commit() } else { Ok(()) };
            match committed {
                Ok(()) => return Ok(result),
                Err(error) if error.is_aborted() && attempt < ATTEMPTS => attempt += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Opens a transaction whose commit is the caller's.
    pub fn begin(&self) -> Session {
        Session::new(self.clone(), Level::Snapshot, false)
    }

    /// Opens a transaction that only reads, from one state. Its commit succeeds if nothing that was read has changed.
    pub fn begin_read_only(&self) -> Session {
        Session::new(self.clone(), Level::Snapshot, true)
    }

    /// Everything that is stored, at one moment.
    pub fn instances(&self) -> InstanceMap {
        let mut map = InstanceMap::new(self.0.rules.clone());
        let view = self.0.store.view();
        for kind in self.0.rules.model.kinds() {
            for resource in &view.list(&kind.kind, &Query::all()) {
                map.insert(resource.key().clone(), Arc::new(resource.spec.value()));
            }
        }
        stored::gone(&view.list(&stored::gone_kind(), &Query::all()))
            .iter()
            .for_each(|key| map.set_gone(key, true));
        map
    }

    /// The effects of a deletion now, and of its asynchronous work afterwards.
    pub fn preview(&self, roots: &[Key]) -> DeletionPreview {
        DeletionPreview::of(&self.instances(), roots)
    }

    /// The asynchronous work that earlier deletions left, in order; see [`work::pending`]. It includes that of deletions
    /// that are submitted and not yet kept.
    pub fn pending(&self) -> Vec<Work> {
        self.reading(|stored| {
            let mut work = work::pending(stored);
            work.extend(self.expired(stored).into_iter().map(Work::Expire));
            work
        })
    }

    /// The references to owners that have had time to be acknowledged, and were not.
    fn expired(&self, stored: &Stored<'_>) -> Vec<Clearing> {
        let owned = stored.with_label(stored::OWNED).into_iter().filter(|key| stored.is_active(key));
        let links = owned
            .flat_map(|key| stored.dependencies(&key))
            .filter(|link| matches!(link.via, Via::Owner { .. }));
        let clearings = links.filter_map(|link| Clearing::of(&link));
        clearings.filter(|clearing| self.is_expired(stored, clearing)).collect()
    }

    fn is_expired(&self, stored: &Stored<'_>, clearing: &Clearing) -> bool {
        let since = stored.owned_since(&clearing.referrer, &clearing.target);
        since.is_some_and(|since| stored.now().0.saturating_sub(since.0) >= self.0.flags.owner_grace)
            && owners::is_unacknowledged(stored, &clearing.referrer, &clearing.target)
    }

    /// Does the first work that is not blocked; `None` if there is none.
    ///
    /// # Errors
    /// A plugin's veto, and those of the store; nothing happened.
    pub fn step(&self) -> Result<Option<(Work, Deletion)>, IntegrityError> {
        for work in self.pending() {
            if let Outcome::Done(done) = self.perform(&work)? {
                return Ok(Some((work, done)));
            }
        }
        Ok(None)
    }

    /// Does all work that is pending now, as far as possible, each in a transaction of its own, and not the work that follows
    /// from it.
    ///
    /// # Errors
    /// As [`step`](Self::step); the work that was done before it remains.
    pub fn wave(&self) -> Result<Vec<(Work, Deletion)>, IntegrityError> {
        let mut wave = Vec::new();
        for work in self.pending() {
            if let Outcome::Done(done) = self.perform(&work)? {
                wave.push((work, done));
            }
        }
        Ok(wave)
    }

    /// Does some work, if it is still there and not blocked.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn perform(&self, work: &Work) -> Result<Outcome, IntegrityError> {
        let (outcome, submitted) = self.submit_work(work);
        submitted.wait()?;
        Ok(outcome)
    }

    /// Submits some work, if it is still there and not blocked, as [`submit`](Self::submit) does. The outcome is that
    /// which it has if the submission succeeds.
    pub fn submit_work(&self, work: &Work) -> (Outcome, Submitted<IntegrityError>) {
        self.submit_agreed_work(&Agreements::default(), work)
    }

    /// The same, for what other deployments have agreed to.
    pub fn submit_agreed_work(
        &self,
        agreements: &Agreements,
        work: &Work,
    ) -> (Outcome, Submitted<IntegrityError>) {
        let mut outcome = Outcome::Obsolete;
        let submitted = self.submit_agreed(agreements, |commit| {
            outcome = match work {
                Work::Expire(clearing) if self.is_expired(commit.stored(), clearing) => {
                    owners::outcome(commit.rules(), commit.overlay(), clearing)
                }
                _ => work::outcome(commit.rules(), commit.overlay(), work),
            };
            if let Outcome::Done(deletion) = &outcome {
                work::apply(commit.overlay_mut(), deletion);
            }
            Ok(())
        });
        (outcome, submitted)
    }

    pub(crate) fn commit(&self, reads: &Reads, writes: &[(Key, Write)]) -> Result<(), IntegrityError> {
        let submitted = self.submit(|commit| {
            commit.validate(self, reads)?;
            commit.stage(writes)
        });
        submitted.wait().map(drop)
    }

    /// Submits a transaction, and returns without waiting until it is kept: as [`store::Store::submit`], whose results
    /// are in the order of submissions, so that many of them can be written together.
    ///
    /// `body` runs at once and once. It reads everything that was submitted before, also if it is not kept yet; no other writer
    /// comes between its reads and its writes, so it is never tried again. It must not write to the store.
    pub fn submit<E: From<IntegrityError> + From<StoreError>>(
        &self,
        body: impl FnOnce(&mut Commit<'_>) -> Result<(), E>,
    ) -> Submitted<E> {
        self.submit_agreed(&Agreements::default(), body)
    }

    /// The same, for what other deployments have agreed to.
    pub fn submit_agreed<E: From<IntegrityError> + From<StoreError>>(
        &self,
        agreements: &Agreements,
        body: impl FnOnce(&mut Commit<'_>) -> Result<(), E>,
    ) -> Submitted<E> {
        let mut agreed = Vec::new();
        let number = self.0.commits.fetch_add(1, Ordering::Relaxed) + 1;
        let submission = self.0.store.submit(&Actor::user(), |writing| {
            let stored = Stored::new(writing, &self.0.rules);
            let mut commit = Commit::new(writing, &stored, &self.0.rules, self.0.flags, agreements);
            body(&mut commit)?;
            let (transaction, changes) = commit.finish(&self.0.plugins, self.1.as_ref(), number)?;
            agreed = changes;
            Ok::<_, E>(transaction)
        });
        Submitted::new(submission, agreed, self.0.plugins.clone(), number)
    }

    /// The result of a transaction that bypasses what is checked and decorated here.
    #[cfg(feature = "deployments")]
    pub(crate) fn submitted(
        &self,
        submission: store::Submission<IntegrityError>,
        changes: Vec<crate::ResourceChange>,
    ) -> Submitted<IntegrityError> {
        let number = self.0.commits.fetch_add(1, Ordering::Relaxed) + 1;
        Submitted::new(submission, changes, self.0.plugins.clone(), number)
    }

    /// Reads while no writer changes anything, also data that is not kept yet.
    pub(crate) fn reading<T: Default>(&self, read: impl FnOnce(&Stored<'_>) -> T) -> T {
        let mut result = T::default();
        let nothing = self.0.store.submit(&Actor::user(), |writing| {
            result = read(&Stored::new(writing, &self.0.rules));
            Ok::<_, StoreError>(store::Transaction::new())
        });
        // A transaction of nothing fails only if the store is closed, and what was read remains.
        drop(nothing);
        result
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The model and the names.
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }

    /// The options.
    pub fn flags(&self) -> Flags {
        self.0.flags
    }
}

impl fmt::Debug for Transactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { store, plugins, flags, .. } = &*self.0;
        let mut debug = f.debug_struct("Transactions");
        debug.field("store", store).field("plugins", plugins).field("flags", flags).finish_non_exhaustive()
    }
}
