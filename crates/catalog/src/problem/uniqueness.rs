use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::Span;
use resolve::Rule;

use super::{Cause, StatedVariable, Universe};
use crate::Gvk;

/// The packages and APIs for which a uniqueness limit was stated already.
#[derive(Debug, Default)]
pub(crate) struct StatedLimits {
    packages: BTreeSet<Arc<str>>,
    gvks: BTreeSet<Gvk>,
    /// APIs with the same providers share one limit.
    providers: BTreeMap<Vec<u32>, Gvk>,
}

impl StatedLimits {
    /// The limits of the packages of some candidates, as far as they have not been stated (source: OLM's first proposal).
    /// They are stated together with what offers the candidates: a search that has chosen one already would
    /// have to begin again.
    pub(crate) fn packages(&mut self, universe: &mut Universe<'_>, numbers: &[u32]) -> Vec<StatedVariable> {
        let mut all = Vec::new();
        for number in numbers {
            let package = &universe.candidate(*number).package;
            if self.packages.contains(package) {
                continue;
            }
            let package = package.clone();
            self.packages.insert(package.clone());
            let members = universe.package(&package).to_vec();
            let id = format!("{package} package uniqueness");
            let origin = universe.named(&package).next().map(|(_, it)| it.origin);
            all.extend(limit(universe, id, Cause::OnePackage(package), &members, origin));
        }
        all
    }

    /// The limits of the APIs that a candidate provides, as far as they have not been stated.
    pub(crate) fn providers(&mut self, universe: &mut Universe<'_>, number: u32) -> Vec<StatedVariable> {
        let candidate = universe.candidate(number);
        let new: Vec<Gvk> = candidate.gvks().filter(|it| !self.gvks.contains(it)).cloned().collect();
        let mut all = Vec::new();
        for gvk in new {
            if !self.gvks.insert(gvk.clone()) {
                continue;
            }
            let members = universe.providing(&gvk);
            // Providers of the same package exclude each other anyway.
            let mut packages = members.iter().map(|it| &universe.candidate(*it).package);
            let first = packages.next();
            if packages.all(|it| Some(it) == first) || self.providers.contains_key(&members) {
                continue;
            }
            self.providers.insert(members.clone(), gvk.clone());
            let origin = members.first().and_then(|it| universe.candidate(*it).origin_of(&gvk));
            all.extend(limit(
                universe,
                format!("{gvk} uniqueness"),
                Cause::OneProvider(gvk),
                &members,
                origin,
            ));
        }
        all
    }
}

fn limit(
    universe: &Universe<'_>,
    id: String,
    cause: Cause,
    members: &[u32],
    origin: Option<Span>,
) -> Option<StatedVariable> {
    let mut stated = StatedVariable::new(id.into()).at(origin);
    stated.add(cause, Rule::AtMost { n: 1, of: universe.ids(members) });
    (members.len() > 1).then_some(stated)
}
