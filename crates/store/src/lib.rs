//! Resources in one place: metadata, versions, phases, finalizers, owners; transactions; watch.
//!
//! The model is that of COSI's state: a resource is a [`Key`] (namespace, kind, id), [`Metadata`] that the store
//! keeps strictly, and a [`Spec`] it never looks into. Writers use optimistic concurrency; whoever still needs a
//! resource that is going holds a finalizer on it; a resource belongs to the one that created it.
//!
//! Every write is a [`Transaction`]: all of it or nothing, one [`Revision`], one event for each resource that it
//! changed on the whole.
//!
//! **What is guaranteed**
//! - *Read your writes*: once a commit has returned, every read, list and new watch of this process shows it.
//! - A [`Snapshot`] is what the store held at one revision, and stays so.
//! - A watch sees the changes of a kind in the order they happened, each once. One that falls behind what the log
//!   keeps is told so and shown the state anew; it never holds up a writer and never ends for it.
//! - Memory is bounded by the resources, [`Options::log_bytes`] and one snapshot for each watch that is behind.
//! - No lock is held while anything of the caller runs, but for the one that orders writers: during
//!   [`BackingStore::commit`] others read and watch, and only writers wait.
//!
//! **Stricter than upstream** (COSI's own implementations allow these): a resource created anew under an old key has
//! another [`Uid`], so a stale writer cannot hit it; owner, phase and finalizers change by their own verbs only, never
//! by an update; nothing returns from tearing down; no finalizer is added to what is tearing down; tearing down what
//! is torn down still asks for the owner; an update that changes nothing is silent.
//!
//! Time is a parameter ([`Clock`]); there is no randomness; maps whose order can be seen are ordered.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod testing;

mod actor;
mod backing;
mod bookmark;
mod clock;
mod closing;
mod collection;
mod date_time;
mod error;
mod event;
mod glob;
mod index;
mod key;
mod log;
mod metadata;
mod number;
mod opening;
mod options;
mod query;
mod readers;
mod resource;
mod resource_map;
mod scope;
mod seal;
mod snapshot;
mod spec;
mod stage;
mod state;
mod stats;
mod store;
mod transaction;
mod typed;
mod verbs;
mod waiting;
mod watch;

pub use actor::Actor;
pub use backing::{BackingStore, Change, Counters, MemoryBacking};
pub use bookmark::{Bookmark, Position};
pub use clock::Clock;
pub use closing::Closing;
pub use date_time::DateTime;
pub use error::StoreError;
pub use event::{Event, ResyncReason};
pub use glob::Glob;
pub use key::{Key, Kind};
pub use metadata::{Annotations, Finalizers, Labels, Metadata, Millis, Phase, Revision, Uid, whole_millis};
pub use options::Options;
pub use query::{Op, OwnedBy, Query, Term};
pub use resource::{Draft, Resource};
pub use scope::{From, Scope};
pub use snapshot::{Iter, Snapshot};
pub use spec::Spec;
pub use stats::{KindStats, Stats};
pub use store::Store;
pub use transaction::{Committed, Expectation, Operation, Transaction, UpdateOptions};
pub use typed::Typed;
pub use watch::Watch;
