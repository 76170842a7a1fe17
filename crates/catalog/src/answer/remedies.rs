use std::{
    cmp::Ordering,
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use diag::order;

use super::{Change, Premise, change::widened, conflict};
use crate::{
    Profile, PropertyData, Requirement,
    problem::{Candidate, CandidateFilter, Cause, Exclusion, Formulation},
    upgrade::{self, Mode},
    version::Version,
};

/// The highest number of versions of a package that are tried.
const VERSIONS: usize = 6;

/// The changes of a request that may resolve a conflict, the smallest first; each list is tried in order
/// until one helps.
pub(crate) fn remedies(of: &mut Formulation<'_>, premises: &[Premise]) -> Vec<Vec<Change>> {
    let required = conflict::requirements(premises);
    let mut all: Vec<Vec<Change>> = Vec::new();
    all.extend(required.iter().map(|it| wider(of, *it)));
    all.extend(required.iter().map(|it| other_channels(of, *it)));
    all.extend(required.iter().map(|it| other_catalogs(of, *it)));
    let mut there = conflict::installed(premises);
    there.extend(required.iter().filter_map(|it| of.universe.current(requirement(of, *it)?)));
    all.extend(there.iter().map(|it| steps(of, *it)));
    all.extend(required.iter().map(|it| any_upgrade(of, *it)));
    all.extend(runtimes(of, premises));
    all.extend(required.iter().map(|it| vec![Change::Drop(*it)]));
    all.extend(conflict::installed(premises).into_iter().map(|it| vec![Change::Remove(it)]));
    all.retain(|it| !it.is_empty());
    all
}

fn requirement<'a>(of: &Formulation<'a>, at: u32) -> Option<&'a Requirement> {
    of.universe.request.requirements.get(at as usize)
}

/// The requirement extended by one version, the nearest first.
fn wider(of: &mut Formulation<'_>, at: u32) -> Vec<Change> {
    let Some(it) = requirement(of, at) else { return Vec::new() };
    let Some(range) = &it.range else { return Vec::new() };
    let mut found: Vec<Change> = Vec::new();
    for version in nearest(of, it) {
        let Some(range) = widened(range, &version) else { continue };
        let change = Change::Widen { requirement: at, range };
        if !found.contains(&change) {
            found.push(change);
        }
    }
    found
}

/// The versions that only the range excludes, by the number of versions in between; of two the higher one
/// first.
fn nearest<'a>(of: &mut Formulation<'a>, it: &'a Requirement) -> Vec<Version> {
    let filter = CandidateFilter::new(&mut of.universe, it);
    let numbers = of.universe.package(&it.package);
    let mut versions: Vec<&Candidate<'_>> = numbers.iter().map(|it| of.universe.candidate(*it)).collect();
    order::by(&mut versions, |a, b| by_version(a, b));
    let is_in =
        |of: &Candidate<'_>| it.range.as_ref().is_some_and(|range| range.contains(&of.bundle.version));
    let inside: Vec<usize> = (0..versions.len()).filter(|at| is_in(versions[*at])).collect();
    let distance = |at: usize| inside.iter().map(|it| it.abs_diff(at)).min().unwrap_or(0);
    let is_free = |at: &usize| !is_in(versions[*at]) && filter.excludes_anyway(versions[*at]).is_none();
    let mut outside: Vec<usize> = (0..versions.len()).filter(is_free).collect();
    order::by_key(&mut outside, |at| (distance(*at), usize::MAX - at));
    outside.dedup_by(|a, b| by_version(versions[*a], versions[*b]).is_eq());
    outside.into_iter().take(VERSIONS).map(|at| versions[at].bundle.version.clone()).collect()
}

fn by_version(a: &Candidate<'_>, b: &Candidate<'_>) -> Ordering {
    a.bundle.version.precedence(&b.bundle.version)
}

