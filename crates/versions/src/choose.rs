//! Versions for packages that descriptors require: from the lock file if it satisfies them, or else chosen
//! again from catalogs.

use std::{collections::BTreeMap, sync::Arc};

use catalog::Resolution;
use diag::{Diagnostic, Diagnostics, Span, order};
use links::Named;
use lower::{PackageRequest, Pins};

use crate::{
    catalog_set::CatalogSet,
    chosen, codes,
    lock::{Lock, LockedBundle},
    options::Options,
    request::request,
    solve::solve,
};

/// The input of choosing versions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChoiceInput<'f> {
    pub(crate) catalogs: &'f CatalogSet,
    pub(crate) lock: Option<&'f Lock>,
    pub(crate) options: &'f Options,
}

/// The chosen versions.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// By package, including the dependencies of those that are required.
    pub(crate) packages: BTreeMap<Arc<str>, LockedBundle>,
    pub(crate) diagnostics: Diagnostics,
}

impl ChoiceInput<'_> {
    /// The values for the payloads, and all chosen versions.
    pub(crate) fn choose(&self, requests: &[PackageRequest]) -> (Pins, Choice) {
        let unmet: Vec<&PackageRequest> = requests.iter().filter(|it| self.locked(it).is_none()).collect();
        let choice = match (&unmet[..], self.lock) {
            ([], Some(lock)) => Choice { packages: lock.packages.clone(), ..Choice::default() },
            _ if self.catalogs.catalogs.is_empty() => self.only_locked(&unmet),
            _ => self.choose_again(requests, &unmet),
        };
        (pins(requests, &choice.packages, unmet.is_empty()), choice)
    }

    fn locked(&self, required: &PackageRequest) -> Option<&LockedBundle> {
        let lock = self.lock.filter(|_| !self.options.fresh)?;
        let own = lock.packages.get(&required.package.text)?;
        own.meets(required, lock.profile.unwrap_or_else(|| self.options.profile())).then_some(own)
    }

    /// Without catalogs, only locked versions can be used.
    fn only_locked(&self, unmet: &[&PackageRequest]) -> Choice {
        let packages = self.lock.map(|it| it.packages.clone()).unwrap_or_default();
        let diagnostics = unmet.iter().map(|it| not_locked(it, packages.get(&it.package.text))).collect();
        Choice { packages, diagnostics }
    }

    fn choose_again(&self, requests: &[PackageRequest], unmet: &[&PackageRequest]) -> Choice {
        let mut diagnostics = Diagnostics::new();
        if let Some(lock) = self.lock.filter(|_| !self.options.fresh) {
            diagnostics.extend(unmet.iter().map(|it| outdated(it, lock.packages.get(&it.package.text))));
        }
        let names: Vec<_> = self.catalogs.catalogs.iter().map(|it| Arc::clone(&it.name)).collect();
        let Some(request) = request(requests, self.lock, self.options, &names, &mut diagnostics) else {
            return Choice { diagnostics, ..Choice::default() };
        };
        let found = solve(self.catalogs, &request);
        diagnostics.extend(found.diagnostics.iter().cloned());
        let selected = match &*found.resolution {
            Resolution::Solved(selected) => &selected[..],
            // The conflict is among the diagnostics.
            Resolution::Unsolvable { .. } | Resolution::Stopped => &[],
        };
        let packages = selected.iter().filter_map(|it| chosen::of_selected(it, selected, self.catalogs));
        Choice { packages: order::map(packages.map(|it| (Arc::clone(&it.package), it))), diagnostics }
    }
}

fn pins(requests: &[PackageRequest], packages: &BTreeMap<Arc<str>, LockedBundle>, from_lock: bool) -> Pins {
    let because = if from_lock { "it is locked in this version" } else { "this version was chosen" };
    let found = requests.iter().filter_map(|it| Some((it, packages.get(&it.package.text)?)));
    order::map(found.map(|(required, own)| (required.requester.clone(), chosen::pin(own, because.into()))))
}

fn not_locked(required: &PackageRequest, own: Option<&LockedBundle>) -> Diagnostic {
    let package = &required.package;
    match own {
        None => {
            let message =
                format!("no version of the package `{}` is chosen, and there is no catalog", package.text);
            let help = "add a catalog to the files, or name one with `--catalog`; or give the `planloom.lock` that was written from one";
            Diagnostic::error(codes::NOT_LOCKED, package.span, message).help(help)
        }
        Some(own) => {
            let span = unmet_place(required, own);
            let message = format!(
                "`{}` is locked to {}, which does not satisfy the requirements",
                package.text, own.text
            );
            let found = Diagnostic::error(codes::LOCK_OUTDATED, span, message)
                .related(own.version_span, "locked here");
            found.help("select versions again: `planloom resolve FILES --catalog FILE --lock`")
        }
    }
}

fn outdated(required: &PackageRequest, own: Option<&LockedBundle>) -> Diagnostic {
    let package = &required.package;
    let help = "update the lock: `planloom resolve FILES --catalog FILE --lock`";
    match own {
        None => {
            let message = format!("`{}` is not locked: a later run may select another version", package.text);
            Diagnostic::warning(codes::NOT_LOCKED, package.span, message).help(help)
        }
        Some(own) => {
            let span = unmet_place(required, own);
            let message = format!(
                "`{}` is locked to {}, which no longer satisfies the requirements",
                package.text, own.text
            );
            Diagnostic::warning(codes::LOCK_OUTDATED, span, message)
                .related(own.version_span, "locked here")
                .help(help)
        }
    }
}

/// The place of the requirement that the lock does not meet.
fn unmet_place(required: &PackageRequest, own: &LockedBundle) -> Span {
    let other =
        |said: &Option<Named>, own: &str| said.as_ref().filter(|it| *it.text != *own).map(|it| it.span);
    let elsewhere = other(&required.channel, &own.channel).or_else(|| other(&required.catalog, &own.catalog));
    elsewhere.or(required.version.as_ref().map(|it| it.span)).unwrap_or(required.package.span)
}
