//! The snapshot format, leases, and state backends without IO.
//!
//! A [`Snapshot`] is what a deployment is known to have made, and a journal of what is being done. It grows by
//! [`Commit`]s, each with the next serial; a [`Backend`] keeps them and refuses a writer whose serial is old. One that
//! can append keeps only the changes; one that cannot writes the whole.
//!
//! Secrets are never kept in clear: a sensitive value is a mark from which one can tell that it changed, not what it is.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod backend;
mod change;
mod entry;
mod lease;
mod memory;
mod snapshot;

pub use backend::{Backend, BackendError, Version};
pub use change::{Change, Commit};
pub use entry::{Entry, Intent};
pub use lease::{Claim, Holder, Lease};
pub use memory::MemoryBackend;
pub use snapshot::Snapshot;
