//! References to resources of other deployments.
//!
//! # The protocol
//!
//! A resource of one deployment, the *source*, refers to a resource of another one, its *owner*. The source keeps a
//! [`Remote`] for each resource that it refers to, the owner keeps [`BackReferences`] for each resource of its own that others
//! refer to: not which resources these are, only which deployments, so that they stay small.
//!
//! *Saving.* Before the source commits a new reference, it asks the owner to [establish](Request::Establish) it. The owner
//! does so if the resource exists and is not being deleted, by a *tentative* entry. After the commit the source
//! [confirms](Request::Confirm) it, and the owner makes the source a *source of references*. If the source does not commit,
//! nothing is sent: the owner [asks](Request::Status) about entries that stay tentative for long.
//!
//! *Deleting.* The owner asks each source whether its resources [block](Request::Check) the deletion. A tentative entry is
//! resolved first, by asking its source; while the transaction of that one is open, the deletion is refused. The owner commits
//! the deletion only if nothing was established since it began to ask.
//!
//! *Afterwards.* Sources that depend on what was deleted, in ways that do not block, are [told](Request::Deleted) until they
//! depend on it no more: they clear the references, or delete the resources that have them. Until then nothing of that name
//! can be created.
//!
//! # Why it is right
//!
//! 1. *A committed reference is known to the owner.* It was established before the commit, and a tentative entry is only
//!    removed when its source has said that the transaction has not committed. It says so only if the transaction is not open,
//!    and then it never commits: its number is never used again. So no clock has to be right. (The guide removes tentative entries after
//!    5 minutes; a source that commits and is then cut off for longer would be left with a reference to nothing.)
//! 2. *No reference is missed by a deletion.* When the owner begins to ask, no entry is tentative, so each reference that is
//!    committed then is from a source, and that is asked afterwards. Each one that is committed later was established later,
//!    which the owner sees, because it has increased [`BackReferences::version`].
//! 3. *Nothing is believed of another incarnation.* A resource that was deleted and created again has another number, and
//!    messages about deletions name it.
//! 4. *It ends.* Each request is derived from a record and repeated until the record has changed; each reply can be lost,
//!    doubled, or late, because what it changes is a set.
//!
//! What remains if a deployment vanishes for ever is that others wait for it: what it may refer to cannot be deleted.

mod answer;
mod checking;
mod message;
mod owner;
mod record;
mod saving;
mod source;
mod upkeep;

pub use answer::{answer, take};
pub use checking::{Checking, Tentatives, Unchecked};
pub use message::{Blocker, Reply, Request, Status};
pub use record::{BackReferences, Dependents, Records, ReferenceId, Remote, Tentative};
pub use saving::{Refused, Saving};
pub use upkeep::{confirmations, questions};
