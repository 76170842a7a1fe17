//! Write an adapter in four methods; the simulator; the conformance suite.
//!
//! An [`Adapter`] creates, reads, updates and destroys one real thing at a time. A [`Service`] puts it behind the
//! protocol: it checks tokens and keys, remembers what was asked for in a [`Ledger`], answers calls that were sent
//! before as it did then, goes on with long work after its caller left, and lets at most one call work on a resource.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod adapter;

pub use adapter::{Adapter, Asked, Known, Seen};
