//! Protobuf files of services in the manner of Goten: message types, and what their options say about resources and
//! methods.
//!
//! [`read`] never fails and follows no imports: a user may have one file of many. Types that no file declares are
//! foreign ones, by their full names. Options are read from their text, so the files that declare them are not needed;
//! a mistake in one is a diagnostic under the codes `proto/…`. The syntax of files is a library's; the text format of
//! options is read here, so that a mistake in one has a place. [`Protos::typed_fields`] lists the references of a
//! message through all messages that were read.
//!
//! The structures of options serialize as in the generated descriptions of services, in `snake_case`.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod access;
mod aggregate;
mod api;
mod classes;
pub mod codes;
mod decode;
mod file;
mod meaning;
mod merge;
mod message;
mod option;
mod package;
mod path_use;
mod place;
mod read;
mod references;
mod resource;
mod rules;
mod service;
mod storage;
mod syntax;
mod token;
mod types;

pub use access::{Audit, AuditLabel, IamCheck, IamChecks, PromotedLabels};
pub use api::{Api, HttpRule, Method, ObjectPaths, Routing, Transaction};
pub use package::{Package, Place, Protos};
pub use read::{ProtoText, read};
pub use references::{NamedField, Reference, TypedFields, Unread};
pub use resource::{Pager, Resource, SyncType};
pub use service::{Import, Service};
pub use storage::{
    Cache, CacheQuery, Composite, IndexFilter, Indices, QueryPatterns, Search, SingleIndex, SortingGroup,
};
