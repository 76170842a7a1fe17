use std::{fmt, rc::Rc};

use diag::Code;
use protocol::LocalFuture;
use serde::{Deserialize, Serialize};

use crate::{Claim, Commit, Holder, Lease, Snapshot, codes};

/// A place where a state is kept.
///
/// One writer at a time holds a [`Lease`]; and whatever the leases say, a [`commit`](Self::commit) is only
/// accepted if its serial is the next one. A commit that has returned outlives the process and a power
/// failure.
pub trait Backend {
    /// The current snapshot, including all commits; `None` if there was never one.
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>>;

    /// Writes a commit; `after` is the snapshot that includes it, for backends that cannot append. The first
    /// commit of a new deployment has the serial 1 and creates it.
    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>>;

    /// The end of a run: writes the whole snapshot as one version of the history, and folds appended commits
    /// into it.
    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>>;

    /// Acquires the lease, if it is not held or has expired.
    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>>;

    /// Renews the lease for `ttl` milliseconds from `now`.
    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>>;

    /// Releases the lease. It is no error if it is not held any more.
    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>>;

    /// The holder of the lease, if any.
    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>>;

    /// Takes the lease of that id away from its holder.
    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>>;

    /// The versions in the history, latest first.
    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>>;

    /// A version; `None` if it is not in the history.
    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>>;

    /// Replaces a state that cannot be read ([`BackendError::Corrupt`]) by a snapshot, as the version after
    /// all others. The damaged data is kept aside.
    fn repair(&self, lease: &Lease, snapshot: Snapshot) -> LocalFuture<Result<RepairReport, BackendError>> {
        let _ = (lease, snapshot);
        let why = "the state cannot be read, and only a state in a file can be repaired from here";
        Box::pin(async move { Err(BackendError::Unsupported(why.into())) })
    }
}

/// The result of repairing a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairReport {
    /// The serial of the state after the repair.
    pub serial: u64,
    /// The places of the damaged data.
    pub aside: Vec<String>,
}

/// One version of a state's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Its serial.
    pub serial: u64,
    /// The time when it was written, in milliseconds since 1970; 0 if that is not known.
    pub at: i64,
    /// The number of its resources.
    pub resources: usize,
}

/// The reason why a request to a backend failed.
#[derive(Clone, Debug, PartialEq)]
pub enum BackendError {
    /// Another writer has changed the state.
    Stale {
        /// The serial of the refused commit.
        requested: u64,
        /// The current serial of the state.
        kept: u64,
    },
    /// The lease is held.
    Locked(Box<Holder>),
    /// The lease is not held any more.
    LeaseLost,
    /// The backend cannot be reached, or refuses the request; the reason in one line.
    Unavailable(String),
    /// The state cannot be read; the reason in one line.
    Corrupt(String),
    /// The backend does not support the request; the reason in one line.
    Unsupported(String),
    /// The state is encrypted and cannot be opened, or is not and should be; the reason in one line.
    Sealed(String),
    /// The data to be written is invalid; the reason in one line. Nothing was written.
    Invalid(String),
}

impl BackendError {
    /// `state/stale`, `state/locked`, `state/lease-lost`, `state/unavailable`, `state/corrupt`, `state/unsupported`,
    /// `state/sealed`, `state/invalid`.
    pub const fn code(&self) -> Code {
        match self {
            Self::Stale { .. } => codes::STALE,
            Self::Locked(_) => codes::LOCKED,
            Self::LeaseLost => codes::LEASE_LOST,
            Self::Unavailable(_) => codes::UNAVAILABLE,
            Self::Corrupt(_) => codes::CORRUPT,
            Self::Unsupported(_) => codes::UNSUPPORTED,
            Self::Sealed(_) => codes::SEALED,
            Self::Invalid(_) => codes::INVALID,
        }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale { requested, kept } => {
                write!(
                    f,
                    "the state was changed meanwhile: it is at version {kept}, and version {requested} would \
                     be written"
                )
            }
            Self::Locked(holder) => {
                write!(
                    f,
                    "the state is held by {} for `{}` (lock {})",
                    holder.who, holder.operation, holder.id
                )
            }
            Self::LeaseLost => f.write_str("the lock on the state is held by another process"),
            Self::Unavailable(why)
            | Self::Corrupt(why)
            | Self::Unsupported(why)
            | Self::Sealed(why)
            | Self::Invalid(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BackendError {}
