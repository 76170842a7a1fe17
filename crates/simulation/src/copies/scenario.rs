use std::collections::BTreeSet;

use super::{NodeId, ResourceId};
use crate::Faults;

/// The deployments of a world, and what clients may do in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scenario {
    /// The regions that keep copies.
    pub readers: BTreeSet<NodeId>,
    /// The readers that the policy has in the beginning.
    pub policy: BTreeSet<NodeId>,
    /// The readers that clients may add to the policy and remove from it.
    pub policy_changes: BTreeSet<NodeId>,
    /// The resources that clients may write and delete.
    pub resources: BTreeSet<ResourceId>,
    /// The resources that exist in the beginning. The log of the owner begins after them.
    pub existing: BTreeSet<ResourceId>,
    /// True if the readers have copied these already.
    pub synchronized: bool,
    /// The number of requests of clients.
    pub requests: u8,
    /// The number of writes that the log holds.
    pub log: usize,
    /// The number of writes that are read for one message, of resources that a page has, and of copies that are compared with
    /// it in one transaction.
    pub page: usize,
    /// The number of tombstones for which changes after a gap have room.
    pub tombstones: usize,
    /// The number of faults.
    pub faults: Faults,
}
