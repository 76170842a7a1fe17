//! Upgrades of deployments from one version to another.

use std::collections::{BTreeMap, BTreeSet};

use simulation::{
    Faults,
    upgrade::{Scenario, Upgrades},
};

use crate::{Exploring, Running, explore::explore};

const LOSS: Faults = Faults { losses: 1, ..Faults::NONE };
const DOUBLE: Faults = Faults { doubles: 1, ..Faults::NONE };
const CRASH: Faults = Faults { crashes: 1, ..Faults::NONE };
const ALL: Faults = Faults { losses: 1, doubles: 1, crashes: 1, timeouts: 0 };

/// One region with two versions whose storages are equal, two servers, a copier, and a resource in one shard.
pub(crate) fn one(requests: u8, faults: Faults) -> Scenario {
    Scenario {
        regions: BTreeMap::from([(1, vec![1, 2])]),
        servers: BTreeSet::from([1, 2]),
        late: BTreeSet::new(),
        stops: 0,
        copiers: BTreeSet::from([11]),
        shards: 1,
        resources: BTreeSet::from([2]),
        existing: BTreeSet::from([2]),
        synchronized: true,
        upgrades: 1,
        cancels: 0,
        requests,
        faults,
    }
}

/// One server instead of two.
fn small_one(requests: u8, faults: Faults) -> Scenario {
    Scenario { servers: BTreeSet::from([1]), ..one(requests, faults) }
}

fn world(name: &str, scenario: Scenario) -> Exploring {
    let Scenario { upgrades, cancels, requests, faults, .. } = &scenario;
    let name = format!("{name}, {upgrades} upgrades, {cancels} cancelled, {requests} requests, {faults:?}");
    Exploring::new("upgrade", name, move |steps| explore(Upgrades::new(scenario.clone()), steps))
}

fn each(name: &str, faults: &[Faults], scenario: impl Fn(Faults) -> Scenario) -> Vec<Exploring> {
    faults.iter().map(|it| world(name, scenario(*it))).collect()
}

pub fn small() -> Vec<Exploring> {
    let mut worlds = each("one server", &[Faults::NONE, LOSS, DOUBLE], |it| small_one(2, it));
    worlds.push(world("one server", small_one(1, CRASH)));
    worlds.push(world("two servers", one(1, Faults::NONE)));
    worlds.extend(servers());
    let new = |it| Scenario { synchronized: false, ..small_one(1, it) };
    worlds.extend(each("a new version", &[Faults::NONE, CRASH], new));
    let back = |requests, faults| Scenario { upgrades: 2, ..small_one(requests, faults) };
    worlds.extend(
        [(2, Faults::NONE), (1, DOUBLE)].map(|(requests, it)| world("a rollback", back(requests, it))),
    );
    let cancelled = Scenario { upgrades: 2, cancels: 1, ..small_one(1, Faults::NONE) };
    worlds.push(world("a cancelled upgrade", cancelled));
    let shards = Scenario { shards: 2, resources: BTreeSet::from([2, 3]), ..small_one(1, Faults::NONE) };
    worlds.push(world("two shards", shards));
    let copiers = Scenario { copiers: BTreeSet::from([11, 12]), ..small_one(0, Faults::NONE) };
    worlds.push(world("two copiers", copiers));
    worlds.push(world("two regions", regions(vec![1, 2])));
    worlds.push(world("a region with an older program", regions(vec![1])));
    worlds
}

/// A server that starts later, and one that ends.
fn servers() -> Vec<Exploring> {
    let late = Scenario { late: BTreeSet::from([2]), ..one(1, Faults::NONE) };
    let stops = Scenario { stops: 1, ..one(0, Faults::NONE) };
    let both = Scenario { late: BTreeSet::from([2]), stops: 1, ..one(0, Faults::NONE) };
    vec![
        world("a server that comes later", late),
        world("a server that ends", stops),
        world("a new server that ends", both),
    ]
}

/// Two regions, each with one server, of which the second one has a program with some versions.
fn regions(second: Vec<u8>) -> Scenario {
    let regions = BTreeMap::from([(1, vec![1, 2]), (2, second)]);
    Scenario { regions, upgrades: 1, ..small_one(0, Faults::NONE) }
}

pub fn large() -> Vec<Exploring> {
    let back = Scenario { upgrades: 2, cancels: 1, ..one(2, ALL) };
    let new = Scenario { synchronized: false, shards: 2, resources: BTreeSet::from([2, 3]), ..one(2, ALL) };
    let cancelled = Scenario { upgrades: 2, cancels: 1, ..small_one(2, ALL) };
    vec![
        world("two servers, and a rollback", back),
        world("a cancelled upgrade", cancelled),
        world("a new version", new),
    ]
}

/// Four regions, each with two servers, a copier and three resources in two shards.
pub fn long() -> Running {
    let scenario = Scenario {
        regions: (1..=4).map(|region| (region, vec![1, 2])).collect(),
        shards: 2,
        resources: BTreeSet::from([1, 2, 3]),
        upgrades: 6,
        cancels: 2,
        stops: 1,
        ..one(30, Faults { losses: 4, doubles: 4, crashes: 3, timeouts: 0 })
    };
    Running::new("upgrade", Upgrades::new(scenario))
}
