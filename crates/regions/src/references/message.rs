use serde::{Deserialize, Serialize};

use super::ReferenceId;

/// A request from one deployment to another. Each may be sent again, and may arrive late or more than once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request<D, K> {
    /// Source to owner, before the commit: a resource will refer to this one.
    Establish {
        /// The transaction.
        id: ReferenceId<D>,
        /// The resource of the owner.
        key: K,
    },
    /// Source to owner, after the commit: the reference is there.
    Confirm {
        /// The transaction.
        id: ReferenceId<D>,
        /// The resource of the owner.
        key: K,
    },
    /// Owner to source: what has become of a transaction?
    Status {
        /// The transaction.
        id: ReferenceId<D>,
        /// The resource of the owner.
        key: K,
    },
    /// Owner to source: does anything forbid the deletion of this resource?
    Check {
        /// The resource of the owner.
        key: K,
    },
    /// Owner to source: this resource was deleted. Does anything depend on it still?
    Deleted {
        /// The resource of the owner.
        key: K,
        /// The incarnation that was deleted.
        incarnation: u64,
    },
}

/// The reply to a request. One that never arrives is as one to a request that never arrived.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply<K> {
    /// To [`Request::Establish`]: nothing deletes this incarnation of the resource before the transaction has ended.
    Established {
        /// The incarnation.
        incarnation: u64,
    },
    /// To [`Request::Establish`]: the resource does not exist.
    Missing,
    /// To [`Request::Establish`]: the resource is being deleted.
    Deleting,
    /// To [`Request::Confirm`].
    Confirmed,
    /// To [`Request::Status`].
    Status {
        /// The state of the transaction.
        status: Status,
    },
    /// To [`Request::Check`].
    Checked {
        /// The resources that forbid the deletion.
        blockers: Vec<Blocker<K>>,
        /// True if anything depends on the resource.
        depends: bool,
    },
    /// To [`Request::Deleted`].
    Depends {
        /// True if anything depends on the resource still.
        depends: bool,
    },
}

/// The state of a transaction of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It may commit.
    Open,
    /// It has committed.
    Committed,
    /// It has not committed and never will, or its references have been confirmed already.
    Ended,
}

/// A resource that forbids the deletion of one that it refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Blocker<K> {
    /// The resource.
    pub referrer: K,
    /// The very field of it.
    pub place: String,
}

impl<D, K> Request<D, K> {
    /// The number of the transaction whose state is requested; `None` if it is another request.
    pub const fn number(&self) -> Option<u64> {
        match self {
            Self::Status { id, .. } => Some(id.number),
            Self::Establish { .. } | Self::Confirm { .. } | Self::Check { .. } | Self::Deleted { .. } => None,
        }
    }

    /// The resource of the owner that it is about.
    pub fn key(&self) -> &K {
        match self {
            Self::Establish { key, .. }
            | Self::Confirm { key, .. }
            | Self::Status { key, .. }
            | Self::Check { key }
            | Self::Deleted { key, .. } => key,
        }
    }
}
