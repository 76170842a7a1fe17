//! Which versions are chosen, and why, as views.

use crate::{
    Workspace,
    view::{MoveView, ResolutionView, UpgradesView},
};

impl Workspace {
    /// Which versions are chosen, and why; or why it can't be done.
    pub fn resolution(&mut self) -> ResolutionView {
        ResolutionView::default()
    }

    /// The same if a requirement asked for other versions.
    pub fn resolution_if(&mut self, requirement: &str, version: &str) -> ResolutionView {
        let _ = (requirement, version);
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
