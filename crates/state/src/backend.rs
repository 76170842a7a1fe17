use std::{fmt, rc::Rc};

use protocol::LocalFuture;
use serde::{Deserialize, Serialize};

use crate::{Claim, Commit, Holder, Lease, Snapshot};

/// Where a state is kept.
///
/// One writer at a time holds a [`Lease`]; and whatever the leases say, a [`commit`](Self::commit) is only kept when
/// its serial is the next one. What a finished commit said outlives the process and the machine's power.
pub trait Backend {
    /// What is kept, with all commits taken in; `None` where nothing ever was.
    fn load(&self) -> LocalFuture<Result<Option<Snapshot>, BackendError>>;

    /// Keeps a commit; `after` is the snapshot with it, for backends that cannot append. The first commit of a new
    /// deployment has the serial 1 and creates it.
    fn commit(
        &self,
        lease: &Lease,
        commit: Rc<Commit>,
        after: Rc<Snapshot>,
    ) -> LocalFuture<Result<(), BackendError>>;

    /// The end of a run: the whole is kept as one version of the history, and appended commits are folded.
    fn checkpoint(&self, lease: &Lease, snapshot: Rc<Snapshot>) -> LocalFuture<Result<(), BackendError>>;

    /// Takes the lease, if nobody has it or its time is over.
    fn acquire(&self, claim: Claim) -> LocalFuture<Result<Lease, BackendError>>;

    /// Keeps the lease for `ttl` milliseconds from `now`.
    fn renew(&self, lease: &Lease, now: i64, ttl: u64) -> LocalFuture<Result<Lease, BackendError>>;

    /// Gives the lease back. One that is not held any more is no error.
    fn release(&self, lease: &Lease) -> LocalFuture<Result<(), BackendError>>;

    /// Who holds it.
    fn holder(&self) -> LocalFuture<Result<Option<Holder>, BackendError>>;

    /// Takes the lease away from whoever holds it under that id.
    fn unlock(&self, id: &str) -> LocalFuture<Result<(), BackendError>>;

    /// The versions that are kept, latest first.
    fn versions(&self) -> LocalFuture<Result<Vec<Version>, BackendError>>;

    /// One of them; `None` where it is not kept.
    fn version(&self, serial: u64) -> LocalFuture<Result<Option<Snapshot>, BackendError>>;

    /// Puts a snapshot in the place of what cannot be read ([`BackendError::Corrupt`]), as the version after all others.
    /// What stood there is kept aside.
    fn repair(&self, lease: &Lease, snapshot: Snapshot) -> LocalFuture<Result<RepairReport, BackendError>> {
        let _ = (lease, snapshot);
        let why = "the state cannot be read, and only a state in a file can be repaired from here";
        Box::pin(async move { Err(BackendError::Unsupported(why.into())) })
    }
}

/// The result of repairing a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairReport {
    /// The serial of what is kept now.
    pub serial: u64,
    /// Where that lies which could not be read.
    pub aside: Vec<String>,
}

/// One version of a state's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Its serial.
    pub serial: u64,
    /// When it was kept, in milliseconds since 1970; 0 where that is not known.
    pub at: i64,
    /// How many resources it has.
    pub resources: usize,
}

/// Why a backend does not do what it is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum BackendError {
    /// Somebody else wrote: the serial that is kept.
    Stale {
        /// The serial that the commit would have had.
        wanted: u64,
        /// The one that is kept.
        kept: u64,
    },
    /// Somebody holds it.
    Locked(Box<Holder>),
    /// The lease is not held any more.
    LeaseLost,
    /// It cannot be reached, or says no: why, in a line.
    Unavailable(String),
    /// What is kept cannot be read: why, in a line.
    Corrupt(String),
    /// The backend cannot do that, in a line.
    Unsupported(String),
    /// It is encrypted and cannot be opened, or is not and should be: why, in a line.
    Sealed(String),
    /// What was to be written makes no sense, in a line. Nothing was.
    Invalid(String),
}

impl BackendError {
    /// `state/stale`, `state/locked`, `state/lease-lost`, `state/unavailable`, `state/corrupt`, `state/unsupported`,
    /// `state/sealed`, `state/invalid`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Stale { .. } => "state/stale",
            Self::Locked(_) => "state/locked",
            Self::LeaseLost => "state/lease-lost",
            Self::Unavailable(_) => "state/unavailable",
            Self::Corrupt(_) => "state/corrupt",
            Self::Unsupported(_) => "state/unsupported",
            Self::Sealed(_) => "state/sealed",
            Self::Invalid(_) => "state/invalid",
        }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale { wanted, kept } => {
                write!(
                    f,
                    "the state was changed meanwhile: it is at version {kept}, and version {wanted} would \
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
