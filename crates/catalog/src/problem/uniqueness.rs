use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::Span;
use resolve::Rule;

use super::{Cause, Stated, Universe};
use crate::Gvk;

/// Of which packages and APIs it was said already that there can be one only.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    packages: BTreeSet<Arc<str>>,
    gvks: BTreeSet<Gvk>,
    /// The APIs that the same bundles provide are one limit.
    providers: BTreeMap<Vec<u32>, Gvk>,
}

impl Seen {
    /// What limits a candidate that is in play now and has not been stated (notes/deppy §3.6).
    pub(crate) fn of(&mut self, universe: &mut Universe<'_>, number: u32) -> Vec<Stated> {
        let candidate = universe.candidate(number);
        let package = candidate.package.clone();
        let new: Vec<Gvk> = candidate.gvks().filter(|it| !self.gvks.contains(it)).cloned().collect();
        let mut all = Vec::new();
        if self.packages.insert(package.clone()) {
            let members = universe.package(&package).to_vec();
            let id = format!("{package} package uniqueness");
            let origin = universe.named(&package).next().map(|(_, it)| it.origin);
            all.extend(limit(universe, id, Cause::OnePackage(package), &members, origin));
        }
        for gvk in new {
            if !self.gvks.insert(gvk.clone()) {
                continue;
            }
            let members = universe.providing(&gvk);
            // Providers of one package exclude each other anyway.
            let mut packages = members.iter().map(|it| &universe.candidate(*it).package);
            let first = packages.next();
            if packages.all(|it| Some(it) == first) || self.providers.contains_key(&members) {
                continue;
            }
            self.providers.insert(members.clone(), gvk.clone());
            all.extend(limit(universe, format!("{gvk} uniqueness"), Cause::OneProvider(gvk), &members, None));
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
) -> Option<Stated> {
    let mut stated = Stated::new(id.into()).at(origin);
    stated.add(cause, Rule::AtMost { n: 1, of: universe.ids(members) });
    (members.len() > 1).then_some(stated)
}
