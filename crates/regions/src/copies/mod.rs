//! Copies of resources in other regions of the same service.
//!
//! # The protocol
//!
//! A resource is written in one region, its *owner*. A policy says to which other regions it is copied; such a region is a
//! *reader*. A copy has the revision that the resource has at its owner, where each transaction has a revision of its own,
//! greater than those of all transactions before, and writes a resource once. If the policy changes, the owner writes each resource [again](outdated), with the regions
//! to which it is copied now: so the addition and the removal of a region are changes like others, with a revision.
//!
//! *Changes.* The owner has a log of its last writes. A reader [watches](Request::Watch) it after a revision, and the owner
//! sends [changes](Changes): all those between two revisions that concern this reader. If a resource was deleted or the reader
//! was removed from its regions, the change says that there is no copy. The reader records the revision up to which its copies
//! are [complete](Progress::complete). It applies changes after a gap too, and asks again for those in the gap.
//!
//! *Live first, then a snapshot.* If the log does not reach back to what is complete, as for a new reader, the owner [says
//! so](Resync) and sends changes from now on. The reader applies these at once. Then it reads a [snapshot](Snapshot), page by
//! page: it creates and updates what is missing, and deletes the copies in the range of a [page](Page) that the page does not
//! have, except those that were changed after the page was read. Pages may be of different revisions. When all pages were
//! read and the changes reach to the newest of them, the copies are complete up to the end of the changes.
//!
//! *Deletions.* Where a deletion is known and a message might say otherwise, the reader records a
//! [tombstone](Progress::tombstones), with the revision at which there was no copy any more.
//!
//! *Parts.* A reader may take a long message in [parts](Reply::parts), each in a transaction of its own.
//!
//! *Bounds.* The owner keeps a number for each reader, in memory. The reader records a few numbers, a key, and tombstones: a
//! limited number, and one for each copy that a page has deleted. One transaction applies a page to a limited number of
//! copies. Everything is recorded in the transaction that writes the copies, so a reader that starts again continues, also in
//! the middle of a snapshot.
//!
//! # Why it is right
//!
//! 1. *No message becomes wrong.* Each says what was so at a revision, or between two: that a resource had this value, that
//!    nothing else has changed, that a range of keys had no other resources. So it does not matter which request it answers, or
//!    whether it is lost, doubled or late. The reader has only to compare revisions.
//! 2. *No copy goes back.* The state of a resource is known at a revision: that of its copy, or that of its tombstone. A change
//!    or a page replaces it only by one of a greater revision.
//! 3. *No late change undoes a deletion.* A change up to the revision that is [watched](Progress::watched) is never applied: the
//!    copies contain it, or the snapshot will. So a tombstone guards against changes only while its revision is greater. If
//!    there is no room for the tombstones of changes after a gap, these changes count as lost, which is always possible.
//! 4. *No late page undoes a deletion.* Once its revision is watched, a tombstone guards against pages that were read before the
//!    deletion, and only if the range of the resource is still to be read. If there are too many, the oldest is forgotten, and
//!    pages that are older than it are [refused](Snapshot::oldest) from then on.
//! 5. *No snapshot undoes a change.* A copy is deleted as superfluous only if its revision is not greater than that of the
//!    page. One with a greater revision was changed after the page was read.
//! 6. *No change is missed.* Each page is at least as new as the beginning of the changes: therefore the changes come first.
//!    So after the last page each resource is known at that revision or later, and all changes from there on were applied
//!    without a gap.
//! 7. *What is complete is so at one revision.* A page may be newer than the changes so far, and then a resource of which it says
//!    nothing may be created by a change that is older than the page. So the copies are called complete only when the changes
//!    reach to the newest page.
//! 8. *It ends.* Each request is derived from the record and repeated until the record has changed. The revision that is watched
//!    never decreases, so each answer that begins a snapshot is taken once. A snapshot ends if the log can hold what is written
//!    while it is read; otherwise it begins again.
//!
//! The guide goes back a minute with the changes, because it compares the versions of single resources. Here all resources of
//! an owner share one sequence of revisions, and nothing is gained by going back.
//!
//! An assumption is that an owner never uses a revision twice. One that is restored from a backup has to continue with
//! revisions that it never had, as etcd does with `--bump-revision`.

mod message;
mod owner;
mod parts;
mod reader;
mod record;
mod source;
mod versions;

pub use message::{Change, Changes, Page, Reply, Request, Resync, Versioned};
pub use owner::{Watches, page};
pub use reader::{Limits, Reader};
pub use record::{Copies, Progress, Snapshot, Unread};
pub use source::{Entry, Resource, Source, outdated};
pub use versions::{VersionSets, Versions};
