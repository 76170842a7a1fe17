//! Registration of deployments in a registry.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use regions::registration::{Dependencies, Registration};
use simulation::{
    Faults,
    registration::{Plan, Registrations, Scenario},
};

use crate::{Exploring, Running, explore::explore};

const LOSS: Faults = Faults { losses: 1, ..Faults::NONE };
const DOUBLE: Faults = Faults { doubles: 1, ..Faults::NONE };
const CRASH: Faults = Faults { crashes: 1, ..Faults::NONE };
const TIMEOUT: Faults = Faults { timeouts: 1, ..Faults::NONE };
const EACH: [Faults; 5] = [Faults::NONE, LOSS, DOUBLE, CRASH, TIMEOUT];
const ALL: Faults = Faults { losses: 1, doubles: 1, crashes: 1, timeouts: 1 };

/// A service with one version in a region, in an installation of its own.
pub(crate) fn plan(service: u8, region: u8) -> Plan {
    let registration = Registration {
        service,
        region,
        instance: u64::from(service) * 10 + u64::from(region),
        address: region,
        versions: vec![(1, Dependencies::default())],
        resources: BTreeMap::new(),
        control_region: region,
        has_one_storage: false,
        creates_region: false,
    };
    Plan { registration, withdraws: false, discovers: false, registered: false }
}

/// The same where clients may let it withdraw, and register again.
fn withdrawing(plan: Plan) -> Plan {
    Plan { withdraws: true, ..plan }
}

/// The same, registered in the beginning.
fn registered(plan: Plan) -> Plan {
    Plan { registered: true, ..plan }
}

/// The same, and it follows the registry.
pub(crate) fn following(plan: Plan) -> Plan {
    Plan { discovers: true, ..plan }
}

/// The same with other versions, each of which imports some services and uses others.
pub(crate) fn versions(mut plan: Plan, all: &[u8], imported: &[u8], used: &[u8]) -> Plan {
    let set = |all: &[u8]| all.iter().copied().collect::<BTreeSet<u8>>();
    let dependencies =
        Dependencies { imported: imported.iter().map(|it| (*it, 1)).collect(), used: set(used) };
    plan.registration.versions = all.iter().map(|it| (*it, dependencies.clone())).collect();
    plan
}

/// The same, and it creates its region.
fn creating(mut plan: Plan) -> Plan {
    plan.registration.creates_region = true;
    plan
}

/// The same with a kind of resource, which all its versions have.
fn with_kind(mut plan: Plan, kind: u8) -> Plan {
    let versions = plan.registration.versions.iter().map(|(version, _)| *version).collect();
    plan.registration.resources = BTreeMap::from([(kind, versions)]);
    plan
}

/// The same in another installation, which does not create the region.
fn other(mut plan: Plan, instance: u64) -> Plan {
    plan.registration.instance = instance;
    plan
}

fn scenario(plans: impl IntoIterator<Item = Plan>, requests: u8, faults: Faults) -> Scenario {
    let processes = Arc::new((1..).zip(plans).collect());
    Scenario { regions: BTreeSet::from([1, 2, 3]), processes, requests, truncations: 0, faults }
}

fn world(name: &str, scenario: Scenario) -> Exploring {
    let truncations = if scenario.truncations > 0 { ", a short log" } else { "" };
    let name = format!("{name}{truncations}, {} requests, {:?}", scenario.requests, scenario.faults);
    Exploring::new("registration", name, move |steps| explore(Registrations::new(scenario.clone()), steps))
}

pub fn small() -> Vec<Exploring> {
    let mut worlds = registering();
    worlds.extend(withdrawals());
    worlds.extend(installations());
    worlds.extend(imports());
    worlds.extend(discoveries());
    worlds
}

fn each(name: &str, faults: &[Faults], scenario: impl Fn(Faults) -> Scenario) -> Vec<Exploring> {
    faults.iter().map(|it| world(name, scenario(*it))).collect()
}

fn registering() -> Vec<Exploring> {
    let mut worlds = each("two regions", &EACH, |it| scenario([plan(1, 1), plan(1, 2)], 0, it));
    let kinds = || [with_kind(plan(1, 1), 1), with_kind(plan(1, 2), 1)];
    worlds.push(world("two regions, with a kind", scenario(kinds(), 0, Faults::NONE)));
    let created = scenario(kinds().map(creating), 0, Faults::NONE);
    worlds.push(world("regions that are created", Scenario { regions: BTreeSet::new(), ..created }));
    worlds
}

fn withdrawals() -> Vec<Exploring> {
    let two = || [registered(withdrawing(plan(1, 1))), withdrawing(plan(1, 2))];
    let mut worlds = vec![world("two that withdraw", scenario(two(), 2, Faults::NONE))];
    worlds.extend(each("two that withdraw", &[LOSS, DOUBLE, CRASH], |it| scenario(two(), 1, it)));
    let one = || [withdrawing(with_kind(plan(1, 1), 1))];
    worlds.extend(each("one that withdraws", &[DOUBLE, CRASH, TIMEOUT], |it| scenario(one(), 3, it)));
    let kinds = [registered(withdrawing(with_kind(plan(1, 1), 1))), with_kind(plan(1, 2), 1)];
    worlds.push(world("kinds of a service that withdraws", scenario(kinds, 1, Faults::NONE)));
    worlds
}

