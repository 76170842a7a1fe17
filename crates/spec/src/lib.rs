//! Service specifications: which resources a service has, how they are named, and which methods it serves.
//!
//! A specification is a YAML file, Goten's *api-skeleton*. [`read`] turns one into a [`Skeleton`], which has a place for
//! every value and nothing added. [`resolve`] turns several, imports included, into [`Services`]: defaults filled in,
//! patterns of names computed, standard methods added, each method with its HTTP routes and its permission. [`schema`] makes
//! the types of messages. None of them fails: they return a result and diagnostics. [`compare`] gives the changes between
//! two versions, and their effect on clients.
//!
//! Source of the rules: Goten's guide, "Service specification", and what was generated from real specifications. These
//! results are the oracle of the tests (`tests/spec/real.rs`), with every exception named.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod codes;
mod compare;
mod id_pattern;
mod lints;
mod opt_out;
mod permission;
mod read;
mod resolve;
mod schema;
mod service;
pub mod skeleton;
mod spanned;
mod unused_imports;
mod version;
mod words;

pub use compare::{
    Change, ChangeClass, ChangeKind, ChangeSubject, Side, check_coexistence, check_succession, compare,
};
pub use permission::{permission_name, permissions};
pub use read::read;
pub use resolve::{Input, resolve};
pub use schema::schema;
pub use service::{
    Api, Features, Kind, KindId, Method, RegionScope, Route, RoutingRule, Service, Services, StandardMethod,
};
pub use skeleton::Skeleton;
pub use spanned::Spanned;
pub use unused_imports::unused_imports;
pub use version::compare as compare_versions;
pub use words::{lower_camel as lower_camel_case, snake as snake_case};
