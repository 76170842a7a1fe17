use std::collections::{BTreeMap, BTreeSet};

use super::ResourceId;
use crate::{Faults, registry::Id};

/// The deployments of a world, and what clients and users may do in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scenario {
    /// The regions, with the versions that the program has there.
    pub regions: BTreeMap<Id, Vec<Id>>,
    /// The servers of each region.
    pub servers: BTreeSet<Id>,
    /// The servers among them that start after the beginning.
    pub late: BTreeSet<Id>,
    /// The number of servers that end for ever.
    pub stops: u8,
    /// The copiers of each region.
    pub copiers: BTreeSet<Id>,
    /// The number of shards.
    pub shards: u16,
    /// The resources that clients may write.
    pub resources: BTreeSet<ResourceId>,
    /// Those that exist in the beginning.
    pub existing: BTreeSet<ResourceId>,
    /// True if the storages of all versions are equal in the beginning.
    pub synchronized: bool,
    /// The number of upgrades that users begin.
    pub upgrades: u8,
    /// The number of upgrades that they cancel.
    pub cancels: u8,
    /// The number of writes of clients.
    pub requests: u8,
    /// The number of faults.
    pub faults: Faults,
}
