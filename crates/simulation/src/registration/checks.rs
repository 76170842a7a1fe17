//! What has to be true of registrations.

use std::collections::BTreeSet;

use regions::registration::{Entries, Entry, EntryName, Goal, Refusal, Registry, ServiceEntry};

use super::{Plan, Process, Registrations};
use crate::registry::Id;

type Problem = Option<String>;

/// A promise that is broken in any state.
pub(super) fn broken(world: &Registrations) -> Problem {
    let entries = world.registry.all().iter();
    let invalid = entries.map(|(name, it)| invalid(world, name, &it.value)).find_map(|it| it);
    let processes = || world.processes.keys().filter_map(|it| world.plan(*it));
    let wrong = || processes().find_map(|(process, plan)| wrong(world, process, plan));
    invalid.or_else(|| world.history.changed_version()).or_else(wrong)
}

/// A record that must not be left.
pub(super) fn unsettled(world: &Registrations) -> Problem {
    let mut processes = world.processes.keys().filter_map(|it| world.plan(*it));
    let found = processes.find_map(|(process, plan)| {
        let pending = match process.goal() {
            Goal::Registered => unregistered(world, process),
            Goal::Withdrawn => unremoved(world, process, plan),
        };
        pending.or_else(|| out_of_date(world, process, plan))
    });
    let restless = world.restless().map(|it| format!("process {it} sends for ever"));
    restless.or(found).or_else(|| orphan(world))
}

/// An entry that contradicts others.
fn invalid(world: &Registrations, name: &EntryName<Id>, entry: &Entry<Id>) -> Problem {
    match (name, entry) {
        (EntryName::Deployment { service, region }, _) => {
            let enabled =
                service_entry(world, *service).is_some_and(|it| it.enabled_regions.contains(region));
            (!enabled).then(|| format!("{service} has a deployment in {region}, which it does not enable"))
        }
        (EntryName::Service { service }, Entry::Service(it)) => invalid_service(world, *service, it),
        _ => None,
    }
}

fn invalid_service(world: &Registrations, service: Id, entry: &ServiceEntry<Id>) -> Problem {
    if !entry.enabled_regions.contains(&entry.default_control_region) {
        return Some(format!("the control region of service {service} is not enabled"));
    }
    let unknown = entry
        .enabled_regions
        .iter()
        .find(|region| world.registry.entry(&EntryName::Region { region: **region }).is_none());
    let is_missing = |it: &&Id| {
        let there = service_entry(world, **it).map(|it| it.enabled_regions.clone()).unwrap_or_default();
        !entry.enabled_regions.is_subset(&there)
    };
    let missing = entry.imported().find(is_missing);
    let unknown = unknown.map(|it| format!("service {service} enables region {it}, which does not exist"));
    unknown.or_else(|| missing.map(|it| format!("{service} imports {it}, which is not in all its regions")))
}

/// What a process believes and what is not so.
fn wrong(world: &Registrations, process: &Process, plan: &Plan) -> Problem {
    let lost = (process.goal() == Goal::Registered && process.environment.registrant().done_at().is_some())
        .then(|| lost(world, plan))
        .flatten();
    let why = lost.or_else(|| wrong_surroundings(world, process, plan))?;
    Some(format!("process {}: {why}", process.id))
}

/// A part of a completed registration that the registry does not have.
fn lost(world: &Registrations, plan: &Plan) -> Option<&'static str> {
    let registration = &plan.registration;
    let service = service_entry(world, registration.service);
    let has_region = service.is_some_and(|it| it.enabled_regions.contains(&registration.region));
    let has_versions = service.is_some_and(|it| {
        registration.versions.iter().all(|(version, all)| it.versions.get(version) == Some(all))
    });
    let has_kinds = registration.resources.iter().all(|(kind, all)| {
        let name = EntryName::Resource { service: registration.service, kind: *kind };
        let there = world.registry.entry(&name).map(|it| it.value);
        matches!(there, Some(Entry::Resource { versions }) if all.is_subset(&versions))
    });
    match (has_region, has_versions, has_kinds, is_registered(world, plan)) {
        (true, true, true, true) => None,
        (false, ..) => Some("its region is not enabled any more"),
        (_, false, ..) => Some("its versions are not there any more"),
        (_, _, false, _) => Some("its kinds of resources are not there any more"),
        (_, _, _, false) => Some("its deployment is not there any more"),
    }
}

fn is_registered(world: &Registrations, plan: &Plan) -> bool {
    let there = world.registry.entry(&plan.registration.deployment_name());
    let instance = there.and_then(|it| it.value.deployment().map(|it| it.instance));
    instance == Some(plan.registration.instance)
}

