use std::{collections::BTreeSet, num::NonZeroU16};

use crate::Name;

use super::{ActiveVersion, Freeze, NotUpgradable, Shard, Stage, UpgradeState};

/// A change of the version that a deployment operates on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change<N> {
    /// A user begins an upgrade, or a rollback (`BeginUpgrade`).
    Begin {
        /// The version.
        target: N,
        /// The number of shards, which is that of the deployment's configuration.
        shards: NonZeroU16,
    },
    /// A user ends an upgrade before the switch.
    Cancel,
    /// A shard is ready for the next stage.
    Ready {
        /// The shard.
        shard: Shard,
        /// The generation at which it is so.
        generation: u64,
    },
    /// A node has observed a generation. Its first change of this kind makes it a node.
    Observe {
        /// The node.
        node: N,
        /// The generation.
        generation: u64,
    },
    /// A node has ended. It is sent by the node itself, or by one who knows for certain that the process does not exist.
    Leave {
        /// The node.
        node: N,
    },
}

impl<N: Name> ActiveVersion<N> {
    /// The version after a change at a time in milliseconds. What has happened already changes nothing.
    ///
    /// # Errors
    /// The reason why an upgrade cannot begin.
    pub fn changed(&self, change: &Change<N>, now: i64) -> Result<Self, NotUpgradable<N>> {
        let mut after = self.clone();
        match change {
            Change::Begin { target, shards } => after.begin(target, *shards)?,
            Change::Cancel => after.cancel(),
            Change::Ready { shard, generation } => after.note_ready(*shard, *generation, now),
            Change::Observe { node, generation } => drop(after.nodes.insert(node.clone(), *generation)),
            Change::Leave { node } => after.leave(node),
        }
        after.end_freeze(now);
        Ok(after)
    }

    fn leave(&mut self, node: &N) {
        self.nodes.remove(node);
        self.departures += 1;
    }

    fn begin(&mut self, target: &N, shards: NonZeroU16) -> Result<(), NotUpgradable<N>> {
        if let Some(state) = &self.upgrade_state {
            let other = state.target_version != *target;
            return other
                .then_some(NotUpgradable::Upgrading(state.target_version.clone()))
                .map_or(Ok(()), Err);
        }
        if *target == self.current_version {
            return Ok(());
        }
        if !self.supported_versions.contains(target) {
            return Err(NotUpgradable::Unsupported(target.clone()));
        }
        if self.is_frozen() {
            return Err(NotUpgradable::Upgrading(self.current_version.clone()));
        }
        self.upgrade_state = Some(UpgradeState {
            target_version: target.clone(),
            ready_shards: BTreeSet::new(),
            pending_shards: (0..shards.get()).collect(),
            stage: Stage::InitialSyncing,
        });
        Ok(())
    }

    /// Ends an upgrade. The generation tells what was done for it from what is done for a later one.
    fn cancel(&mut self) {
        if self.upgrade_state.take().is_some() {
            self.generation += 1;
        }
    }

    fn note_ready(&mut self, shard: Shard, generation: u64, now: i64) {
        let Some(state) = self.upgrade_state.as_mut().filter(|_| generation == self.generation) else {
            return;
        };
        if state.pending_shards.remove(&shard) {
            state.ready_shards.insert(shard);
        }
        if state.pending_shards.is_empty() {
            self.advance(now);
        }
    }

    /// Goes on to the next stage, or switches after the last one.
    fn advance(&mut self, now: i64) {
        let Some(mut state) = self.upgrade_state.take() else { return };
        self.generation += 1;
        match state.stage {
            Stage::InitialSyncing => {
                state.stage = Stage::Switching;
                state.pending_shards = std::mem::take(&mut state.ready_shards);
                self.upgrade_state = Some(state);
                self.freeze = Some(Freeze { began: now, ended: None });
            }
            Stage::Switching => self.current_version = state.target_version,
        }
    }

    /// Ends the refusal of writes when all nodes have observed what is to be written: until then, one of them might still read
    /// from the other storage.
    fn end_freeze(&mut self, now: i64) {
        let is_over = self.stage() != Some(Stage::Switching) && self.is_observed();
        if let Some(freeze) = self.freeze.as_mut().filter(|it| is_over && it.ended.is_none()) {
            freeze.ended = Some(now);
        }
    }
}
