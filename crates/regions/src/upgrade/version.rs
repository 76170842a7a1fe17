use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{Name, registration::Refusal};

use super::Shard;

/// The version that a deployment operates on, and its upgrade to another one, as its entry in the registry has them.
///
/// The names of the fields `currentVersion` and `upgradeState` are those of Goten's guide, "Upgrading process".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub struct ActiveVersion<N: Ord> {
    /// The versions that its program has, the oldest first. Each has a storage of its own.
    pub supported_versions: Vec<N>,
    /// The version whose storage is written.
    pub current_version: N,
    /// The upgrade in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade_state: Option<UpgradeState<N>>,
    /// The number of changes that all nodes have to observe.
    pub generation: u64,
    /// The nodes, which are the processes that serve requests, each with the generation that it has observed: it will not commit
    /// a write that began before that one.
    pub nodes: BTreeMap<N, u64>,
    /// The number of nodes that have ended. So each end changes the entry, also that of a node which the entry does not have: what
    /// that one has sent before is not executed afterwards.
    #[serde(default)]
    pub departures: u64,
    /// The last time in which writes were refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freeze: Option<Freeze>,
}

/// An upgrade in progress, or a rollback, which is one to an older version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub struct UpgradeState<N> {
    /// The version that it leads to.
    pub target_version: N,
    /// The shards that are ready for the next stage.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub ready_shards: BTreeSet<Shard>,
    /// The others.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub pending_shards: BTreeSet<Shard>,
    /// The stage.
    #[serde(rename = "state")]
    pub stage: Stage,
}

/// The stage of an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Stage {
    /// The storage of the target is filled while the current one is written. A shard is ready when both were equal once.
    InitialSyncing,
    /// Writes are refused. A shard is ready when both are equal and nothing is copied to the target any more.
    Switching,
}

/// A time in which all writes are refused, as those know it that begin and end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Freeze {
    /// Its beginning, in milliseconds.
    pub began: i64,
    /// Its end; `None` as long as it lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<i64>,
}

impl<N: Name> ActiveVersion<N> {
    /// A deployment that is new: it operates on the newest of the versions of its program, of which there is at least one.
    pub(crate) fn first(supported: Vec<N>) -> Result<Self, Refusal<N>> {
        let Some(current_version) = supported.last().cloned() else { return Err(Refusal::NoVersion) };
        Ok(Self {
            supported_versions: supported,
            current_version,
            upgrade_state: None,
            generation: 0,
            nodes: BTreeMap::new(),
            departures: 0,
            freeze: None,
        })
    }

    /// The same with the versions of another program, which has to have those in use.
    pub(crate) fn with_versions(&self, supported: Vec<N>) -> Result<Self, Refusal<N>> {
        let target = self.upgrade_state.as_ref().map(|it| &it.target_version);
        let missing = target.into_iter().chain([&self.current_version]).find(|it| !supported.contains(it));
        match missing {
            Some(version) => Err(Refusal::Unsupported { version: version.clone() }),
            None => Ok(Self { supported_versions: supported, ..self.clone() }),
        }
    }

    /// The same with the versions of another program, whose storage is that of all of them.
    pub(crate) fn on_newest(&self, supported: Vec<N>) -> Result<Self, Refusal<N>> {
        let current_version = Self::first(supported.clone())?.current_version;
        Ok(Self { supported_versions: supported, current_version, ..self.clone() })
    }

    /// True if all nodes have observed the last change: whatever they commit from now on, they have begun after it.
    pub fn is_observed(&self) -> bool {
        self.nodes.values().all(|it| *it >= self.generation)
    }

    /// True if writes are refused.
    pub fn is_frozen(&self) -> bool {
        self.freeze.is_some_and(|it| it.ended.is_none())
    }

    /// The stage of the upgrade in progress.
    pub fn stage(&self) -> Option<Stage> {
        self.upgrade_state.as_ref().map(|it| it.stage)
    }
}
