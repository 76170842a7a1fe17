//! Rules that are specific to OLM 0.

use resolve::Rule;

use super::{Candidate, Cause, StatedVariable, Universe};
use crate::{Catalog, Package, Profile, PropertyData, upgrade};

/// The bundles of a package in each of their channels, without those that are skipped in it. A channel that
/// is not a chain has none.
pub(crate) fn candidates<'c>(rank: u32, catalog: &Catalog, package: &'c Package) -> Vec<Candidate<'c>> {
    let mut all = Vec::new();
    for (channel_rank, channel) in (0..).zip(package.channels_by_preference()) {
        let Ok(chain) = upgrade::chain(&package.name, channel) else { continue };
        for (place, entry) in (0..).zip(chain.entries) {
            let Some(bundle) = package.bundles.get(&entry.name) else { continue };
            let of = (channel.name.clone(), channel_rank);
            let new = Candidate::new(rank, catalog, bundle, of, Profile::V0);
            all.push(Candidate {
                channels: vec![(channel_rank, &channel.name)],
                entry: Some(entry),
                chain: place,
                ..new
            });
        }
    }
    all
}

/// Adds the profile's constraints on a bundle: deprecated bundles may not be used, and a replaced bundle has
/// to be removed, of whatever package it is.
pub(crate) fn add(universe: &mut Universe<'_>, number: u32, stated: &mut StatedVariable) {
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
