//! Which versions are chosen, and why, as views.

mod answer;
mod asked;
mod choose;
mod chosen;
pub(crate) mod integrity;
pub(crate) mod lock;
mod moves;
mod options;
mod problem;
mod request;
mod shelf;
mod solve;
mod solver;
mod upgrades;

pub(crate) use choose::{Choice, From};
pub(crate) use options::Options;
pub use options::VersionOptions;
pub(crate) use shelf::Shelf;
pub use solver::{Along, solve_problem};

use std::sync::Arc;

use answer::Places;
use asked::Asked;
use catalog::Profile as VersionProfile;
use diag::FileId;
use resolve::Budget;

use crate::{
    File, Workspace,
    pipeline::{Model, ReadFile},
    view::{MoveView, ResolutionView, UpgradesView},
};

impl Workspace {
    /// Catalogs beside those among the files. Files with one `package` are one catalog of that name.
    pub fn set_catalogs(&mut self, files: Vec<File>) {
        self.catalog_files = files.into_iter().map(ReadFile::of_catalog).collect();
        self.model = None;
    }

    /// How versions are chosen. Whether there is a profile of that name; nothing changes where there is none.
    pub fn set_versions(&mut self, options: VersionOptions) -> bool {
        let profile = options.profile.as_deref().map(VersionProfile::of_name);
        if profile == Some(None) {
            return false;
        }
        let profile = profile.flatten();
        let VersionOptions { openshift, kubernetes, fresh, priorities, .. } = options;
        self.version_options =
            Options { profile, openshift, kubernetes, fresh, priorities, ..Options::default() };
        self.model = None;
        true
    }

    /// Reads the catalogs, unless that was done. Those that are not among the files come behind all others.
    pub(crate) fn read_catalogs(&mut self) {
        let behind = self.files.len() + self.type_files.len() + self.releases.len();
        let among = self.files.iter().enumerate();
        let beside = self.catalog_files.iter().enumerate().map(|(n, file)| (behind + n, file));
        let files = among.chain(beside).map(|(n, file)| (FileId(n as u32), file));
        self.shelf = Shelf::of(Arc::clone(&self.shelf), files, &self.version_options.priorities);
    }

    /// Which versions are chosen, and why; or why it can't be done.
    pub fn resolution(&mut self) -> ResolutionView {
        self.resolution_if(&[])
    }

    /// The same if requirements asked for other versions: who asks, and the range.
    pub fn resolution_if(&mut self, instead: &[(&str, &str)]) -> ResolutionView {
        let model = self.model().0.clone();
        let view = match &model.problem {
            Some(problem) => asked::of_problem(&model, problem),
            None => self.asked(&model, instead).view(&model, &self.shelf),
        };
        ResolutionView { format: "planloom.resolve/1".into(), ..view }
    }

    fn asked(&self, model: &Model, instead: &[(&str, &str)]) -> Asked {
        let instead = instead.iter().map(|(who, range)| (Arc::from(*who), Arc::from(*range))).collect();
        let options = Options { instead, ..self.version_options.clone() };
        Asked::new(model, &self.shelf, &options)
    }

    /// What would have to change for a bundle (`catalog:package:version:channel`) or a variable to be chosen.
    pub fn what_would_move(&mut self, id: &str) -> MoveView {
        let model = self.model().0.clone();
        let view = match &model.problem {
            Some(problem) => {
                let budget = Budget::new(&solve::LIMITS);
                problem::what_would_move(&Places { sources: &model.sources }, problem, id, &budget)
            }
            None => self.asked(&model, &[]).what_would_move(&model, &self.shelf, id),
        };
        MoveView { format: "planloom.move/1".into(), id: id.into(), ..view }
    }

    /// The upgrades between the versions of a package, of the first catalog that has it; `None` where none has.
    pub fn upgrades(&mut self, package: &str) -> Option<UpgradesView> {
        let model = self.model().0.clone();
        let chosen = self.asked(&model, &[]).versions_of(&model, &self.shelf, package);
        let marks = upgrades::Marks {
            selected: chosen.selected.iter().map(|it| &**it).collect(),
            installed: chosen.installed,
        };
        upgrades::view(&model, &self.shelf, &self.version_options, &marks, package)
    }

    /// The same in the language of Mermaid.
    pub fn upgrades_mermaid(&mut self, package: &str) -> Option<String> {
        self.model();
        upgrades::mermaid(&self.shelf, &self.version_options, package)
    }

    /// How many packages are asked for, and how many of them cannot be had.
    pub fn count_versions(&mut self) -> (usize, usize) {
        let model = self.model().0;
        let wanted = &model.lowered.wanted;
        let missing = wanted.iter().filter(|it| !model.packages.contains_key(&it.package.text));
        (wanted.len() + model.asked_by_resolutions(), missing.count())
    }

    /// What is chosen as the text of a lock file; `None` where nothing is, or no descriptor wants a package.
    pub fn lock(&mut self) -> Option<String> {
        let model = self.model().0.clone();
        if model.lowered.wanted.is_empty() {
            return None;
        }
        self.asked(&model, &[]).lock(&self.shelf)
    }

    /// The files that ask for packages by an `ActiveResolution`, with the outcome in its `status`.
    pub fn with_status(&mut self) -> Vec<(String, String)> {
        let model = self.model().0.clone();
        if model.resolutions.is_empty() || model.problem.is_some() {
            return Vec::new();
        }
        self.asked(&model, &[]).with_status(&model, &self.shelf)
    }
}
