//! The API of a service, as its specification implies it: requests of HTTP in, responses out, resources in a store.
//!
//! [`Api::answer`] finds the method of a request by its routes, reads its parameters, and executes it over
//! [`integrity::Transactions`], so that references hold. The [`Router`] decides by the collections of a path, which identify
//! most methods, and tries patterns only where ids may contain slashes. Each standard method is a file that reads its
//! parameters and submits a transaction. A [`Reply`] is complete, a stream, or awaited: a write that is being stored, or a
//! hook. Methods that the specification adds are executed by [`Hooks`], or answered with 501. With an access policy each
//! request needs a [`Caller`] who has the permission of the method for what it names.
//!
//! JSON is that of proto3. An error of a request is a [`Problem`] (RFC 9457) with its place: a parameter with its byte, a
//! pointer into the body, or the resource that forbids a deletion.
//!
//! There is no IO, no clock and no randomness here: hosts serve the responses, and give ids.
//!
//! **Guarantees**
//! - A response to a write is sent after the write is stored; a refused one changes nothing.
//! - Every request gets a response that its OpenAPI document lists.
//! - Several versions of a service are served over the same resources, if these need no conversion: each version shows its fields,
//!   and a write keeps those of the others.
//! - Versions that need a conversion are served by who implements `OldVersions`: their requests come here as
//!   those of the new version (feature `conversions`).
//! - The cost of a page of a list in order of names depends on the resources that are read until it is full, not on the
//!   collection.
//!
//! Source of the rules: Goten's guide (source: goten-sdk), Google's `google.api.http`.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

#[cfg(feature = "neighbors")]
mod agreeing;
mod answer;
pub mod codes;
#[cfg(feature = "neighbors")]
mod copying;
mod custom;
mod direct;
mod etag;
mod field_permissions;
mod hooks;
mod json;
mod kinds;
mod methods;
mod mismatch;
#[cfg(feature = "conversions")]
mod old_versions;
mod parameters;
#[cfg(feature = "neighbors")]
mod peers;
mod permissions;
mod problem;
mod query;
#[cfg(feature = "neighbors")]
mod region_status;
#[cfg(feature = "neighbors")]
mod regional;
mod regions;
mod resolver;
mod router;
mod rules;
mod server;
mod topology;
mod transaction;
mod unserved;
mod values;
mod versions;

pub use answer::UNCHECKED as UNCHECKED_REFERENCES;
#[cfg(feature = "neighbors")]
pub use copying::{AgreedRegions, CopyReader, CopyRequest, CopyStatus, changed};
pub use direct::DirectRequest;
pub use hooks::{Hook, HookRequest, Hooks, NoHooks};
pub use mismatch::{MismatchReason, MismatchedResources};
#[cfg(feature = "conversions")]
pub use old_versions::{Completion, OldVersions, query_pairs, read_body};
#[cfg(feature = "neighbors")]
pub use peers::{Neighbors, Peers};
pub use permissions::Caller;
pub use problem::{Problem, Violation};
#[cfg(feature = "neighbors")]
pub use region_status::RegionStatus;
pub use router::{Match, Miss, Router};
pub use rules::{
    UnservableServices, check_versions, checked_rules_of_all, references, rules, rules_among, rules_of_all,
    stored_kind,
};
pub use server::{Api, Ids, LastPart, LongBody, Reply, Settings};
pub use topology::{PolicyReader, ServiceRegions, Topology};
pub use transaction::ApiTransaction;
pub use unserved::{UnservedPolicy, UnservedReference, unserved_references};
