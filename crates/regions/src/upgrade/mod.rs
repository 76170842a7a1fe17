//! The upgrade of a deployment from one version of its service to another, while it serves requests.
//!
//! # The protocol
//!
//! Each version has a *storage* of its own; the deployment's entry in the [registry](crate::registration) says which is
//! [current](ActiveVersion::current_version). [Nodes](Node) are the processes that serve requests. [Copiers](Copier) are processes
//! that make the storages of other versions *follow* the current one, shard by shard, by the protocol of
//! [copies](crate::copies): live changes, a snapshot by pages, and progress that is recorded with the data, so that it continues
//! after a restart. That goes on all the time, before an upgrade and after it.
//!
//! A user [begins](Change::Begin) an upgrade when the programs in all regions of the service [have the version](check_regions). Each
//! region has its own entry and is upgraded by itself.
//!
//! - [`INITIAL_SYNCING`](Stage::InitialSyncing): a shard is ready when it was equal to the current storage once.
//! - [`SWITCHING`](Stage::Switching): nodes refuse writes as [unavailable](NotServed::Unavailable), which clients try again.
//!   Each node [observes](Change::Observe) the stage when its writes from before have ended. When all have, a copier copies
//!   what is left and *closes* each shard, which is ready then.
//! - When all shards are ready, the other version is the current one. Nodes observe that, and when all have, writes are accepted again.
//!
//! The [`Freeze`] has the times of the beginning and the end of the refusal. Afterwards requests of older versions are answered
//! [from the current storage](ActiveVersion::read_from), and the former one follows. So a rollback is an upgrade to the older
//! version, and loses nothing. Before the switch an upgrade can be [cancelled](Change::Cancel).
//!
//! # Why it is right
//!
//! 1. *The current storage has every write.* A write goes to the storage that was current at the generation at which it began.
//!    A node says that it has observed a later one only when such writes have ended, and shards are closed only when all nodes have
//!    said so. A node that is not in the entry neither writes nor answers, and one that comes later sees the refusal with its own name. The end of a node
//!    changes the entry, so nothing that it has sent before makes it a node again.
//! 2. *All nodes answer from the same data.* Until all have observed the switch, nothing is written, so both storages are equal.
//! 3. *Nothing is copied into the current storage.* A shard is closed in its own storage, with the generation. Copying into it
//!    is begun again only by a process whose view is of a later generation. So a process that was stopped for long and continues
//!    with what it had read before changes nothing.
//! 4. *Revisions have one sequence.* A copy has the revision of the original, and the storage that becomes current continues
//!    after the revision at which both were equal. So the way back begins there, without a snapshot, and what is late is recognised
//!    by its revision.
//! 5. *Nothing of a cancelled upgrade counts.* The generation says for which one a shard is ready.
//! 6. *It ends.* What nodes and copiers owe is derived from the entry and the records, and repeated until these have changed.
//!
//! What remains is a node that has ended without saying so: writes are refused until it is started again, or one who knows that
//! it has ended [says so](Change::Leave). No clock decides that.
//!
//! Source: Goten's guide, "Upgrading process", "Ensuring server and controller can work on two versions" and "Database Migration
//! Flow", with its names of states and fields. The guide does not say how the copier knows that all servers refuse writes; the
//! observed generation, cancelling, and the refusal until all have observed the switch are decisions of Planloom.

mod change;
mod copier;
mod node;
mod refusal;
mod serving;
mod shard;
mod storage;
mod version;
mod view;

pub use change::Change;
pub use copier::Copier;
pub use node::{Node, Writing};
pub use refusal::{NotServed, NotUpgradable, check_regions};
pub use shard::{Shard, shard_of};
pub use storage::{Follower, Following, answer};
pub use version::{ActiveVersion, Freeze, Stage, UpgradeState};
pub use view::View;
