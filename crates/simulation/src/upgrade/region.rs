use std::{collections::BTreeMap, sync::Arc};

use regions::{
    copies::{Reply, Source},
    registration::State,
    upgrade::{Change, Copier, Shard, View, answer},
};

use super::{
    Copying, Form, ResourceId, Scenario, Server, Storage, Value,
    storage::{PAGE, Target},
};
use crate::registry::Id;

/// A deployment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// The storage of each version.
    pub storages: BTreeMap<Id, Arc<Storage>>,
    /// The servers.
    pub servers: BTreeMap<Id, Server>,
    /// The copiers.
    pub copiers: BTreeMap<Id, Copying>,
    /// What clients have written, to judge the servers.
    pub truth: BTreeMap<ResourceId, Value>,
    /// The version that users have decided on last.
    pub decided: Id,
    /// A promise that was broken by a write.
    pub violation: Option<&'static str>,
    last_value: Value,
}

impl Region {
    /// A deployment with what exists in the beginning, which operates on the oldest version.
    pub(super) fn new(scenario: &Scenario, versions: &[Id]) -> Self {
        let storage = |it: &Id| (*it, Arc::new(Storage::new(*it, scenario.shards)));
        let mut region = Self {
            storages: versions.iter().map(storage).collect(),
            servers: scenario.servers.difference(&scenario.late).map(|it| (*it, Server::new(*it))).collect(),
            copiers: scenario.copiers.iter().map(|it| (*it, Copying::default())).collect(),
            truth: BTreeMap::new(),
            decided: versions.first().copied().unwrap_or_default(),
            violation: None,
            last_value: 0,
        };
        for id in &scenario.existing {
            region.write(region.decided, *id, false);
        }
        region.storages.values_mut().map(Arc::make_mut).for_each(Storage::truncate_log);
        region
    }

    pub(super) fn storage_mut(&mut self, version: Id) -> Option<&mut Storage> {
        self.storages.get_mut(&version).map(Arc::make_mut)
    }

    fn write(&mut self, version: Id, id: ResourceId, deletes: bool) {
        self.last_value = self.last_value % 99 + 1;
        let value = (!deletes).then_some(self.last_value);
        self.storage_mut(version).into_iter().for_each(|it| it.write(id, value));
        let _before = match value {
            Some(value) => self.truth.insert(id, value),
            None => self.truth.remove(&id),
        };
    }

    /// Commits the write that a server has begun. It must not if all servers have said that writes are `refused`.
    pub(super) fn commit(&mut self, server: Id, refused: bool) {
        let Some(it) = self.servers.get_mut(&server) else { return };
        let Some((writing, id, deletes)) = it.writing.take() else { return };
        it.node.end_write(&writing);
        if refused {
            self.violation =
                Some("a write is committed although all servers have said that they refuse writes");
        }
        self.write(writing.storage, id, deletes);
    }

    /// Lets a server begin a write.
    pub(super) fn begin_write(&mut self, server: Id, version: Id, id: ResourceId, deletes: bool) {
        let Some(it) = self.servers.get_mut(&server) else { return };
        if let Ok(writing) = it.node.begin_write(&version) {
            it.writing = Some((writing, id, deletes));
        }
    }

    /// Lets a process see the entry.
    pub(super) fn see(&mut self, process: Id, state: &State<Id>) {
        self.servers.get_mut(&process).into_iter().for_each(|it| it.node.see(state));
        self.copiers.get_mut(&process).into_iter().for_each(|it| it.copier.see(state));
    }

    /// What a process has seen.
    pub(super) fn view(&self, process: Id) -> Option<&View<Id>> {
        let server = self.servers.get(&process).and_then(|it| it.node.view());
        server.or_else(|| self.copiers.get(&process).and_then(|it| it.copier.view()))
    }

    /// True if a process owes a change, or ends the copying into a shard.
    pub(super) fn owes(&self, process: Id) -> bool {
        if let Some(server) = self.servers.get(&process) {
            return server.owed().is_some();
        }
        let is_upgrading = self.view(process).is_some_and(|it| it.version().upgrade_state.is_some());
        is_upgrading && self.clone().owed(process).is_some()
    }

    /// The changes that a process owes. A copier ends the copying into shards that are ready.
    pub(super) fn owed(&mut self, process: Id) -> Option<Change<Id>> {
        if let Some(server) = self.servers.get(&process) {
            return server.owed().map(|(_, it)| it);
        }
        let copier = self.copiers.get(&process)?.copier.clone();
        let state = copier.view()?.version().upgrade_state.clone()?;
        state.pending_shards.iter().find_map(|shard| self.ready(&copier, state.target_version, *shard))
    }

    fn ready(&mut self, copier: &Copier<Id>, to: Id, shard: Shard) -> Option<Change<Id>> {
        let from = copier.view()?.version().current_version;
        let source = self.storages.get(&from)?.clone();
        let mut storage = Storage::clone(self.storages.get(&to)?);
        let change =
            copier.ready(source.as_ref(), &mut Target { storage: &mut storage, from: Form(from) }, shard)?;
        self.storages.insert(to, Arc::new(storage));
        Some(change)
    }

    /// The directions in which a copier copies, as far as it has seen.
    pub(super) fn directions(&self, copier: Id) -> Vec<(Id, Id)> {
        let directions = self.copiers.get(&copier).and_then(|it| it.copier.directions());
        let Some((from, others)) = directions else { return Vec::new() };
        others.map(|to| (*from, *to)).collect()
    }

    /// True if a shard of a storage is to be opened, or does not have what another one has.
    pub(super) fn is_behind(&self, (from, to): (Id, Id), shard: Shard) -> bool {
        let Some((source, target)) = self.storages.get(&from).zip(self.storages.get(&to)) else {
            return false;
        };
        let (following, progress) = target.record(shard);
        !following.is_open() || progress.snapshot.is_some() || progress.complete != source.revision()
    }

    /// Opens a shard of a storage, and reads from another one what the shard needs.
    pub(super) fn copy(
        &mut self,
        copier: Id,
        (from, to): (Id, Id),
        shard: Shard,
    ) -> Vec<Reply<ResourceId, Value>> {
        let Some(copying) = self.copiers.get_mut(&copier) else { return Vec::new() };
        let Some(source) = self.storages.get(&from).cloned() else { return Vec::new() };
        let Some(storage) = self.storages.get_mut(&to).map(Arc::make_mut) else { return Vec::new() };
        let mut target = Target { storage, from: Form(from) };
        let (following, progress) = source.record(shard);
        copying.copier.open(&mut target, shard, (following, &progress));
        let requests = copying.copier.requests(&to, &target, shard, 0);
        requests.iter().map(|it| answer(source.as_ref(), shard, it, PAGE)).collect()
    }

    /// Writes what a copier has read, in one transaction.
    pub(super) fn take(
        &mut self,
        copier: Id,
        (from, to): (Id, Id),
        shard: Shard,
        reply: &Reply<ResourceId, Value>,
    ) {
        let Some(copying) = self.copiers.get_mut(&copier) else { return };
        let Some(there) = self.storages.get_mut(&to) else { return };
        let mut changed = Storage::clone(there);
        let mut target = Target { storage: &mut changed, from: Form(from) };
        copying.copier.take(&to, &mut target, shard, reply, 0);
        *there = Arc::new(changed);
    }

    /// Lets a process crash and start again.
    pub(super) fn crash(&mut self, process: Id) {
        self.servers.get_mut(&process).into_iter().for_each(|it| *it = Server::new(process));
        self.copiers.get_mut(&process).into_iter().for_each(|it| *it = Copying::default());
    }
}