/// Surroundings that are not those of the revision which they are said to be of, or that are shown too early.
fn wrong_surroundings(world: &Registrations, process: &Process, plan: &Plan) -> Option<&'static str> {
    let at = process.environment.discovery().at()?;
    let all = world.history.at(at, |_| true);
    let services = relevant(&all, plan.registration.service);
    let expected = world.history.at(at, |it| it.service().is_some_and(|it| services.contains(it)));
    if process.subscriber.went_back {
        return Some("its surroundings have gone back");
    }
    if process.subscriber.at != Some(at) || process.subscriber.entries != expected {
        return Some("events do not lead to its surroundings");
    }
    let shown = process.environment.surroundings()?;
    let is_own = |name: &EntryName<Id>| shown.contains_key(name);
    let has_own = is_own(&plan.registration.service_name()) && is_own(&plan.registration.deployment_name());
    match (shown == expected, process.goal() == Goal::Withdrawn || has_own) {
        (true, true) => None,
        (false, _) => Some("its surroundings are wrong"),
        (_, false) => Some("surroundings are shown before its deployment is"),
    }
}

/// A service, those that it depends on, and those that depend on it.
fn relevant(all: &Entries<Id>, own: Id) -> BTreeSet<Id> {
    let mut relevant = BTreeSet::from([own]);
    for (name, entry) in all {
        let (Some(name), Some(service)) = (name.service(), entry.value.service()) else { continue };
        let on = service.versions.values().flat_map(|it| it.imported.keys().chain(&it.used));
        let on: BTreeSet<Id> = on.copied().collect();
        if on.contains(&own) {
            relevant.insert(*name);
        }
        if *name == own {
            relevant.extend(on);
        }
    }
    relevant
}

/// A process that is not registered although no rule forbids it.
fn unregistered(world: &Registrations, process: &Process) -> Problem {
    let registrant = process.environment.registrant();
    let is_missing = |service: Id, region: Id| {
        service_entry(world, service).is_none_or(|it| !it.enabled_regions.contains(&region))
    };
    let is_refused = match registrant.refusal() {
        Some(Refusal::NotImportable { service, region }) => is_missing(*service, *region),
        Some(Refusal::NoRegion { region }) => {
            world.registry.entry(&EntryName::Region { region: *region }).is_none()
        }
        Some(Refusal::Taken { instance }) => {
            world.processes.keys().filter_map(|it| world.plan(*it)).any(|(_, it)| {
                *instance != registrant.registration().instance
                    && it.registration.instance == *instance
                    && is_registered(world, it)
            })
        }
        Some(Refusal::Unsupported { version }) => {
            registrant.registration().versions.iter().all(|(it, _)| it != version)
        }
        Some(_) | None => false,
    };
    let is_done = registrant.done_at().is_some() || is_refused;
    (!is_done).then(|| format!("process {} is never registered", process.id))
}

/// A deployment that has withdrawn and is there.
fn unremoved(world: &Registrations, process: &Process, plan: &Plan) -> Problem {
    let Plan { registration, .. } = plan;
    let imported = matches!(process.environment.registrant().refusal(), Some(Refusal::Imported { .. }));
    let service = service_entry(world, registration.service);
    let is_there = service.is_some_and(|it| it.enabled_regions.contains(&registration.region));
    let deployment = world.registry.entry(&registration.deployment_name());
    let is_wrong = is_registered(world, plan) || (is_there && deployment.is_none() && !imported);
    is_wrong.then(|| format!("what process {} has registered is never removed", process.id))
}

fn out_of_date(world: &Registrations, process: &Process, plan: &Plan) -> Problem {
    let is_old = plan.discovers && process.environment.discovery().at() != Some(world.registry.revision());
    let hidden = plan.discovers
        && process.environment.registrant().done_at().is_some()
        && process.environment.surroundings().is_none();
    (is_old || hidden).then(|| format!("process {} never sees its surroundings", process.id))
}

/// A service or a kind of resource that nobody has registered.
fn orphan(world: &Registrations) -> Problem {
    let kept: BTreeSet<Id> = world
        .registry
        .all()
        .keys()
        .filter_map(|it| match it {
            EntryName::Service { service } => Some(*service),
            EntryName::Region { .. } | EntryName::Resource { .. } | EntryName::Deployment { .. } => None,
        })
        .collect();
    let mut names = world.registry.all().keys().filter_map(EntryName::service);
    names.find(|it| !kept.contains(it)).map(|it| format!("what belongs to service {it} is left without it"))
}

fn service_entry(world: &Registrations, service: Id) -> Option<&ServiceEntry<Id>> {
    world.registry.all().get(&EntryName::Service { service })?.value.service()
}
