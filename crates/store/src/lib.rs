//! Resources in one place: metadata, versions, phases, finalizers, owners; transactions; watch.
//!
//! The model is that of COSI's state: a resource is a [`Key`] (namespace, kind, id), [`Metadata`] that the
//! store maintains strictly, and a [`Spec`] that it does not interpret. Writers use optimistic concurrency; a
//! client that still needs a resource that is tearing down holds a finalizer on it; a resource belongs to the
//! owner that created it.
//!
//! Every write is a [`Transaction`]: all of it or nothing, one [`Revision`], one event for each resource that it
//! changed overall. [`Store::commit_with`] builds one from what no other writer changes meanwhile. Content is
//! shared and not copied, so a list costs nothing; a [`View`] is one revision of all kinds. A [`BackingStore`]
//! keeps what has to outlive the process.
//!
//! **What is guaranteed**
//! - *Read your writes*: once a commit has returned, every read, list and new watch of this process shows it.
//! - A [`Snapshot`] is the content of the store at one revision, and never changes.
//! - A watch sees the changes of a kind in the order in which they happened, each once. One that falls behind
//!   what the log holds receives an event for that and then the whole state again; it never delays a writer
//!   and never ends for it.
//! - Memory is bounded by the resources, [`Options::log_bytes`] and one snapshot for each watch that is behind.
//! - No lock is held while code of the caller runs, except the one that orders writers: during
//!   [`BackingStore::commit`] and while [`Store::commit_with`] builds a transaction, others read and watch, and
//!   only writers wait. With a [`Writer`] these do not wait for each other's writes either: transactions that are
//!   submitted while the backing store works are built on those before them, and are then written together.
//! - Readers and watches never see what the backing store has not kept, and no result is known before.
//!
//! **Stricter than upstream** (COSI's own implementations allow these): a resource created again under an old
//! key has another [`Uid`], so a stale writer cannot change it; owner, phase and finalizers are only changed
//! by their own verbs, never by an update; no resource returns from tearing down; no finalizer is added to a
//! resource that is tearing down; tearing down a resource again still checks the owner; an update that
//! changes nothing causes no event.
//!
//! Time is a parameter ([`Clock`]); there is no randomness; maps whose order is visible are ordered.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod codes;
pub mod testing;

mod actor;
mod backing;
mod bookmark;
mod change_log;
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
mod overlay;
mod query;
mod queue;
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
mod submission;
mod transaction;
mod typed;
mod verbs;
mod view;
mod waiting;
mod watch;
mod writer;
mod writing;

pub use actor::Actor;
pub use backing::{BackingStore, Change, ChangeCheck, Commit, Counters, MemoryBacking};
pub use bookmark::{Bookmark, Position};
pub use change_log::{ChangeLog, LoggedChange};
pub use clock::Clock;
pub use closing::Closing;
pub use date_time::DateTime;
pub use error::StoreError;
pub use event::{Event, ResyncReason};
pub use glob::Glob;
pub use key::{Key, Kind};
pub use metadata::{
    Annotations, Finalizers, Labels, Metadata, Millis, Origin, Phase, Revision, Uid, whole_millis,
};
pub use options::Options;
pub use query::{Op, OwnedBy, Query, Term};
pub use resource::{Draft, Resource};
pub use scope::{From, Scope};
pub use snapshot::{Iter, Snapshot};
pub use spec::Spec;
pub use stats::{KindStats, Stats};
pub use store::Store;
pub use submission::Submission;
pub use transaction::{Committed, Expectation, Operation, Transaction, UpdateOptions};
pub use typed::Typed;
pub use view::View;
pub use watch::Watch;
pub use writer::Writer;
pub use writing::Writing;
