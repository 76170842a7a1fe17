//! The regions that execute a request.
//!
//! A deployment that receives a request either executes it itself, passes it to another region, or *broadcasts* it: each of
//! several regions executes a part of it, and the results are [merged](crate::merge). That is decided here, from the method,
//! the names in the request and the policies that govern these. Sending is the work of a host.
//!
//! # The decision
//!
//! 1. A method without generated routing, or one that operates on no resource, is executed where it arrives.
//! 2. The first field with the id of a region decides, if the method has such fields and one is populated.
//! 3. A method is executed by the [owning region](Rule::executes_on_owner) if it writes, runs in a transaction, or says so. If
//!    what it operates on may have several owners, it is refused: Goten does not support such methods either.
//! 4. Another one is executed by the own region if that has all that is requested; otherwise by one that has, rather the owner
//!    or the default control region than another one; otherwise by several.
//! 5. A list is executed by region `r` if its filter says `metadata.syncing.owningRegion = r`, or else
//!    `metadata.syncing.regions CONTAINS r`. This precedes rule 4.
//!
//! # What is guaranteed
//!
//! Once all copies are made, the answer has exactly the resources that one database with everything would give: a region that
//! answers alone has all of them, and the filters of a broadcast divide them by their owners, of which each has one. Until
//! then a copy can be out of date, as each read of a copy.
//!
//! Resources in a region that a policy does not enable any more are found by their names, and by lists of that region, but
//! not by lists of all regions below the holder.
//!
//! Source: Goten's guide, "MultiRegion customizations for Action" and "Multi-Region development advice", and its definition of
//! `goten.annotations.RoutingSpec`.

mod collection;
mod decision;
mod request;

pub use collection::{Collection, CollectionHolder, CollectionRegion};
pub use decision::{Decision, Part, Portion, Unroutable};
pub use request::{Request, Rule, Subject, Transaction};
