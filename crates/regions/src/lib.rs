//! The regions of resources, and the protocols between deployments: services that import each other, in several regions.
//!
//! *Decisions* are functions of values: which region owns a resource and which have copies ([`Placement`], from
//! [`MultiRegionPolicy`] and [`SyncType`]), what a transaction may write ([`check_writes`]), which regions execute a request
//! ([`routing`]), and how their answers become one ([`merge`]).
//!
//! A *protocol* ([`references`], [`copies`], [`registration`], [`upgrade`]) is a set of records that a deployment keeps with its resources, and functions that change
//! them: a request or a reply comes in, requests and replies go out, and time is a parameter. A host executes each function
//! inside one transaction of its store, so that records and resources change together; the simulated deployments of the crate
//! `simulation` execute the same functions, and `tests/exploration` tries every order that is possible.
//!
//! There is no IO here, no clock and no randomness. A *deployment* is one service in one region ([`Deployment`]). The protocols
//! are generic in what names deployments (`D`) and resources (`K`), so that an exploration may use numbers.
//!
//! Source of the rules: Goten's guide, "Multi-region Design", "Goten Design concepts" and "Goten Flow Implementation", and the
//! definitions of its SDK (`github.com/cloudwan/goten-sdk`).
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod copies;
mod deployment;
pub mod merge;
mod ownership;
mod pairs;
mod policy;
mod policy_store;
pub mod references;
pub mod registration;
pub mod routing;
mod syncing;
mod transaction;
pub mod upgrade;

pub use deployment::{Deployment, Name};
pub use ownership::{Ownership, Placement, Unowned};
pub use policy::{CriteriaForDisabledSync, MultiRegionPolicy, PolicyMistake, PolicyProblem, SyncType};
pub use policy_store::{Governing, PolicyStore};
pub use syncing::{Syncing, SyncingFilter, replication_watches};
pub use transaction::{Uncommittable, Write, check_writes};
