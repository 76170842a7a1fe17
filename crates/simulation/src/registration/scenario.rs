use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use regions::registration::Registration;

use super::ProcessId;
use crate::{Faults, registry::Id};

/// The processes of a world, and what clients may do in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scenario {
    /// The regions that the registry has in the beginning.
    pub regions: BTreeSet<Id>,
    /// The processes.
    pub processes: Arc<BTreeMap<ProcessId, Plan>>,
    /// The number of requests of clients.
    pub requests: u8,
    /// The number of times that the registry forgets which entries have changed.
    pub truncations: u8,
    /// The number of faults.
    pub faults: Faults,
}

/// What a process is to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// What it registers.
    pub registration: Registration<Id>,
    /// True if clients may let it withdraw, and register again.
    pub withdraws: bool,
    /// True if it follows the registry; otherwise it only registers.
    pub discovers: bool,
    /// True if its deployment is registered in the beginning.
    pub registered: bool,
}
