//! BOSH manifests, release job specs and operations files, read into providers and consumers.
//!
//! [`sort`] determines which of these a file is. [`read`] applies operations to the file before them, which may be any YAML
//! document, replaces variables by the values of variables files, and records the history of values, so that each has an
//! origin. Then it reads manifests and specs into a [`LinkModel`](links::LinkModel): it finds the providers and consumers of
//! every job, and checks what can be checked before links are resolved. Never fails: an invalid job is reported, and the others
//! are read.
//!
//! The messages depend on the [`Profile`](links::Profile): in `bosh` they are those of the director, word for
//! word, in `strict` our own. The director stops at the first invalid job; here all of them are reported.
//!
//! Values that only a deployed director knows are left open as placeholders: `((web.0.private.ip))` for the
//! IP of the first `web` in the network `private`, `((web.0.id))` for the id of that instance.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod dns;

mod addon;
mod cloud;
pub mod codes;
mod document;
mod facts;
mod filter;
mod group;
mod interpolation;
mod job;
mod manifest;
mod ops;
mod read;
mod reporter;
mod shape;
mod sort;
mod sources;
mod spec;
mod value;
mod variable;

pub use document::{Document, DocumentKind, ReadResult};
pub use read::{properties, read};
pub use sort::sort;
