//! Write an adapter in four methods; the simulator; the conformance suite.
//!
//! An [`Adapter`] creates, reads, updates and destroys one real thing at a time. A [`Service`] puts it behind the
//! protocol: it checks tokens and keys, remembers what was asked for in a [`Ledger`], answers calls that were sent
//! before as it did then, goes on with long work after its caller left, and lets at most one call work on a resource.
//!
//! ```text
//! request ──▶ Deliver ──▶ Delivered { response, delivery } ──▶ a server's socket, or LocalTransport
//!               │
//!               Faulty (orders of a test) ──▶ Service ──▶ Adapter (yours, or the Simulator)
//! ```
//!
//! - [`Simulator`] is an adapter for every kind, with latency, failures and drift to order; it runs in a page too.
//! - [`Faults`] spoil answers on their way: what the network and broken servers do.
//! - [`conformance::run`] holds any adapter, in any language, to the protocol.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod conformance;
pub mod testing;

mod adapter;
mod cors;
mod deliver;
mod faults;

mod gather;
mod glob;
mod ledger;
mod local;
mod random;
mod service;
mod simulator;

mod which;

pub use adapter::{Adapter, Asked, Known, Seen};
pub use cors::Cors;
pub use deliver::{Deliver, Delivered, Delivery};
pub use faults::{Fault, FaultOrder, Faults, Faulty};

pub use ledger::{Ledger, MemoryLedger, Record};
pub use local::LocalTransport;
pub use service::{Limits, Service, Setup, Spawn};
pub use simulator::{Carried, Drift, Knobs, Latency, Order, Simulator, Tally, Thing, What};

pub use which::Which;
