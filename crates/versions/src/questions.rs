//! Queries of hosts about versions.

use std::sync::Arc;

use resolve::Budget;
use workspace::{
    Workspace,
    capability::Model,
    view::{BundlesView, MoveView, ResolutionView, UpgradesView},
};

use crate::{
    answer::Places,
    bundles::{self, BundleSearch},
    options::{Options, VersionOptions},
    problem,
    reading::Reading,
    resolution_requests::{self, ResolutionRequests},
    solve, upgrades, vocabulary,
};

/// The queries of hosts to a workspace about versions. If the capability is not loaded, the answers only
/// report that.
pub trait Questions {
    /// Sets the options for choosing versions, replacing earlier ones.
    fn set_versions(&mut self, options: VersionOptions);

    /// The chosen versions, and why; or why there is no solution.
    fn resolution(&mut self) -> ResolutionView {
        self.resolution_if(&[])
    }

    /// The same if requirements had other ranges: the name of the requirement, and the range.
    fn resolution_if(&mut self, instead: &[(&str, &str)]) -> ResolutionView;

    /// The changes required for a bundle (`catalog:package:version:channel`) or a variable to be chosen.
    fn what_would_move(&mut self, id: &str) -> MoveView;

    /// The upgrades between the versions of a package, of the first catalog that has it; `None` if none has.
    fn upgrades(&mut self, package: &str) -> Option<UpgradesView>;

    /// The same in Mermaid's language.
    fn upgrades_mermaid(&mut self, package: &str) -> Option<String>;

    /// The bundles of the catalogs that a search finds; without conditions, all of them.
    fn bundles(&mut self, search: &BundleSearch) -> BundlesView;

    /// The number of requested packages, and how many of them have no solution.
    fn count_versions(&mut self) -> (usize, usize);

    /// The chosen versions as the text of a lock file; `None` if there are none, or no descriptor requires a
    /// package.
    fn lock(&mut self) -> Option<String>;

    /// The files with an `ActiveResolution`, with the outcome in its `status`.
    fn with_status(&mut self) -> Vec<(String, String)>;
}

impl Questions for Workspace {
    fn set_versions(&mut self, options: VersionOptions) {
        let VersionOptions { profile, openshift, kubernetes, fresh, priorities } = options;
        let profile = profile.map(vocabulary::rules_of);
        self.set(Options { profile, openshift, kubernetes, fresh, priorities, ..Options::default() });
    }

    fn resolution_if(&mut self, instead: &[(&str, &str)]) -> ResolutionView {
        let model = self.current();
        let view = match model.reading::<Reading>() {
            None => resolution_requests::not_loaded(&model),
            Some(Reading { problem: Some(problem), .. }) => resolution_requests::of_problem(&model, problem),
            Some(reading) => requests(&model, reading, instead).view(&model, reading),
        };
        ResolutionView { format: "planloom.resolve/1".into(), ..view }
    }

    fn what_would_move(&mut self, id: &str) -> MoveView {
        let model = self.current();
        let view = match model.reading::<Reading>() {
            None => MoveView::default(),
            Some(Reading { problem: Some(problem), .. }) => {
                let budget = Budget::new(&solve::LIMITS);
                problem::what_would_move(&Places { sources: &model.sources }, problem, id, &budget)
            }
            Some(reading) => requests(&model, reading, &[]).what_would_move(&model, &reading.catalogs, id),
        };
        MoveView { format: "planloom.move/1".into(), id: id.into(), ..view }
    }

    fn upgrades(&mut self, package: &str) -> Option<UpgradesView> {
        let model = self.current();
        let reading = model.reading::<Reading>()?;
        let chosen = requests(&model, reading, &[]).versions_of(reading, package);
        let marks = upgrades::GraphMarks {
            selected: chosen.selected.iter().map(|it| &**it).collect(),
            installed: chosen.installed,
        };
        upgrades::view(&model, &reading.catalogs, &reading.options, &marks, package)
    }

    fn upgrades_mermaid(&mut self, package: &str) -> Option<String> {
        let model = self.current();
        let reading = model.reading::<Reading>()?;
        upgrades::mermaid(&reading.catalogs, &reading.options, package)
    }

    fn bundles(&mut self, search: &BundleSearch) -> BundlesView {
        let model = self.current();
        let reading = model.reading::<Reading>();
        reading.map(|it| bundles::view(&model, &it.catalogs, search)).unwrap_or_default()
    }

    fn count_versions(&mut self) -> (usize, usize) {
        let (required, missing) = self.count_packages();
        let documents = self.current().reading::<Reading>().map_or(0, Reading::required_by_resolutions);
        (required + documents, missing)
    }

    fn lock(&mut self) -> Option<String> {
        let model = self.current();
        let reading = model.reading::<Reading>().filter(|_| !model.lowered.package_requests.is_empty())?;
        requests(&model, reading, &[]).lock(&reading.catalogs)
    }

    fn with_status(&mut self) -> Vec<(String, String)> {
        let model = self.current();
        let reading = model.reading::<Reading>();
        let Some(reading) = reading.filter(|it| !it.resolutions.is_empty() && it.problem.is_none()) else {
            return Vec::new();
        };
        requests(&model, reading, &[]).with_status(&model, &reading.catalogs)
    }
}

fn requests(model: &Model, reading: &Reading, instead: &[(&str, &str)]) -> ResolutionRequests {
    let instead = instead.iter().map(|(who, range)| (Arc::from(*who), Arc::from(*range))).collect();
    let options = Options { instead, ..reading.options.clone() };
    ResolutionRequests::new(model, reading, &options)
}
