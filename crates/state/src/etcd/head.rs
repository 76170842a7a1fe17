use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::gateway::Gateway;
use crate::{BackendError, Lease, checksum, write::canonical};

/// The head of a state: the parts that it consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    /// `planloom.etcd/1`.
    pub(super) format: String,
    pub(super) lineage: String,
    /// The serial after all commits.
    pub(super) serial: u64,
    /// The serial of the snapshot that they follow.
    pub(super) base: u64,
    /// The number of pieces of the snapshot.
    pub(super) pieces: usize,
    /// The size of the commits since the snapshot, in bytes.
    pub(super) journal: usize,
    /// The lock of its writer: together with the serial it is unique.
    pub(super) lock: String,
}

impl Head {
    const FORMAT: &str = "planloom.etcd/1";

    pub(super) fn new(lineage: &str, lock: &str) -> Self {
        let (format, lineage, lock) = (Self::FORMAT.into(), lineage.into(), lock.into());
        Self { format, lineage, serial: 0, base: 0, pieces: 0, journal: 0, lock }
    }

    pub(super) fn write(&self) -> Vec<u8> {
        checksum::with_checksum(&canonical(self)).into_bytes()
    }

    fn read(value: &[u8]) -> Result<Self, String> {
        let mut document: Map<String, Json> = serde_json::from_slice(value).map_err(|why| why.to_string())?;
        checksum::verify(&mut document).map_err(|damage| damage.to_string())?;
        let head: Self = serde_json::from_value(Json::Object(document)).map_err(|why| why.to_string())?;
        if head.format == Self::FORMAT {
            Ok(head)
        } else {
            Err(format!("it has the format `{}`", protocol::line(&head.format)))
        }
    }
}

/// A head with its revisions.
#[derive(Clone, Debug)]
pub(super) struct VersionedHead {
    pub(super) head: Option<Head>,
    /// The revision at which it was modified; 0 if there is none.
    pub(super) modified: i64,
    /// The revision at which it was read.
    pub(super) revision: i64,
}

impl Gateway {
    pub(super) async fn head(&self) -> Result<VersionedHead, BackendError> {
        let (pair, revision) = self.one(self.key(HEAD)).await?;
        let modified = pair.as_ref().map_or(0, |it| it.modified);
        Ok(VersionedHead { head: pair.map(|it| self.read_head(&it.value)).transpose()?, modified, revision })
    }

    pub(super) fn read_head(&self, value: &[u8]) -> Result<Head, BackendError> {
        Head::read(value).map_err(|why| self.corrupt(HEAD, &why))
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

/// The key of a commit; the keys sort by serial.
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

/// The serial in a key that one of these functions made.
pub(super) fn serial_of(key: &str, under: &str) -> Option<u64> {
    let (_, rest) = key.rsplit_once(under)?;
    rest.split('/').next()?.parse().ok()
}

/// The token of a lease: the id of etcd's own lease, and the revision at which the lock's key was created.
pub(super) fn token(lease: i64, created: i64) -> String {
    format!("{lease}.{created}")
}

pub(super) fn of_token(lease: &Lease) -> Result<(i64, i64), BackendError> {
    let parts = lease.token.split_once('.');
    let parts = parts.and_then(|(id, created)| Some((id.parse().ok()?, created.parse().ok()?)));
    parts.ok_or(BackendError::LeaseLost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_with_a_damaged_bit_is_none() {
        let head = Head { serial: 3, base: 2, pieces: 1, journal: 70, ..Head::new("of ada", "7.8") };
        let written = head.write();
        assert_eq!(Head::read(&written), Ok(head));
        for bit in 0..written.len() * 8 {
            let mut damaged = written.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Head::read(&damaged).is_err(), "{}", String::from_utf8_lossy(&damaged));
        }
        let older = br#"{"format":"planloom.etcd/1","lineage":"l","serial":1,"base":1,"pieces":1,"journal":0,"lock":"1.2"}"#;
        assert_eq!(Head::read(older).map(|it| it.serial), Ok(1), "older ones have no checksum");
    }
}
