//! The snapshot format, leases, and state backends without IO.
//!
//! A [`Snapshot`] contains the resources that a deployment is known to have created, and a journal of writes
//! in progress. An [`Entry`] records which instance of which [`Adapter`] created the resource. A snapshot
//! grows by [`Commit`]s, each with the next serial; a [`Backend`] keeps them under a [`Lease`] and refuses a
//! writer whose serial is outdated. A backend that can append writes only the changes; one that cannot writes
//! the whole.
//!
//! Backends send requests by a `protocol::Transport` and have no IO of their own. After a lost answer they
//! read what was stored. [`testing::CASES`] is what every backend must do, in this crate and in others.
//!
//! Secrets are never kept in clear: a sensitive value is replaced by a mark, which shows that it changed, but
//! not its value. [`Encryption`] encrypts all that is stored.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod advice;
mod backend;
mod change;
pub mod checksum;
pub mod codes;
mod diff;
mod encryption;
mod entry;
pub mod etcd;

mod lease;
mod memory;
mod moves;
mod random;
mod read;
mod recorded;
mod restore;
mod secret;
mod snapshot;
pub mod strict;
pub mod terraform;
pub mod testing;
mod write;

pub use advice::{latest_intact_version, with_repair_advice};
pub use backend::{Backend, BackendError, RepairReport, Version};
pub use change::{Change, Commit};
pub use diff::{Changed, Difference, DifferenceKind, diff, leaves};
pub use encryption::{Encryption, SealedPart};
pub use entry::{Adapter, Entry, Intent, Restarts};
pub use lease::{Claim, Holder, Lease};
pub use memory::MemoryBackend;
pub use random::Random;
pub use read::ReadError;
pub use recorded::ResourceIdentity;
pub use secret::{
    Marks, holds_mark, is_mark, marks_in, template, to_value, unseal, unseal_all, unseal_resource,
};
pub use snapshot::Snapshot;

/// The default number of versions to keep.
pub const HISTORY: usize = 20;
