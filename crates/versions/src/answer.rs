//! The resolution of a request as a view.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::{
    Conflict, ConsideredCandidate, Fact, Fix, Request, Requirement, Resolution, Selected, version::Version,
};
use diag::{Sources, Span, order};

use crate::{catalog_set::CatalogSet, lock::Lock, vocabulary};
use workspace::{
    capability::{edit_view, location},
    view::{
        CatalogView, ConflictView, ConsideredView, FactView, LocationView, Outcome, RequirementView,
        ResolutionFixView, ResolutionView, SelectedView, VersionChangeKind, VersionChangeView,
    },
};

/// The view of a resolution; the caller adds diagnostics and what goes into `status`.
pub(crate) fn view(
    sources: &Sources,
    catalogs: &CatalogSet,
    request: &Request,
    resolution: &Resolution,
    before: &BTreeMap<Arc<str>, Arc<str>>,
) -> ResolutionView {
    let at = Places { sources };
    let selected = match resolution {
        Resolution::Solved(selected) => &selected[..],
        Resolution::Unsolvable { .. } | Resolution::Stopped => &[],
    };
    let (conflicts, fixes) = match resolution {
        Resolution::Unsolvable { conflicts, fixes } => (&conflicts[..], &fixes[..]),
        Resolution::Solved(_) | Resolution::Stopped => (&[][..], &[][..]),
    };
    let conflicts: Vec<ConflictView> = conflicts.iter().map(|it| at.conflict(it)).collect();
    let is_solved = matches!(resolution, Resolution::Solved(_));
    ResolutionView {
        outcome: outcome(resolution, request),
        sentence: sentence(resolution, request),
        requirements: request.requirements.iter().map(|it| at.requirement(it, selected)).collect(),
        selection: selected.iter().map(|it| at.selected(it)).collect(),
        conflict: conflicts.first().map(|it| it.facts.clone()).unwrap_or_default(),
        conflicts,
        fixes: fixes.iter().map(|it| at.fix(it)).collect(),
        changes: if is_solved { changes(before, &versions(selected)) } else { Vec::new() },
        catalogs: catalogs.catalogs.iter().map(catalog).collect(),
        ..ResolutionView::default()
    }
}

fn outcome(resolution: &Resolution, request: &Request) -> Outcome {
    match resolution {
        Resolution::Solved(_) if request.requirements.is_empty() && request.installed.is_empty() => {
            Outcome::Empty
        }
        Resolution::Solved(_) => Outcome::Solved,
        Resolution::Unsolvable { .. } => Outcome::Unsolvable,
        Resolution::Stopped => Outcome::Stopped,
    }
}

fn sentence(resolution: &Resolution, request: &Request) -> String {
    match resolution {
        Resolution::Solved(_) if request.requirements.is_empty() && request.installed.is_empty() => {
            "no package is required".into()
        }
        Resolution::Solved(selected) => solved(request, selected),
        Resolution::Unsolvable { conflicts, .. } => match conflicts.len() {
            0 | 1 => "the required packages cannot be installed together".into(),
            n => format!("the required packages cannot be installed together, for {n} reasons"),
        },
        Resolution::Stopped => {
            "undecided: the search reached its step limit, so it is not known whether the required \
             packages can be installed together"
                .into()
        }
    }
}

/// The number of selected packages, by the reason for which each was selected: two requirements of one package select it once.
fn solved(request: &Request, selected: &[Selected]) -> String {
    let is_required =
        |it: &&Selected| request.requirements.iter().any(|own| it.wanted_by.contains(&own.name));
    let required = selected.iter().filter(is_required).count();
    let unwanted = || selected.iter().filter(|it| it.wanted_by.is_empty());
    let installed = unwanted().filter(|it| it.is_installed).count();
    let upgraded = unwanted().count() - installed;
    let needed = selected.len() - required - installed - upgraded;
    let parts = [
        (required, format!("{} required and selected", count(required, "package"))),
        (needed, format!("{needed} more that they depend on")),
        (
            installed,
            format!(
                "{} that {} installed already",
                count(installed, "package"),
                if installed == 1 { "was" } else { "were" }
            ),
        ),
        (upgraded, format!("{} in another version", count(upgraded, "installed package"))),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(number, _)| *number > 0).map(|it| it.1).collect();
    parts.join(", and ")
}

pub(super) fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

fn catalog(catalog: &catalog::Catalog) -> CatalogView {
    CatalogView {
        name: catalog.name.to_string(),
        priority: catalog.priority,
        bundles: catalog.packages.values().map(|it| it.bundles.len()).sum(),
        packages: catalog.packages.keys().map(ToString::to_string).collect(),
    }
}

