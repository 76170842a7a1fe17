//! The changes required for a bundle to be chosen.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::{Request, Resolution};
use diag::Sources;
use resolve::Budget;

use crate::{
    answer::{self, Places},
    catalog_set::CatalogSet,
    solve::{LIMITS, left_out, solve_within},
};
use workspace::view::{MoveView, Outcome};

pub(crate) fn view(sources: &Sources, catalogs: &CatalogSet, request: &Request, id: &str) -> MoveView {
    let budget = Budget::new(&LIMITS);
    let before = match &*solve_within(catalogs, request, &budget).resolution {
        Resolution::Solved(selected) => answer::versions(selected),
        Resolution::Unsolvable { .. } | Resolution::Stopped => BTreeMap::new(),
    };
    let named = bundle_id(catalogs, id);
    let id = named.as_deref().unwrap_or(id);
    let budget = Budget::new(&LIMITS);
    let moved = catalogs.index.required_changes(&catalogs.catalogs, request, id, &mut (), &budget);
    let view = match moved {
        None => none(format!("`{id}` is not a candidate for the required packages")),
        Some(Resolution::Solved(selected)) => possible(id, &before, &answer::versions(&selected)),
        Some(Resolution::Unsolvable { conflicts, .. }) => {
            let places = Places { sources };
            let facts = conflicts.first().map(|it| it.facts.iter().map(|it| places.fact(it)).collect());
            MoveView { conflict: facts.unwrap_or_default(), ..none(format!("`{id}` cannot be chosen")) }
        }
        Some(Resolution::Stopped) => none("undecided: the search reached its step limit".into()),
    };
    MoveView { left_out: left_out(&budget), ..view }
}

fn possible(
    id: &str,
    before: &BTreeMap<Arc<str>, Arc<str>>,
    after: &BTreeMap<Arc<str>, Arc<str>>,
) -> MoveView {
    let changes = answer::changes(before, after);
    let sentence = match changes.len() {
        0 => format!("`{id}` is chosen already"),
        1 => format!("`{id}` can be chosen: nothing else changes"),
        2 => format!("`{id}` can be chosen; one other package changes with it"),
        n => format!("`{id}` can be chosen; {} other packages change with it", n - 1),
    };
    MoveView { outcome: Outcome::Solved, sentence, changes, ..MoveView::default() }
}

fn none(sentence: String) -> MoveView {
    MoveView { outcome: Outcome::Unsolvable, sentence, ..MoveView::default() }
}

pub(crate) fn nothing_required() -> MoveView {
    none("no package is required".into())
}

/// The id of the bundle of that name, in the preferred channel.
fn bundle_id(catalogs: &CatalogSet, name: &str) -> Option<String> {
    let mut packages =
        catalogs.catalogs.iter().flat_map(|it| it.packages.values().map(move |package| (it, package)));
    packages.find_map(|(catalog, package)| {
        let bundle = package.bundles.get(name)?;
        let has = |it: &&catalog::Channel| it.entries.iter().any(|entry| *entry.name == *name);
        let channel = package.channels_by_preference().into_iter().find(has)?;
        Some(format!("{}:{}:{}:{}", catalog.name, package.name, bundle.version, channel.name))
    })
}
