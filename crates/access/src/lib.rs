//! One way to the resources of services, wherever they are.
//!
//! [`Access`] is the standard methods of Goten's services (source: goten-sdk), as futures. [`StoreAccess`] executes them over
//! a store in the same process, through `Api::execute`. [`HttpAccess`] builds requests from the routes of a specification and
//! sends them through `protocol::Transport`; each write is one effect there, too, because after a lost reply it reads what
//! was stored. [`ByService`] uses one of them for each service. All pass the same contract (`tests/access/contract.rs`), in
//! process and over the network.
//!
//! A [`Watcher`] combines several watches into one set of resources, and reports when it is not in sync. It does no IO: the
//! streams and the clock belong to its owner.
//!
//! Nothing here assumes that a server is ours: problems are read from RFC 9457, from `google.rpc.Status` and from plain text,
//! versions from `ETag`, the field `etag` or `metadata.resourceVersion`, and methods that a specification writes out are used
//! in place of standard ones of the same name.
//!
//! # What is tried again
//!
//! | what happened | get, list | create | update | delete |
//! |---|---|---|---|---|
//! | 429, or nothing was sent | again | again | again | again |
//! | the reply was lost; 502, 503, 504 | again | read back: equal is success, absent is sent again | read back: equal is success, the expected version is sent again | again, absent is success |
//! | 409 already exists | – | after a lost reply: read and compare; else an error | – | – |
//! | 412, 409 aborted, with an expected version | – | – | after a lost reply: read and compare; else an error | the same |
//! | 409 aborted, without one | – | again | again | again |
//! | everything else | error | error | error | error |
//!
//! There are at most [`Retries::attempts`] requests, with the server's `Retry-After` or exponential delays between them.
//! Names are chosen by clients, so nothing is created twice.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod access;
mod by_service;
mod compare;
mod error;
mod http;
mod resource;
mod store;
mod watcher;

pub use crate::{
    access::{Access, ListQuery, Update},
    by_service::ByService,
    compare::has_all,
    error::{AccessError, ErrorKind, FieldViolation},
    http::{HttpAccess, Retries, Server},
    resource::{Resource, Version},
    store::StoreAccess,
    watcher::{Watcher, WatcherEvent},
};
