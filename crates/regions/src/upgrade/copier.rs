use std::collections::BTreeMap;

use crate::{
    Name,
    copies::{Limits, Progress, Reader, Reply, Request, Source},
    registration::State,
};

use super::{Change, Follower, Following, Shard, Stage, View};

/// A process that keeps the storages of other versions equal to the current one: before an upgrade, during it, and afterwards for
/// a rollback. It is in memory only; several may run at the same time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Copier<N: Ord> {
    view: Option<View<N>>,
    /// The readers of shards, by the version that follows.
    readers: BTreeMap<(N, Shard), Reader<Shard>>,
    limits: Limits,
}

impl<N: Name> Copier<N> {
    /// A process that knows nothing.
    pub const fn new(limits: Limits) -> Self {
        Self { view: None, readers: BTreeMap::new(), limits }
    }

    /// What it has seen of the entry of its deployment.
    pub const fn view(&self) -> Option<&View<N>> {
        self.view.as_ref()
    }

    /// Takes a state of the entry of its deployment. One that is late does no harm.
    pub fn see(&mut self, state: &State<N>) {
        View::renew(&mut self.view, state);
    }

    /// The version that is followed and those that follow it: all that the program has. A host leaves out older ones if there is
    /// to be no way back (`disabled` in Goten's configuration).
    pub fn directions(&self) -> Option<(&N, impl Iterator<Item = &N>)> {
        let version = self.view.as_ref()?.version();
        let others = version.supported_versions.iter().filter(|it| **it != version.current_version);
        Some((&version.current_version, others))
    }

    /// Begins to copy into a shard, if it was not begun before, in one transaction. `source` is the record and the progress that
    /// the followed storage has from the time when it followed itself.
    ///
    /// A storage that was followed by `source` until that became the current one is equal to it at the revision at which that
    /// was. Otherwise it continues where it was. A process whose view is older than the end of the last copying begins nothing:
    /// the storage may be the current one by now.
    pub fn open<K: Name, V>(
        &self,
        storage: &mut dyn Follower<K, V>,
        shard: Shard,
        source: (Following, &Progress<K>),
    ) {
        let there = storage.following(shard);
        let generation = self.view.as_ref().map(|it| it.version().generation);
        if there.is_open() || generation <= there.closed {
            return;
        }
        if source.0.closed > there.closed {
            storage.set_progress(&shard, Progress { complete: source.1.complete, ..Progress::default() });
        }
        storage.set_following(shard, Following { opened: generation, ..there });
    }

    /// The requests to the followed storage that are due for a shard of one that follows.
    pub fn requests<K: Name, V>(
        &mut self,
        to: &N,
        storage: &dyn Follower<K, V>,
        shard: Shard,
        now: i64,
    ) -> Vec<Request<K>> {
        match storage.following(shard).is_open() {
            true => self.reader(to, shard, now).requests(&storage.progress(&shard), now),
            false => Vec::new(),
        }
    }

    /// Takes a reply of the followed storage, in one transaction of the one that follows. One that is late, or came before, does
    /// no harm; after the end of the copying it changes nothing.
    pub fn take<K: Name, V: Clone>(
        &mut self,
        to: &N,
        storage: &mut dyn Follower<K, V>,
        shard: Shard,
        reply: &Reply<K, V>,
        now: i64,
    ) {
        if storage.following(shard).is_open() {
            self.reader(to, shard, now).take(storage, reply, now);
        }
    }

    /// The change that is owed for a shard of the upgrade in progress: that it is ready. Before it says so while versions are
    /// switched, it ends the copying, in one transaction.
    pub fn ready<K: Name, V, S>(
        &self,
        source: &dyn Source<Shard, K, S>,
        storage: &mut dyn Follower<K, V>,
        shard: Shard,
    ) -> Option<Change<N>> {
        let version = self.view.as_ref()?.version();
        let state = version.upgrade_state.as_ref().filter(|it| it.pending_shards.contains(&shard))?;
        let generation = version.generation;
        let is_ready = match state.stage {
            Stage::InitialSyncing => is_equal(source, storage, shard),
            Stage::Switching => version.is_observed() && close(source, storage, shard, generation),
        };
        is_ready.then_some(Change::Ready { shard, generation })
    }

    fn reader(&mut self, to: &N, shard: Shard, now: i64) -> &mut Reader<Shard> {
        let reader = self.readers.entry((to.clone(), shard));
        reader.or_insert_with(|| Reader::new(shard, self.limits, now))
    }
}

/// True if a shard contains everything that was written so far.
fn is_equal<K: Name, V, S>(
    source: &dyn Source<Shard, K, S>,
    storage: &dyn Follower<K, V>,
    shard: Shard,
) -> bool {
    let progress = storage.progress(&shard);
    let has_everything = progress.snapshot.is_none() && progress.complete == source.revision();
    storage.following(shard).is_open() && has_everything
}

/// Ends the copying into a shard that contains everything. True if it has ended at this generation.
fn close<K: Name, V, S>(
    source: &dyn Source<Shard, K, S>,
    storage: &mut dyn Follower<K, V>,
    shard: Shard,
    generation: u64,
) -> bool {
    let there = storage.following(shard);
    if is_equal(source, storage, shard) {
        storage.continue_after(source.revision());
        storage.set_following(shard, Following { closed: Some(generation).max(there.closed), ..there });
        return true;
    }
    there.closed == Some(generation) && !there.is_open()
}