fn other_channels(of: &Formulation<'_>, at: u32) -> Vec<Change> {
    let Some(it) = requirement(of, at).filter(|it| !it.channels.is_empty()) else { return Vec::new() };
    let mut names: Vec<Arc<str>> = Vec::new();
    for (_, package) in of.universe.named(&it.package) {
        for channel in package.channels_by_preference() {
            if !it.channels.contains(&channel.name) && !names.contains(&channel.name) {
                names.push(channel.name.clone());
            }
        }
    }
    names.into_iter().map(|channel| Change::Channel { requirement: at, channel }).collect()
}

fn other_catalogs(of: &Formulation<'_>, at: u32) -> Vec<Change> {
    let Some(it) = requirement(of, at) else { return Vec::new() };
    let is_ambiguous = of.offer(at).is_some_and(|it| !it.ambiguous.is_empty());
    if it.catalog.is_none() && !is_ambiguous {
        return Vec::new();
    }
    let names = of.universe.named(&it.package).map(|(catalog, _)| catalog.name.clone());
    let others = names.filter(|name| Some(name) != it.catalog.as_ref());
    others.map(|catalog| Change::Catalog { requirement: at, catalog }).collect()
}

/// The intermediate upgrades of an installed bundle, the fewest steps first.
fn steps(of: &Formulation<'_>, at: u32) -> Vec<Change> {
    let request = of.universe.request;
    let Some(installed) = request.installed.get(at as usize) else { return Vec::new() };
    let mode = if request.profile == Profile::V0 { Mode::V0 } else { Mode::V1 };
    let mut paths: VecDeque<Vec<(Arc<str>, Version)>> = VecDeque::from([Vec::new()]);
    let mut found: Vec<Change> = Vec::new();
    while let Some(path) = paths.pop_front().filter(|_| found.len() < VERSIONS) {
        let mut from = installed.clone();
        if let Some((name, version)) = path.last() {
            (from.bundle, from.version) = (Some(name.clone()), version.clone());
        }
        for (_, package) in of.universe.named(&installed.package) {
            for next in upgrade::successors(package, &from, mode).iter().filter(|it| it.step.is_some()) {
                let step = (next.bundle.name.clone(), next.bundle.version.clone());
                let path: Vec<_> = path.iter().cloned().chain([step]).collect();
                let is_known = |it: &Change| matches!(it, Change::Step { path: known, .. } if known.last() == path.last());
                if !found.iter().any(is_known) {
                    found.push(Change::Step { installed: at, path: path.clone() });
                    paths.push_back(path);
                }
            }
        }
    }
    found.truncate(VERSIONS);
    found
}

fn any_upgrade(of: &mut Formulation<'_>, at: u32) -> Vec<Change> {
    let Some(it) = requirement(of, at).filter(|it| !it.any_upgrade) else { return Vec::new() };
    let filter = CandidateFilter::new(&mut of.universe, it);
    let numbers = of.universe.package(&it.package);
    let is_kept = |number: &u32| {
        matches!(filter.excludes(of.universe.candidate(*number)), Some(Exclusion::NoUpgrade(_)))
    };
    if numbers.iter().any(is_kept) { vec![Change::AnyUpgrade(at)] } else { Vec::new() }
}

/// Versions of the cluster on which bundles would run that do not run now, the nearest first.
fn runtimes(of: &Formulation<'_>, premises: &[Premise]) -> Vec<Vec<Change>> {
    let mut openshift: BTreeSet<(u64, u64)> = BTreeSet::new();
    let mut kubernetes: Vec<Version> = Vec::new();
    for premise in premises {
        let Cause::Unfit { candidate, property } = premise.cause else { continue };
        let property = of.universe.candidate(candidate).bundle.properties.get(property as usize);
        match property.map(|it| &it.data) {
            Some(PropertyData::MaxOpenShift(major, minor)) => {
                openshift.insert((*major, *minor));
            }
            Some(PropertyData::MinKube(text)) => kubernetes.extend(Version::parse_tolerant(text).ok()),
            _ => {}
        }
    }
    order::by(&mut kubernetes, Version::precedence);
    kubernetes.dedup_by(|a, b| a.precedence(b) == Ordering::Equal);
    let openshift =
        openshift.into_iter().rev().map(|(major, minor)| Change::OpenShift(major, minor)).collect();
    vec![openshift, kubernetes.into_iter().map(Change::Kubernetes).collect()]
}
