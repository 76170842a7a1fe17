use resolve::Rule;

use super::{Cause, StatedVariable, Universe};
use crate::{PropertyData, constraint::Predicate};

/// Adds one dependency for each property that needs something: merged into one, meeting any of them would be
/// enough.
pub(crate) fn add(universe: &mut Universe<'_>, number: u32, stated: &mut StatedVariable) {
    let bundle = universe.candidate(number).bundle.clone();
    for (at, property) in (0..).zip(&bundle.properties) {
        if let Some(candidates) = candidates(universe, number, &property.data) {
            let rule = Rule::Dependency(universe.ids(&candidates));
            stated.add_at(Cause::Needs { candidate: number, property: at }, rule, property.origin);
        }
    }
}

/// The candidates for a property's dependency, the preferred one first; `None` if it has no dependency.
pub(crate) fn candidates(universe: &mut Universe<'_>, number: u32, data: &PropertyData) -> Option<Vec<u32>> {
    let mut found = match data {
        PropertyData::PackageRequired(required) => {
            let all = universe.package(&required.package);
            let is_in = |it: &u32| required.range.contains(&universe.candidate(*it).bundle.version);
            all.iter().copied().filter(is_in).collect()
        }
        PropertyData::GvkRequired(gvk) => universe.providing(gvk),
        PropertyData::LabelRequired(label) => universe.labelled(label),
        PropertyData::Constraint(predicate) => meeting(universe, predicate),
        _ => return None,
    };
    let catalog = universe.candidate(number).catalog.clone();
    universe.sort(&mut found, &catalog);
    Some(found)
}

/// The candidates that meet a predicate.
fn meeting(universe: &mut Universe<'_>, predicate: &Predicate) -> Vec<u32> {
    let mut found = match narrowed(universe, predicate) {
        Some(found) => found,
        None => universe.all(&|_| true),
    };
    found.retain(|it| predicate.matches(&universe.candidate(*it).bundle));
    found
}

/// A set of candidates that contains all that meet a predicate, if that can be found without visiting all
/// candidates.
fn narrowed(universe: &mut Universe<'_>, predicate: &Predicate) -> Option<Vec<u32>> {
    match predicate {
        Predicate::Package(required) => Some(universe.package(&required.package).to_vec()),
        Predicate::Gvk(gvk) => Some(universe.providing(gvk)),
        Predicate::Label(label) => Some(universe.labelled(label)),
        Predicate::All(parts) => parts.iter().find_map(|it| narrowed(universe, it)),
        Predicate::Any(parts) => {
            let all: Option<Vec<Vec<u32>>> = parts.iter().map(|it| narrowed(universe, it)).collect();
            let mut all = all?.concat();
            all.sort_unstable();
            all.dedup();
            Some(all)
        }
        Predicate::Explained(_, predicate) => narrowed(universe, predicate),
        Predicate::Unreadable(_) => Some(Vec::new()),
        Predicate::Cel(_) | Predicate::Not(_) => None,
    }
}
