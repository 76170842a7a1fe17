//! References between deployments.

use std::collections::{BTreeMap, BTreeSet};

use simulation::{
    Faults,
    references::{Behavior, References, Scenario},
};

use crate::{Exploring, Running, explore::explore};

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

/// A deployment for each resource, 1 to `deployments`, which may refer to each other.
fn world(
    shape: &str,
    deployments: u8,
    references: &[(u8, u8)],
    behavior: Behavior,
    (requests, faults): (u8, Faults),
) -> Exploring {
    let name = format!("{shape}, {behavior:?}, {requests} requests, {faults:?}");
    let resources: BTreeMap<_, _> = (1..=deployments).map(|it| (it, (it, behavior))).collect();
    let references: BTreeSet<_> = references.iter().copied().collect();
    let scenario = Scenario { resources, references, requests, faults };
    Exploring::new("references", name, move |steps| explore(References::new(scenario.clone()), steps))
}

/// Resource 1 may refer to resource 2.
fn two(behavior: Behavior, requests: u8, faults: Faults) -> Exploring {
    world("two deployments", 2, &[(1, 2)], behavior, (requests, faults))
}

/// 1 may refer to 2, and 2 to 3.
fn three(behavior: Behavior, requests: u8, faults: Faults) -> Exploring {
    world("three deployments", 3, &[(1, 2), (2, 3)], behavior, (requests, faults))
}

/// 1 and 3 may refer to 2.
fn two_sources(behavior: Behavior, requests: u8, faults: Faults) -> Exploring {
    world("two sources", 3, &[(1, 2), (3, 2)], behavior, (requests, faults))
}

/// Two deployments with each behavior and each fault.
fn all_of_two(requests: u8) -> impl Iterator<Item = Exploring> {
    BEHAVIORS.iter().flat_map(move |behavior| FAULTS.iter().map(move |it| two(*behavior, requests, *it)))
}

pub fn small() -> Vec<Exploring> {
    all_of_two(4).chain(BEHAVIORS.iter().map(|it| three(*it, 3, Faults::NONE))).collect()
}

pub fn medium() -> Vec<Exploring> {
    let timeouts = Faults { timeouts: 1, ..Faults::NONE };
    let others = [two_sources(Behavior::Unset, 4, Faults::NONE), two(Behavior::Block, 6, timeouts)];
    all_of_two(5).chain(others).collect()
}

pub fn large() -> Vec<Exploring> {
    let two = BEHAVIORS.iter().map(|it| two(*it, 5, ALL_FAULTS));
    two.chain(BEHAVIORS.iter().map(|it| three(*it, 5, ALL_FAULTS))).collect()
}

/// Five deployments with a resource each, which refer to each other in circles and behave differently. What blocks a deletion refers
/// to no resource that is deleted with others, because such a deletion would never end (Goten's guide, "Cascade Deletion Flow").
pub fn long() -> Running {
    let behaviors = BEHAVIORS.iter().cycle();
    let resources = (1..=5).zip(behaviors).map(|(id, behavior)| (id, (id, *behavior))).collect();
    let blocking = [(1, 2), (1, 5), (4, 1), (4, 5)];
    let others = [(2, 3), (2, 4), (3, 1), (3, 4), (5, 3), (5, 2)];
    let references = blocking.into_iter().chain(others).collect();
    let faults = Faults { losses: 5, doubles: 5, crashes: 3, timeouts: 3 };
    Running::new("references", References::new(Scenario { resources, references, requests: 40, faults }))
}
