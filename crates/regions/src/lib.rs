//! The protocols between deployments: services that import each other, in several regions.
//!
//! Each protocol is a set of records that a deployment keeps with its resources, and functions that change them: a request or
//! a reply comes in, requests and replies go out, and time is a parameter. There is no IO here, no clock and no randomness. A
//! host executes each function inside one transaction of its store, so that records and resources change together; the
//! exploration in `tests/exploration` executes the same functions over small states, in every order that is possible.
//!
//! A *deployment* is one service in one region ([`Deployment`]). The protocols are generic in what names deployments (`D`) and
//! resources (`K`), so that an exploration may use numbers.
//!
//! Source of the rules: Goten's guide, "Goten Design concepts" and "Goten Flow Implementation".
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod deployment;
pub mod references;

pub use deployment::{Deployment, Name};
