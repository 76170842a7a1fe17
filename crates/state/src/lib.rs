//! The snapshot format, leases, and state backends without IO.
//!
//! A [`Snapshot`] is what a deployment is known to have made, and a journal of what is being done. It grows by
//! [`Commit`]s, each with the next serial; a [`Backend`] keeps them and refuses a writer whose serial is old. One that
//! can append keeps only the changes; one that cannot writes the whole.
//!
//! Secrets are never kept in clear: a sensitive value is a mark from which one can tell that it changed, not what it is.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod advice;
mod backend;
mod change;
pub mod checksum;
mod diff;
mod encryption;
mod entry;
pub mod etcd;

mod lease;
mod memory;
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
pub use diff::{Changed, Difference, DifferenceKind, diff};
pub use encryption::{Encryption, SealedPart};
pub use entry::{Adapter, Entry, Intent};
pub use lease::{Claim, Holder, Lease};
pub use memory::MemoryBackend;
pub use random::Random;
pub use read::ReadError;
pub use recorded::ResourceIdentity;
pub use secret::{
    Marks, holds_mark, is_mark, marks_in, template, to_value, unseal, unseal_all, unseal_resource,
};
pub use snapshot::Snapshot;

/// How many versions are kept where nothing else is said.
pub const HISTORY: usize = 20;