fn installations() -> Vec<Exploring> {
    let old = || registered(with_kind(plan(1, 1), 1));
    let processes = || [old(), with_kind(versions(plan(1, 1), &[1, 2], &[], &[]), 1)];
    let mut worlds = each("two processes", &[LOSS, CRASH], |it| scenario(processes(), 0, it));
    let new = [plan(1, 1), versions(plan(1, 1), &[1, 2], &[], &[])];
    worlds.push(world("two processes of a new deployment", scenario(new, 0, DOUBLE)));
    let regions = [registered(plan(1, 1)), versions(plan(1, 2), &[2], &[], &[])];
    worlds.push(world("a region with a newer program", scenario(regions, 0, Faults::NONE)));
    let taken = || [withdrawing(plan(1, 1)), other(plan(1, 1), 99)];
    worlds.extend(each("two installations", &[Faults::NONE, DOUBLE], |it| scenario(taken(), 1, it)));
    worlds
}

fn imports() -> Vec<Exploring> {
    let importing = || versions(plan(2, 1), &[1], &[1], &[]);
    let two = || [registered(withdrawing(plan(1, 1))), withdrawing(importing())];
    let mut worlds = each("a service that is imported", &[Faults::NONE, LOSS], |it| scenario(two(), 2, it));
    let late = scenario([plan(1, 1), importing()], 0, Faults::NONE);
    worlds.push(world("a service that is imported and comes late", late));
    worlds
}

fn discoveries() -> Vec<Exploring> {
    let uses = |plan, service| versions(plan, &[1], &[], &[service]);
    let user = || [following(registered(plan(1, 1))), registered(withdrawing(uses(plan(2, 1), 1)))];
    let mut worlds = each("a user", &[Faults::NONE, LOSS, DOUBLE, CRASH], |it| scenario(user(), 1, it));
    let own = [following(plan(1, 1)), plan(1, 2)];
    worlds.push(world("an own region", scenario(own, 0, Faults::NONE)));
    let new = [following(plan(1, 1)), registered(plan(1, 2))];
    worlds.push(world("a new region", scenario(new, 0, DOUBLE)));
    let used = [following(uses(plan(1, 1), 2)), registered(withdrawing(plan(2, 1))), registered(plan(3, 1))];
    worlds.push(world("a service that is used, and a neighbour", scenario(used, 1, Faults::NONE)));
    let mut becoming = uses(plan(2, 1), 1);
    becoming.registration.versions.insert(0, (9, Dependencies::default()));
    let neighbour = registered(versions(plan(2, 1), &[9], &[], &[]));
    let all = [following(registered(plan(1, 1))), neighbour, becoming];
    worlds.push(world("a neighbour that becomes a user", scenario(all, 0, DOUBLE)));
    let short = |it| Scenario { truncations: 1, ..scenario(user(), 2, it) };
    worlds.extend(each("a user", &[Faults::NONE, DOUBLE], short));
    worlds
}

pub fn large() -> Vec<Exploring> {
    let three = [plan(1, 1), plan(1, 2), plan(1, 3)];
    let one = [withdrawing(with_kind(plan(1, 1), 1))];
    let withdrawals = [with_kind(plan(1, 1), 1), with_kind(plan(1, 2), 1), plan(1, 3)].map(withdrawing);
    let importing = withdrawing(versions(plan(2, 1), &[1], &[1], &[]));
    let follows = scenario([following(plan(1, 1)), importing, following(plan(1, 2))], 2, ALL);
    vec![
        world("three regions", scenario(three, 0, LOSS)),
        world("one that withdraws", scenario(one, 4, ALL)),
        world("three that withdraw", scenario(withdrawals, 2, ALL)),
        world("two that follow", Scenario { truncations: 1, ..follows }),
    ]
}

/// Five deployments of three services in three regions, of which one imports another and one uses both, and a second process.
pub fn long() -> Running {
    let importing = |region| following(versions(plan(2, region), &[1], &[1], &[]));
    let used = following(versions(with_kind(plan(3, 1), 1), &[1], &[], &[1, 2]));
    let deployments = [following(with_kind(plan(1, 1), 1)), plan(1, 2), importing(1), importing(2), used];
    let plans = deployments.map(withdrawing).into_iter().chain([other(plan(1, 2), 99)]);
    let faults = Faults { losses: 5, doubles: 5, crashes: 3, timeouts: 5 };
    let scenario = Scenario { truncations: 2, ..scenario(plans, 12, faults) };
    Running::new("registration", Registrations::new(scenario))
}
