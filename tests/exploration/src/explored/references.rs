//! References between deployments.

use std::collections::{BTreeMap, BTreeSet};

use simulation::{
    Faults,
    references::{Behavior, References, Scenario},
};

use crate::{Exploring, explore::explore};

const BEHAVIORS: [Behavior; 3] = [Behavior::Block, Behavior::Unset, Behavior::Cascade];

/// One fault of each kind.
const FAULTS: [Faults; 5] = [
    Faults::NONE,
    Faults { losses: 1, ..Faults::NONE },
    Faults { doubles: 1, ..Faults::NONE },
    Faults { crashes: 1, ..Faults::NONE },
    Faults { timeouts: 1, ..Faults::NONE },
];

const ALL_FAULTS: Faults = Faults { losses: 1, doubles: 1, crashes: 1, timeouts: 1 };

/// Two deployments: resource 1 of the first may refer to resource 2 of the second.
fn two(behavior: Behavior, requests: u8, faults: Faults) -> Exploring {
    let name = format!("two deployments, {behavior:?}, {requests} requests, {faults:?}");
    let scenario = Scenario {
        resources: BTreeMap::from([(1, (1, behavior)), (2, (2, behavior))]),
        references: BTreeSet::from([(1, 2)]),
        requests,
        faults,
    };
    Exploring::new("references", name, move |steps| explore(References::new(scenario.clone()), steps))
}

/// Three deployments in a row: 1 may refer to 2, and 2 to 3.
fn three(behavior: Behavior, requests: u8, faults: Faults) -> Exploring {
    let name = format!("three deployments, {behavior:?}, {requests} requests, {faults:?}");
    let scenario = Scenario {
        resources: BTreeMap::from([(1, (1, behavior)), (2, (2, behavior)), (3, (3, behavior))]),
        references: BTreeSet::from([(1, 2), (2, 3)]),
        requests,
        faults,
    };
    Exploring::new("references", name, move |steps| explore(References::new(scenario.clone()), steps))
}

/// Three deployments: 1 and 3 may refer to 2.
fn two_sources(behavior: Behavior, requests: u8, faults: Faults) -> Exploring {
    let name = format!("two sources, {behavior:?}, {requests} requests, {faults:?}");
    let scenario = Scenario {
        resources: BTreeMap::from([(1, (1, behavior)), (2, (2, behavior)), (3, (3, behavior))]),
        references: BTreeSet::from([(1, 2), (3, 2)]),
        requests,
        faults,
    };
    Exploring::new("references", name, move |steps| explore(References::new(scenario.clone()), steps))
}

pub fn small() -> Vec<Exploring> {
    let worlds = BEHAVIORS.iter().flat_map(|behavior| FAULTS.iter().map(|faults| two(*behavior, 4, *faults)));
    worlds.chain(BEHAVIORS.iter().map(|behavior| three(*behavior, 3, Faults::NONE))).collect()
}

pub fn medium() -> Vec<Exploring> {
    let worlds = BEHAVIORS.iter().flat_map(|behavior| FAULTS.iter().map(|faults| two(*behavior, 5, *faults)));
    let timeouts = Faults { timeouts: 1, ..Faults::NONE };
    let others = [two_sources(Behavior::Unset, 4, Faults::NONE), two(Behavior::Block, 6, timeouts)];
    worlds.chain(others).collect()
}

pub fn large() -> Vec<Exploring> {
    let two = BEHAVIORS.iter().map(|behavior| two(*behavior, 5, ALL_FAULTS));
    two.chain(BEHAVIORS.iter().map(|behavior| three(*behavior, 5, ALL_FAULTS))).collect()
}
