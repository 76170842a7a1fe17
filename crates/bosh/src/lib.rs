//! BOSH manifests, release job specs and operations files, read into what can be linked (notes/bosh §1, §5).
//!
//! [`sort`] tells which of these a file is. [`read`] applies operations to the manifest before them, remembering who
//! wrote what, finds the providers and consumers of every job, and checks what can be checked before anything is
//! linked. Never fails: a job that is wrong is reported, and the others are read.
//!
//! What is said follows the [`Profile`](links::Profile): in `bosh` it is the director's sentence, word for word, in
//! `strict` our own. The director stops at the first job that is wrong; here all of them are told.
//!
//! What only a deployed director knows is left open and stands as a placeholder: `((web.0.private.ip))` for the IP of
//! the first `web` in the network `private`, `((web.0.id))` for the id of that instance.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod dns;

mod addon;
mod cloud;
mod codes;
mod document;
mod facts;
mod filter;
mod group;
mod job;
mod manifest;
mod ops;
mod read;
mod reporter;
mod shape;
mod sort;
mod spec;
mod value;
mod variable;

pub use document::{Document, DocumentKind, ReadResult};
pub use read::{properties, read};
pub use sort::sort;
