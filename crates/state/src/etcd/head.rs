use serde::{Deserialize, Serialize};

use super::gateway::Gateway;
use crate::{BackendError, Lease};

/// What a state is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    /// `planloom.etcd/1`.
    pub(super) format: String,
    pub(super) lineage: String,
    /// After all commits.
    pub(super) serial: u64,
    /// The serial of the snapshot that they build on.
    pub(super) base: u64,
    /// Into how many pieces that is cut.
    pub(super) pieces: usize,
    /// How many bytes of commits there are since.
    pub(super) journal: usize,
    /// Which lock wrote it: with the serial, no two heads are the same.
    pub(super) lock: String,
}

impl Head {
    const FORMAT: &str = "planloom.etcd/1";

    pub(super) fn new(lineage: &str, lock: &str) -> Self {
        let (format, lineage, lock) = (Self::FORMAT.into(), lineage.into(), lock.into());
        Self { format, lineage, serial: 0, base: 0, pieces: 0, journal: 0, lock }
    }

    pub(super) fn write(&self) -> Vec<u8> {
        // Text and numbers can always be written.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// A head and when it was written.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) head: Option<Head>,
    /// 0 where there is none.
    pub(super) modified: i64,
    /// The revision at which it was read.
    pub(super) revision: i64,
}

impl Gateway {
    pub(super) async fn head(&self) -> Result<Known, BackendError> {
        let (pair, revision) = self.one(self.key(HEAD)).await?;
        let modified = pair.as_ref().map_or(0, |it| it.modified);
        Ok(Known { head: pair.map(|it| self.read_head(&it.value)).transpose()?, modified, revision })
    }

    pub(super) fn read_head(&self, value: &[u8]) -> Result<Head, BackendError> {
        let head =
            serde_json::from_slice::<Head>(value).map_err(|why| self.corrupt(HEAD, &why.to_string()))?;
        if head.format == Head::FORMAT {
            Ok(head)
        } else {
            Err(self.corrupt(HEAD, &format!("it has the format `{}`", protocol::line(&head.format))))
        }
    }

    pub(super) fn corrupt(&self, name: &str, why: &str) -> BackendError {
        BackendError::Corrupt(format!("the state's key `{}` in etcd: {why}", self.key(name)))
    }
}

pub(super) const HEAD: &str = "head";
pub(super) const LOCK: &str = "lock";
pub(super) const JOURNAL: &str = "journal/";
pub(super) const HISTORY: &str = "history/";
pub(super) const SNAPSHOTS: &str = "snapshot/";

/// So that they are in order.
pub(super) fn commit_key(serial: u64) -> String {
    format!("{JOURNAL}{serial:016}")
}

pub(super) fn version_key(serial: u64) -> String {
    format!("{HISTORY}{serial:016}")
}

pub(super) fn pieces_key(serial: u64) -> String {
    format!("{SNAPSHOTS}{serial:016}/")
}

pub(super) fn piece_key(serial: u64, piece: usize) -> String {
    format!("{}{piece:06}", pieces_key(serial))
}

/// The serial in a key that one of these made.
pub(super) fn serial_of(key: &str, under: &str) -> Option<u64> {
    let (_, rest) = key.rsplit_once(under)?;
    rest.split('/').next()?.parse().ok()
}

/// What a lease is known by: etcd's own lease, and when the lock's key was made.
pub(super) fn token(lease: i64, created: i64) -> String {
    format!("{lease}.{created}")
}

pub(super) fn of_token(lease: &Lease) -> Result<(i64, i64), BackendError> {
    let parts = lease.token.split_once('.');
    let parts = parts.and_then(|(id, created)| Some((id.parse().ok()?, created.parse().ok()?)));
    parts.ok_or(BackendError::LeaseLost)
}
