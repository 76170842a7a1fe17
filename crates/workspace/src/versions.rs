//! Which versions are chosen, and why, as views.

mod choose;
mod chosen;
pub(crate) mod lock;
mod options;
mod profile;
mod request;
mod shelf;
mod solve;

pub(crate) use choose::{Choice, From};
pub(crate) use options::Options;
pub use options::VersionOptions;
pub(crate) use shelf::{Shelf, is_catalog};

use std::sync::Arc;

use diag::FileId;

use crate::{
    File, Workspace,
    pipeline::ReadFile,
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
        let profile = match options.profile.as_deref() {
            None => catalog::Profile::default(),
            Some(name) => match profile::named(name) {
                Some(profile) => profile,
                None => return false,
            },
        };
        let VersionOptions { openshift, kubernetes, fresh, .. } = options;
        self.version_options = Options { profile, openshift, kubernetes, fresh, ..Options::default() };
        self.model = None;
        true
    }

    /// Reads the catalogs, unless that was done. Those that are not among the files come behind all others.
    pub(crate) fn read_catalogs(&mut self) {
        let behind = self.files.len() + self.type_files.len() + self.releases.len();
        let among = self.files.iter().enumerate();
        let beside = self.catalog_files.iter().enumerate().map(|(n, file)| (behind + n, file));
        let files = among.chain(beside).map(|(n, file)| (FileId(n as u32), file));
        self.shelf = Shelf::of(Arc::clone(&self.shelf), files);
    }

    /// Which versions are chosen, and why; or why it can't be done.
    pub fn resolution(&mut self) -> ResolutionView {
        ResolutionView::default()
    }

    /// The same if requirements asked for other versions: who asks, and the range.
    pub fn resolution_if(&mut self, instead: &[(&str, &str)]) -> ResolutionView {
        let _ = instead;
        ResolutionView::default()
    }

    /// What would have to change for a bundle (`catalog:package:version:channel`) to be chosen.
    pub fn what_would_move(&mut self, id: &str) -> MoveView {
        let _ = id;
        MoveView::default()
    }

    /// The upgrades between the versions of a package; `None` where no catalog has it.
    pub fn upgrades(&mut self, package: &str) -> Option<UpgradesView> {
        let _ = package;
        None
    }

    /// How many packages are asked for, and how many of them cannot be had.
    pub fn count_versions(&mut self) -> (usize, usize) {
        (0, 0)
    }

    /// What is chosen as the text of a lock file; `None` where nothing is.
    pub fn lock(&mut self) -> Option<String> {
        None
    }
}
