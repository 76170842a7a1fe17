//! The semantic difference of two sides, each a set of files or a state: which resources, values and dependencies differ,
//! where each side writes them, and what applying the one does where the other is deployed.
//!
//! Files on the one side are taken as if they were deployed, and the other side is planned over that state. So there is one
//! set of rules for what differs, what it does and why: values are compared by the rules of a plan, order in files, notation
//! and comments do not count, and each difference has the reason and the effect that a plan gives it. Only the places of the
//! earlier values are looked up in addition. Secrets are in no comparison.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod applied;
mod baseline;
mod compare;
mod document;
mod edges;
mod graph;
mod normal;
mod origins;
mod reverse;
mod states;

pub use compare::{Side, compare, compare_and_draw};
