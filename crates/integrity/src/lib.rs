//! References that hold, over a [`store::Store`].
//!
//! A [`Model`] declares the kinds, their parents, the kinds that their fields refer to, and the effects of deleting the other
//! resource. [`Transactions`] read and write resources under it: reads come from one revision, writes are kept until the
//! commit, which is refused if anything read has changed, if a reference would lead to nothing, or if a deletion is blocked. A
//! [`Plugin`] sees every commit and may refuse it. A [`ReadCache`] is a plugin: commits remove from it what they have changed.
//!
//! Referrers of a resource are found by labels, which the store indexes and keeps with the resource. One function, [`plan`],
//! decides what a deletion does, for the transactions and for the [`DeletionPreview`], so the preview cannot differ from the
//! deletion. The part of a deletion that is left for later is [`Work`]: it is derived from what is stored, so there is no queue
//! to lose. Deletions that can get stuck are found from the kinds alone, by [`stuck_deletions`].
//!
//! **Guarantees**
//! - A new reference leads to a resource that exists and is not being deleted, in every interleaving of transactions.
//! - A reference with a synchronous behaviour never leads to nothing. One with an asynchronous behaviour does so only while
//!   there is [`Work`] for it; meanwhile nothing of the old name can be created.
//! - [`DeletionPreview`] has the effects of the deletion and its asynchronous work, if nobody else writes.
//! - The cost of a deletion is that of the deleted resources and of their referrers; nothing is scanned.
//!
//! Resources of other deployments, which [`NameResolver::owner_of`] names, are referred to by the protocol of
//! [`regions::references`]: a transaction that would refer to one, or delete what others refer to, is refused with
//! what has to be agreed first, and is submitted again with the [`Agreements`]. The records of it are stored with the
//! resources, in the same transactions.
//!
//! A resource is JSON in a [`store::Resource`], under the kind `service/Kind` and its name as the id. Names are texts here;
//! [`NameResolver`] knows parents and regions. Two services may have resources of the same name, so a [`store::Key`], not a
//! name, identifies one.
//!
//! ```
//! use std::sync::Arc;
//!
//! use fields::schema::DeleteBehavior;
//! use planloom_integrity::{
//!     Flags, KindModel, Level, MetadataPlugin, Model, NameResolver, Plugins, Rules, Transactions,
//! };
//! use serde_json::json;
//! use store::{Key, Kind, Millis, Store, testing::ManualClock};
//!
//! /// No kind has a parent here.
//! struct Flat;
//!
//! impl NameResolver for Flat {
//!     fn parent_of(&self, _: &Key) -> Option<Key> {
//!         None
//!     }
//! }
//!
//! let (site, device) = (Kind::new("inventory", "Site"), Kind::new("inventory", "Device"));
//! let field = "spec.site".parse()?;
//! let refers = KindModel::new(device.clone()).reference(field, site.clone(), DeleteBehavior::Block);
//! let (model, problems) = Model::new([KindModel::new(site.clone()), refers]);
//! assert!(problems.is_empty());
//!
//! let store = Store::in_memory(Arc::new(ManualClock::at(Millis(0))));
//! let plugins = Plugins::new(MetadataPlugin::new(|| "an id from the host".to_owned()));
//! let transactions = Transactions::new(store, Rules::new(model, Flat), plugins, Flags::default());
//! transactions.run(Level::Snapshot, |session| {
//!     session.create(device.key("devices/d"), json!({"spec": {"site": "sites/s"}}))?;
//!     session.create(site.key("sites/s"), json!({}))
//! })?;
//!
//! let preview = transactions.preview(&[site.key("sites/s")]);
//! assert_eq!(preview.blocked_by[0].field, "spec.site");
//! let refused = transactions.run(Level::Snapshot, |session| session.delete(site.key("sites/s")));
//! assert_eq!(refused.unwrap_err().code(), "integrity/blocked");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! Source of the rules: Goten's guide. Rules that the guide leaves open are decided here: resources that are deleted together
//! do not block each other; a resource that is itself being deleted neither blocks nor is changed; a resource that blocks an
//! asynchronous deletion and is due for one itself goes with it; references to owners delay nothing; a parent has to exist when
//! a child is created.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

#[cfg(feature = "deployments")]
mod agree;
mod agreements;
mod audit;
mod checks;
pub mod codes;
mod commit;
#[cfg(feature = "deployments")]
mod copies;
mod deletion;
mod due;
mod error;
mod field_path;
mod flags;
mod instances;
mod lifecycle;
mod limits;
mod link;
mod metadata;
mod model;
mod order;
mod overlay;
mod owners;
mod placed;
mod plugin;
mod preview;
mod preview_graph;
mod preview_hidden;
mod problem;
mod read_cache;
#[cfg(feature = "deployments")]
mod records;
#[cfg(feature = "deployments")]
mod regional;
mod reindex;
#[cfg(feature = "deployments")]
mod requests;
mod rules;
mod schema;
mod session;
#[cfg(feature = "deployments")]
mod source;
mod stored;
mod stuck;
mod submitted;
mod transactions;
mod usage;
mod work;
mod wrappers;

/// The namespace of the records about other deployments, which are stored beside the resources.
pub const RECORDS: &str = "integrity";

pub use agreements::Agreements;
pub use audit::{ChangeKind, ChangeLogEntry, ChangeLogPlugin, ChangeSink, NotCommitted};
pub use commit::Commit;
pub use deletion::{Blocker, Cause, Clearing, Deletion, MANY_CHILDREN, plan};
pub use error::{BrokenReference, IntegrityError, RemoteReference};
pub use field_path::{FieldPath, InvalidFieldPath};
pub use flags::Flags;
pub use instances::{InstanceMap, Instances};
pub use lifecycle::LifecycleState;
pub use limits::{LimitScope, LimitsPlugin};
pub use link::{Link, Via};
pub use metadata::MetadataPlugin;
pub use model::{KindModel, Model, Reference};
pub use placed::Placed;
pub use plugin::{Context, Plugin, Plugins, ResourceChange, Veto};
pub use preview::{
    DeletionPreview, Named, PreviewBlocker, PreviewClearing, PreviewEffects, PreviewStep, PreviewStuck,
};
pub use preview_graph::{PreviewEdge, PreviewGraph, PreviewNode, Role};
pub use preview_hidden::PreviewHidden;
pub use problem::{Problem, Severity};
pub use read_cache::{Cached, ReadCache, Reservation};
pub use rules::{NameResolver, Rules};
pub use session::{Level, List, Session};
pub use stuck::{StuckDeletion, StuckStep, stuck_deletions};
pub use submitted::Submitted;
pub use transactions::Transactions;
pub use usage::{Call, Usage, UsageCounters, UsagePlugin};
pub use work::{Outcome, Work, outcome, pending};
pub use wrappers::{Automatic, ReadOnly};
