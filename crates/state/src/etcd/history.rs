use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    gateway::Gateway,
    head::{HISTORY, SNAPSHOTS, VersionedHead, pieces_key, serial_of, version_key},
    wire::{Keys, RangeOptions, TransactionOp},
};
use crate::{BackendError, Lease, Snapshot, Version};

/// Versions are short, and of snapshots only the keys are read.
const PAGE: u32 = 512;
/// A transaction may have 128 operations unless the cluster is configured otherwise.
const OPERATIONS: usize = 100;

/// The metadata of a version besides its snapshot.
#[derive(Serialize, Deserialize)]
struct Written {
    at: i64,
    resources: usize,
    pieces: usize,
}

impl Gateway {
    /// The operation that marks a snapshot as a version to keep.
    pub(super) fn version(&self, snapshot: &Snapshot, pieces: usize) -> TransactionOp {
        let written = Written { at: self.now(), resources: snapshot.resources.len(), pieces };
        // Numbers can always be written.
        TransactionOp::put(
            self.key(&version_key(snapshot.serial)),
            serde_json::to_vec(&written).unwrap_or_default(),
        )
    }

    /// Latest first.
    pub(super) async fn versions(&self) -> Result<Vec<Version>, BackendError> {
        let how = RangeOptions { limit: PAGE, ..RangeOptions::default() };
        let found = self.all(&self.key(HISTORY), how).await?.unwrap_or_default();
        let version = |pair: &super::wire::Pair| {
            let written = self.read_version(&pair.key, &pair.value)?;
            let serial = serial_of(&pair.key, HISTORY).unwrap_or_default();
            Ok(Version { serial, at: written.at, resources: written.resources })
        };
        found.iter().rev().map(version).collect()
    }

    pub(super) async fn version_at(&self, serial: u64) -> Result<Option<Snapshot>, BackendError> {
        let (pair, revision) = self.one(self.key(&version_key(serial))).await?;
        let Some(pair) = pair else { return Ok(None) };
        let written = self.read_version(&pair.key, &pair.value)?;
        self.snapshot(serial, written.pieces, revision).await
    }

    fn read_version(&self, key: &str, value: &[u8]) -> Result<Written, BackendError> {
        serde_json::from_slice(value)
            .map_err(|why| BackendError::Corrupt(format!("the state's key `{key}` in etcd: {why}")))
    }

    /// Removes the oldest versions if there are too many, and snapshots that nothing refers to. If another
    /// writer prevents it, that writer does it.
    pub(super) async fn prune(&self, known: &VersionedHead, lease: &Lease) -> Result<(), BackendError> {
        let how = RangeOptions { limit: PAGE, keys_only: true, ..RangeOptions::default() };
        let versions = self.serials(HISTORY, how).await?;
        let old: Vec<u64> = versions.iter().rev().skip(self.options.history).copied().collect();
        let mut kept = &versions - &old.iter().copied().collect();
        kept.extend(known.head.as_ref().map(|it| it.base));
        let unused = &self.serials(SNAPSHOTS, how).await? - &kept;
        let old = old.into_iter().map(|it| Keys::One(self.key(&version_key(it))));
        let unused = unused.into_iter().map(|it| Keys::under(&self.key(&pieces_key(it))));
        let deeds: Vec<TransactionOp> = old.chain(unused).map(TransactionOp::Delete).collect();
        for deeds in deeds.chunks(OPERATIONS) {
            self.transact(&self.guarded(known, lease, deeds.to_vec())?).await?;
        }
        Ok(())
    }

    async fn serials(&self, under: &str, how: RangeOptions) -> Result<BTreeSet<u64>, BackendError> {
        let found = self.all(&self.key(under), how).await?.unwrap_or_default();
        Ok(found.iter().filter_map(|it| serial_of(&it.key, under)).collect())
    }
}
