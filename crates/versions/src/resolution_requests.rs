//! All requests and their outcomes: of descriptors together, and of each `ActiveResolution`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use catalog::{
    Profile, Request, Resolution,
    active_resolution::{ActiveResolution, write_status},
};
use diag::{Diagnostic, Diagnostics, FileId, TextEdit, apply_edits, order};
use resolve::{Budget, Problem};

use crate::{
    answer,
    answers::Found,
    catalog_set::CatalogSet,
    chosen, codes, lock, moves,
    options::Options,
    problem,
    reading::Reading,
    request::request,
    solve::{LIMITS, left_out, solve, solve_within},
    vocabulary,
};
use workspace::{
    capability::{Model, diagnostic_views, edit_view, has_errors},
    view::{MoveView, Outcome, ResolutionView},
};

/// All requests of a workspace.
#[derive(Debug, Default)]
pub(crate) struct ResolutionRequests {
    /// That of the descriptors comes first.
    requests: Vec<ResolutionRequest>,
    /// True if a request is invalid in itself.
    refused: bool,
    diagnostics: Diagnostics,
}

/// The choice of one package.
#[derive(Debug, Default)]
pub(crate) struct PackageChoice {
    /// Names of bundles.
    pub(crate) selected: Vec<Arc<str>>,
    /// Versions.
    pub(crate) installed: BTreeSet<String>,
}

/// One request.
#[derive(Debug)]
struct ResolutionRequest {
    request: Request,
    /// The `ActiveResolution` that makes the request.
    document: Option<(FileId, ActiveResolution)>,
    /// The previous versions.
    before: BTreeMap<Arc<str>, Arc<str>>,
}

impl ResolutionRequests {
    pub(crate) fn new(model: &Model, reading: &Reading, options: &Options) -> Self {
        let catalogs = &*reading.catalogs;
        let mut requests = Self::default();
        let required = &model.lowered.package_requests;
        if !required.is_empty() {
            let names: Vec<_> = catalogs.catalogs.iter().map(|it| Arc::clone(&it.name)).collect();
            let lock = reading.lock.as_ref();
            let made = request(required, lock, options, &names, &mut requests.diagnostics);
            requests.refused = made.is_none();
            let before = answer::locked(lock);
            requests.requests.extend(made.map(|request| ResolutionRequest {
                request,
                document: None,
                before,
            }));
        }
        requests.check(model, reading, options);
        let documents = reading.resolutions.iter().map(|(file, it)| ResolutionRequest {
            request: options.over(&it.request),
            document: Some((*file, it.clone())),
            before: installed(&it.request),
        });
        requests.requests.extend(documents);
        requests
    }

    /// Reports options that do not match the requests.
    fn check(&mut self, model: &Model, reading: &Reading, options: &Options) {
        let requirers = model.lowered.package_requests.iter().map(|it| it.requester.to_string().into());
        let documents = reading.resolutions.iter().flat_map(|(_, it)| &it.request.requirements);
        let requirers: Vec<Arc<str>> = requirers.chain(documents.map(|it| Arc::clone(&it.name))).collect();
        let catalogs: Vec<_> = reading.catalogs.catalogs.iter().map(|it| Arc::clone(&it.name)).collect();
        let mut found = options.problems(&requirers, &catalogs);
        if catalogs.is_empty() && !requirers.is_empty() {
            let message = "there is no catalog to choose from";
            found.push(
                Diagnostic::error(codes::NO_CATALOG, None, message)
                    .help("add one to the files, or name it with `--catalog`"),
            );
        }
        self.refused |= !found.is_empty();
        self.diagnostics.append(&mut found);
    }

    /// The outcome of all requests.
    pub(crate) fn view(&self, model: &Model, reading: &Reading) -> ResolutionView {
        let catalogs = &*reading.catalogs;
        let mut diagnostics = model.diagnostics.clone();
        diagnostics.extend(self.diagnostics.iter().cloned());
        diagnostics.extend(catalogs.warnings());
        let requests = if self.refused { &[][..] } else { &self.requests };
        // One budget for all of them, so that many hard requests take no longer than one.
        let budget = Budget::new(&LIMITS);
        let mut views = requests.iter().map(|resolution_request| {
            let Found { resolution, diagnostics: found } =
                solve_within(catalogs, &resolution_request.request, &budget);
            diagnostics.extend(found.iter().cloned());
            let edits = resolution_request.status(model, &resolution);
            let view = answer::view(
                &model.sources,
                catalogs,
                &resolution_request.request,
                &resolution,
                &resolution_request.before,
            );
            let status = edits.iter().map(|it| edit_view(&model.sources, it)).collect();
            let profile = Some(vocabulary::profile(resolution_request.request.profile));
            ResolutionView { profile, status, ..view }
        });
        let mut first = views.next().unwrap_or_else(|| self.nothing(model, catalogs));
        views.for_each(|it| join(&mut first, it));
        first.left_out = left_out(&budget);
        if self.refused {
            first.outcome = Outcome::Refused;
            first.sentence = "the requirements have errors of their own".into();
        }
        ResolutionView { diagnostics: diagnostic_views(&model.sources, &diagnostics), ..first }
    }

