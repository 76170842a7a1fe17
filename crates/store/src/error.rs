use std::{error, fmt, sync::Arc};

use crate::{Finalizers, Key, Phase, Uid, codes};

/// The reason why the store refused a request. Its text is one line for people; programs use the variant or
/// [`code`](Self::code).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such resource.
    NotFound {
        /// Its name.
        key: Key,
    },
    /// It exists already, with any owner.
    AlreadyExists {
        /// Its name.
        key: Key,
    },
    /// The writer had read another version.
    VersionConflict {
        /// Its name.
        key: Key,
        /// The version that the writer had read.
        expected: u64,
        /// The stored version.
        found: u64,
    },
    /// The writer had read a resource that has been destroyed; another one has its key now.
    UidConflict {
        /// Its name.
        key: Key,
        /// The uid that the writer had read.
        expected: Uid,
        /// The stored uid.
        found: Uid,
    },
    /// It belongs to another owner.
    OwnerConflict {
        /// Its name.
        key: Key,
        /// Its owner; `None` is the user.
        owner: Option<Arc<str>>,
    },
    /// It is in another phase than the request requires.
    PhaseConflict {
        /// Its name.
        key: Key,
        /// The required phase.
        expected: Phase,
        /// Its phase.
        found: Phase,
    },
    /// It has finalizers, so it cannot be destroyed.
    PendingFinalizers {
        /// Its name.
        key: Key,
        /// Its finalizers.
        finalizers: Finalizers,
    },
    /// An invalid argument: a name, a spec, a query.
    Invalid {
        /// The argument.
        what: String,
        /// The reason.
        why: String,
    },
    /// A bookmark of another kind or store, or of events that the log does not hold any more or not yet.
    InvalidBookmark {
        /// The reason.
        why: String,
    },
    /// Invalid options of the store.
    InvalidOptions {
        /// The reason.
        why: String,
    },
    /// The backing store failed; nothing changed.
    Backing {
        /// Its error message.
        why: String,
    },
    /// The store was closed.
    Cancelled,
}

impl StoreError {
    /// A stable name: `store/not-found`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => codes::NOT_FOUND.as_str(),
            Self::AlreadyExists { .. } => codes::ALREADY_EXISTS.as_str(),
            Self::VersionConflict { .. } => codes::VERSION_CONFLICT.as_str(),
            Self::UidConflict { .. } => codes::UID_CONFLICT.as_str(),
            Self::OwnerConflict { .. } => codes::OWNER_CONFLICT.as_str(),
            Self::PhaseConflict { .. } => codes::PHASE_CONFLICT.as_str(),
            Self::PendingFinalizers { .. } => codes::PENDING_FINALIZERS.as_str(),
            Self::Invalid { .. } => codes::INVALID.as_str(),
            Self::InvalidBookmark { .. } => codes::INVALID_BOOKMARK.as_str(),
            Self::InvalidOptions { .. } => codes::INVALID_OPTIONS.as_str(),
            Self::Backing { .. } => codes::BACKING.as_str(),
            Self::Cancelled => codes::CANCELLED.as_str(),
        }
    }

    /// True if it was caused by the stored state: the same request may succeed after another read, or another
    /// client's write.
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::AlreadyExists { .. }
            | Self::VersionConflict { .. }
            | Self::UidConflict { .. }
            | Self::OwnerConflict { .. }
            | Self::PhaseConflict { .. }
            | Self::PendingFinalizers { .. } => true,
            Self::NotFound { .. }
            | Self::Invalid { .. }
            | Self::InvalidBookmark { .. }
            | Self::InvalidOptions { .. }
            | Self::Backing { .. }
            | Self::Cancelled => false,
        }
    }

    /// True if there is no such resource.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// The resource it is about.
    pub fn key(&self) -> Option<&Key> {
        match self {
            Self::NotFound { key }
            | Self::AlreadyExists { key }
            | Self::VersionConflict { key, .. }
            | Self::UidConflict { key, .. }
            | Self::OwnerConflict { key, .. }
            | Self::PhaseConflict { key, .. }
            | Self::PendingFinalizers { key, .. } => Some(key),
            Self::Invalid { .. }
            | Self::InvalidBookmark { .. }
            | Self::InvalidOptions { .. }
            | Self::Backing { .. }
            | Self::Cancelled => None,
        }
    }

    pub(crate) fn invalid(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Invalid { what: what.into(), why: why.into() }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { key } => write!(f, "`{key}` does not exist"),
            Self::AlreadyExists { key } => write!(f, "`{key}` exists already"),
            Self::VersionConflict { key, expected, found } => {
                write!(f, "`{key}` is at version {found}, not {expected}")
            }
            Self::UidConflict { key, expected, found } => {
                write!(f, "`{key}` was recreated: its uid is {found}, not {expected}")
            }
            Self::OwnerConflict { key, owner: Some(owner) } => write!(f, "`{key}` belongs to `{owner}`"),
            Self::OwnerConflict { key, owner: None } => write!(f, "`{key}` belongs to the user"),
            Self::PhaseConflict { key, expected, found } => write!(f, "`{key}` is {found}, not {expected}"),
            Self::PendingFinalizers { key, finalizers } => {
                let names: Vec<&str> = finalizers.iter().map(|name| &**name).collect();
                write!(f, "`{key}` is still needed by {}", names.join(", "))
            }
            Self::Invalid { what, why } => write!(f, "invalid {what}: {why}"),
            Self::InvalidBookmark { why } => write!(f, "invalid bookmark: {why}"),
            Self::InvalidOptions { why } => write!(f, "invalid options: {why}"),
            Self::Backing { why } => write!(f, "nothing was written: {why}"),
            Self::Cancelled => f.write_str("the store is closed"),
        }
    }
}

impl error::Error for StoreError {}