/// The versions by package.
pub(crate) fn versions(selected: &[Selected]) -> BTreeMap<Arc<str>, Arc<str>> {
    order::map(selected.iter().map(|it| (Arc::clone(&it.package), Arc::clone(&it.version))))
}

/// The locked versions.
pub(crate) fn locked(lock: Option<&Lock>) -> BTreeMap<Arc<str>, Arc<str>> {
    let packages = lock.into_iter().flat_map(|it| it.packages.values());
    order::map(packages.map(|it| (Arc::clone(&it.package), Arc::clone(&it.text))))
}

/// The differences, by package.
pub(crate) fn changes(
    before: &BTreeMap<Arc<str>, Arc<str>>,
    after: &BTreeMap<Arc<str>, Arc<str>>,
) -> Vec<VersionChangeView> {
    let names = order::set(before.keys().chain(after.keys()));
    let differs = names.into_iter().filter(|it| before.get(*it) != after.get(*it));
    differs.map(|it| change(it, before.get(it), after.get(it))).collect()
}

fn change(package: &str, before: Option<&Arc<str>>, after: Option<&Arc<str>>) -> VersionChangeView {
    let change = match (before, after) {
        (None, _) => VersionChangeKind::Added,
        (_, None) => VersionChangeKind::Removed,
        (Some(before), Some(after)) => direction(before, after),
    };
    VersionChangeView {
        package: package.into(),
        change,
        before: before.map(ToString::to_string),
        after: after.map(ToString::to_string),
    }
}

fn direction(before: &str, after: &str) -> VersionChangeKind {
    match (Version::parse(before), Version::parse(after)) {
        (Ok(before), Ok(after)) => match before.precedence(&after) {
            std::cmp::Ordering::Less => VersionChangeKind::Up,
            std::cmp::Ordering::Greater => VersionChangeKind::Down,
            std::cmp::Ordering::Equal => VersionChangeKind::Changed,
        },
        _ => VersionChangeKind::Changed,
    }
}

/// Converts spans to places.
pub(crate) struct Places<'s> {
    pub(crate) sources: &'s Sources,
}

impl Places<'_> {
    pub(crate) fn place(&self, span: Option<Span>) -> Option<LocationView> {
        span.map(|it| location(self.sources, it))
    }

    fn requirement(&self, requirement: &Requirement, selected: &[Selected]) -> RequirementView {
        let own = |it: &&Selected| it.wanted_by.contains(&requirement.name);
        RequirementView {
            name: requirement.name.to_string(),
            package: requirement.package.to_string(),
            version: requirement.range.as_ref().map(|it| it.text.to_string()),
            channels: requirement.channels.iter().map(ToString::to_string).collect(),
            catalog: requirement.catalog.as_ref().map(ToString::to_string),
            chosen: selected.iter().find(own).map(|it| it.id.to_string()),
            origin: self.place(requirement.origin.whole),
            version_origin: self.place(requirement.origin.range),
        }
    }

    fn selected(&self, selected: &Selected) -> SelectedView {
        SelectedView {
            id: selected.id.to_string(),
            catalog: selected.catalog.to_string(),
            package: selected.package.to_string(),
            version: selected.version.to_string(),
            channel: selected.channel.to_string(),
            bundle: selected.bundle.to_string(),
            image: selected.image.to_string(),
            wanted_by: selected.wanted_by.iter().map(ToString::to_string).collect(),
            is_installed: selected.is_installed,
            previous: selected.previous.as_ref().map(ToString::to_string),
            considered: selected.considered.iter().map(|it| self.considered(it, selected)).collect(),
            origin: self.place(selected.origin),
        }
    }

    fn considered(&self, candidate: &ConsideredCandidate, selected: &Selected) -> ConsideredView {
        ConsideredView {
            id: candidate.id.to_string(),
            version: candidate.version.to_string(),
            chosen: candidate.id == selected.id,
            ruled_out_by: candidate.ruled_out_by.iter().map(|it| self.fact(it)).collect(),
            origin: self.place(candidate.origin),
        }
    }

    pub(crate) fn fact(&self, fact: &Fact) -> FactView {
        FactView {
            constraint: fact.text.to_string(),
            subject: fact.subject.to_string(),
            kind: vocabulary::constraint(fact.kind),
            origin: self.place(fact.origin),
        }
    }

    fn conflict(&self, conflict: &Conflict) -> ConflictView {
        ConflictView {
            summary: conflict.summary.clone(),
            facts: conflict.facts.iter().map(|it| self.fact(it)).collect(),
        }
    }

    fn fix(&self, fix: &Fix) -> ResolutionFixView {
        ResolutionFixView {
            title: fix.title.clone(),
            conflict: fix.conflict,
            edits: fix.edits.iter().map(|it| edit_view(self.sources, it)).collect(),
            selection: fix.selection.iter().map(ToString::to_string).collect(),
        }
    }
}