    /// The view without any request.
    fn nothing(&self, model: &Model, catalogs: &CatalogSet) -> ResolutionView {
        let (none, solved) = (Request::default(), Resolution::Solved(Vec::new()));
        let view = answer::view(&model.sources, catalogs, &none, &solved, &BTreeMap::new());
        ResolutionView { profile: Some(vocabulary::profile(Profile::default())), ..view }
    }

    /// The changes required for a bundle to be chosen, by the first request.
    pub(crate) fn what_would_move(&self, model: &Model, catalogs: &CatalogSet, id: &str) -> MoveView {
        match self.requests.first() {
            Some(resolution_request) => {
                moves::view(&model.sources, catalogs, &resolution_request.request, id)
            }
            None => moves::nothing_required(),
        }
    }

    /// The lock for the descriptors; `None` if there is no solution.
    pub(crate) fn lock(&self, catalogs: &CatalogSet) -> Option<String> {
        let resolution_request = self.requests.iter().find(|it| it.document.is_none() && !self.refused)?;
        let found = solve(catalogs, &resolution_request.request);
        let Resolution::Solved(selected) = &*found.resolution else { return None };
        let packages = selected.iter().filter_map(|it| chosen::of_selected(it, selected, catalogs));
        let packages = packages.map(|it| (Arc::clone(&it.package), it)).collect();
        Some(lock::write(resolution_request.request.profile, &packages))
    }

    /// The chosen bundles of a package, and its previous versions.
    pub(crate) fn versions_of(&self, reading: &Reading, package: &str) -> PackageChoice {
        let mut found = PackageChoice::default();
        let locked = reading.lock.as_ref().and_then(|it| it.packages.get(package));
        found.installed.extend(locked.map(|it| it.text.to_string()));
        for resolution_request in &self.requests {
            found.installed.extend(resolution_request.before.get(package).map(ToString::to_string));
            if let Resolution::Solved(selected) =
                &*solve(&reading.catalogs, &resolution_request.request).resolution
            {
                let own = selected.iter().filter(|it| *it.package == *package);
                found.selected.extend(own.map(|it| Arc::clone(&it.bundle)));
            }
        }
        found
    }

    /// The texts of the files with requests, with their outcomes.
    pub(crate) fn with_status(&self, model: &Model, catalogs: &CatalogSet) -> Vec<(String, String)> {
        let mut edits: BTreeMap<FileId, Vec<TextEdit>> = BTreeMap::new();
        if self.refused {
            return Vec::new();
        }
        for resolution_request in &self.requests {
            let Some((file, _)) = &resolution_request.document else { continue };
            let Found { resolution, .. } = solve(catalogs, &resolution_request.request);
            edits.entry(*file).or_default().append(&mut resolution_request.status(model, &resolution));
        }
        let written = edits.into_iter().filter(|(_, edits)| !edits.is_empty()).filter_map(|(file, edits)| {
            let source = model.sources.get(file)?;
            Some((source.name.to_string(), apply_edits(&source.text, &edits)))
        });
        written.collect()
    }
}

impl ResolutionRequest {
    fn status(&self, model: &Model, resolution: &Resolution) -> Vec<TextEdit> {
        let Some((file, document)) = &self.document else { return Vec::new() };
        let source = model.sources.get(*file);
        source.map(|it| write_status(*file, &it.text, document.document, resolution)).unwrap_or_default()
    }
}

fn installed(request: &Request) -> BTreeMap<Arc<str>, Arc<str>> {
    let installed = request.installed.iter();
    order::map(installed.map(|it| (Arc::clone(&it.package), it.version.to_string().into())))
}

/// The severity of an outcome, for comparison.
const fn severity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Empty => 0,
        Outcome::Solved => 1,
        Outcome::Stopped => 2,
        Outcome::Unsolvable => 3,
        Outcome::Refused => 4,
    }
}

/// Merges two views: the outcome is the worse one.
fn join(all: &mut ResolutionView, mut more: ResolutionView) {
    if severity(more.outcome) > severity(all.outcome) {
        (all.outcome, all.sentence) = (more.outcome, more.sentence);
    }
    if all.conflict.is_empty() {
        all.conflict = std::mem::take(&mut more.conflict);
    }
    all.requirements.append(&mut more.requirements);
    all.selection.append(&mut more.selection);
    all.conflicts.append(&mut more.conflicts);
    all.fixes.append(&mut more.fixes);
    all.changes.append(&mut more.changes);
    all.status.append(&mut more.status);
}

/// The view if the capability for the files is not loaded, which is among the diagnostics.
pub(crate) fn not_loaded(model: &Model) -> ResolutionView {
    let diagnostics = model.diagnostic_views().to_vec();
    let sentence = "the capability that chooses versions is not loaded".into();
    ResolutionView { outcome: Outcome::Refused, sentence, diagnostics, ..ResolutionView::default() }
}

/// The view of a problem; if it has errors, these are reported instead.
pub(crate) fn of_problem(model: &Model, problem: &Problem) -> ResolutionView {
    let diagnostics = model.diagnostic_views().to_vec();
    if has_errors(&model.diagnostics) {
        let sentence = "the problem has errors of its own".into();
        return ResolutionView {
            outcome: Outcome::Refused,
            sentence,
            diagnostics,
            ..ResolutionView::default()
        };
    }
    let places = answer::Places { sources: &model.sources };
    let view = problem::view(&places, problem, &mut (), &Budget::new(&LIMITS));
    ResolutionView { diagnostics, ..view }
}
