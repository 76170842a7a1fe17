//! Copies of resources in other regions.

use std::collections::BTreeSet;

use simulation::{
    Faults,
    copies::{Replication, Scenario},
};

use crate::{Exploring, Running, explore::explore};

const LOSS: Faults = Faults { losses: 1, ..Faults::NONE };
const DOUBLE: Faults = Faults { doubles: 1, ..Faults::NONE };
const CRASH: Faults = Faults { crashes: 1, ..Faults::NONE };
const TIMEOUT: Faults = Faults { timeouts: 1, ..Faults::NONE };

/// One reader that has copies of two resources, and a log that holds everything that clients write.
fn synchronized(requests: u8, faults: Faults) -> Scenario {
    Scenario {
        readers: BTreeSet::from([1]),
        policy: BTreeSet::from([1]),
        policy_changes: BTreeSet::new(),
        resources: BTreeSet::from([1, 2]),
        existing: BTreeSet::from([1, 2]),
        synchronized: true,
        requests,
        log: 10,
        page: 1,
        tombstones: 1,
        faults,
    }
}

/// One reader that has not read anything yet.
fn new_reader(requests: u8, faults: Faults) -> Scenario {
    Scenario { synchronized: false, ..synchronized(requests, faults) }
}

/// One reader, and a log that holds a single write: a reader that was not sent two writes needs a snapshot.
fn short_log(requests: u8, faults: Faults) -> Scenario {
    Scenario { log: 1, ..synchronized(requests, faults) }
}

/// One resource, and readers that clients add to the policy and remove from it.
fn policy(readers: impl IntoIterator<Item = u8>, requests: u8, faults: Faults) -> Scenario {
    let readers: BTreeSet<u8> = readers.into_iter().collect();
    let (resources, existing) = (BTreeSet::from([1]), BTreeSet::from([1]));
    let policy_changes = readers.clone();
    Scenario { readers, policy_changes, resources, existing, ..synchronized(requests, faults) }
}

fn world(name: &str, scenario: Scenario) -> Exploring {
    let name = format!("{name}, {} requests, {:?}", scenario.requests, scenario.faults);
    Exploring::new("copies", name, move |steps| explore(Replication::new(scenario.clone()), steps))
}

pub fn small() -> Vec<Exploring> {
    let mut worlds = changes();
    worlds.extend(new_readers());
    worlds.extend(snapshots());
    worlds.extend(policies());
    worlds
}

fn changes() -> Vec<Exploring> {
    let faults = [Faults::NONE, LOSS, DOUBLE, TIMEOUT];
    let mut worlds = Vec::from(faults.map(|it| world("a log that holds everything", synchronized(3, it))));
    worlds.push(world("a log that holds everything", synchronized(2, CRASH)));
    let empty = Scenario { existing: BTreeSet::new(), tombstones: 0, ..synchronized(3, DOUBLE) };
    worlds.push(world("no resources", empty));
    worlds
}

fn new_readers() -> Vec<Exploring> {
    let mut worlds =
        Vec::from([Faults::NONE, LOSS, CRASH].map(|it| world("a new reader", new_reader(2, it))));
    worlds.extend([DOUBLE, TIMEOUT].map(|it| world("a new reader", new_reader(1, it))));
    worlds.push(world("a new reader, pages of two", Scenario { page: 2, ..new_reader(2, DOUBLE) }));
    worlds.push(world("a new reader, no room", Scenario { tombstones: 0, ..new_reader(2, LOSS) }));
    worlds
}

fn snapshots() -> Vec<Exploring> {
    let name = "a log that holds one write";
    let mut worlds = Vec::from([Faults::NONE, LOSS, DOUBLE].map(|it| world(name, short_log(3, it))));
    worlds.extend([CRASH, TIMEOUT].map(|it| world(name, short_log(2, it))));
    worlds
}

fn policies() -> Vec<Exploring> {
    let mut worlds = Vec::new();
    for faults in [Faults::NONE, LOSS, DOUBLE, CRASH, TIMEOUT] {
        worlds.push(world("a policy", policy([1], 3, faults)));
        let short = Scenario { log: 1, ..policy([1], 3, faults) };
        worlds.push(world("a policy, and a log that holds one write", short));
    }
    let two = [Faults::NONE, LOSS, DOUBLE, TIMEOUT];
    worlds.extend(two.map(|it| world("a policy with two readers", policy([1, 2], 2, it))));
    let new = Scenario { synchronized: false, ..policy([1], 2, LOSS) };
    worlds.push(world("a policy, and a new reader", new));
    worlds
}

pub fn large() -> Vec<Exploring> {
    let all = Faults { losses: 1, doubles: 1, crashes: 1, timeouts: 0 };
    vec![
        world("a log that holds one write", short_log(4, all)),
        world("a new reader", new_reader(3, all)),
        world("a policy with two readers", policy([1, 2], 3, all)),
    ]
}

/// Four readers of five resources, with a log that holds four writes.
pub fn long() -> Running {
    let readers = BTreeSet::from([1, 2, 3, 4]);
    let scenario = Scenario {
        policy: BTreeSet::from([1, 2]),
        policy_changes: readers.clone(),
        readers,
        resources: (1..=5).collect(),
        existing: BTreeSet::from([1, 2]),
        log: 4,
        page: 2,
        ..synchronized(40, Faults { losses: 5, doubles: 5, crashes: 3, timeouts: 5 })
    };
    Running::new("copies", Replication::new(scenario))
}
