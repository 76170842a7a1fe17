//! What is special about OLM 0 (notes/deppy §3.3).

use std::{collections::BTreeMap, sync::Arc};

use resolve::Rule;

use super::{Candidate, Cause, Stated, Universe, channels};
use crate::{Bundle, Catalog, Channel, Entry, Package, Profile, PropertyData};

/// The bundles of a package in each of their channels, without those that are skipped in it.
pub(crate) fn candidates<'c>(rank: u32, catalog: &Catalog, package: &'c Package) -> Vec<Candidate<'c>> {
    let mut all = Vec::new();
    for (channel_rank, channel) in (0..).zip(channels::ordered(package)) {
        for (chain, entry, bundle) in chain(package, channel) {
            let of = (channel.name.clone(), channel_rank);
            let new = Candidate::new(rank, catalog, bundle, of, Profile::V0);
            all.push(Candidate { channels: vec![&channel.name], entry: Some(entry), chain, ..new });
        }
    }
    all
}

/// The entries of a channel from its head along what they replace, without those that are skipped.
fn chain<'c>(package: &'c Package, channel: &'c Channel) -> Vec<(u32, &'c Entry, &'c Bundle)> {
    let skipped: Vec<&Arc<str>> = channel.entries.iter().flat_map(|it| &it.skips).collect();
    let left: Vec<&Entry> = channel.entries.iter().filter(|it| !skipped.contains(&&it.name)).collect();
    let by_name: BTreeMap<&str, &Entry> = left.iter().map(|it| (&*it.name, *it)).collect();
    let is_head = |it: &Entry| !left.iter().any(|other| other.replaces.as_ref() == Some(&it.name));
    let mut next = left.iter().copied().find(|it| is_head(it));
    let mut chain = Vec::new();
    while let Some(entry) = next {
        if let Some(bundle) = package.bundles.get(&entry.name) {
            chain.push((chain.len() as u32, entry, bundle));
        }
        next = entry.replaces.as_ref().and_then(|it| by_name.get(&**it)).copied();
        if chain.len() > left.len() {
            break;
        }
    }
    chain
}

/// What the profile adds to a bundle: those that are marked may not be used, and what is replaced has to go, of
/// whatever package it is.
pub(crate) fn add(universe: &mut Universe<'_>, number: u32, stated: &mut Stated) {
    let candidate = universe.candidate(number);
    let marked = candidate.bundle.properties.iter().find(|it| matches!(it.data, PropertyData::Deprecated));
    if let Some(property) = marked.filter(|_| candidate.installed.is_none()) {
        stated.add_at(Cause::Withdrawn(number), Rule::Prohibited, property.origin);
    }
    let request = universe.request;
    let replaced = (0..).zip(&request.installed).filter(|(_, it)| candidate.names(it)).map(|(at, _)| at);
    let origin = candidate.entry.map(|it| it.origin);
    for at in replaced.collect::<Vec<u32>>() {
        let Some(other) = universe.installed(at).filter(|it| *it != number) else { continue };
        let rule = Rule::Conflict(universe.candidate(other).id.clone());
        stated.add_at(Cause::Replaces(number, other), rule, origin);
    }
}
