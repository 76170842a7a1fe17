//! Versions of packages, and problems of programs.

use ::versions::{Questions as _, SolverCallbacks, Versions, solve_problem};
use ::workspace::{File, Workspace};

use crate::json;

/// The functions of the part. Answers are JSON text.
pub trait VersionsPart {
    /// The selected versions if requests had other ranges.
    fn resolution_if(&self, workspace: &mut Workspace, ranges: &[(&str, &str)]) -> String;
    /// The changes that would be necessary for a bundle to be selected.
    fn what_would_move(&self, workspace: &mut Workspace, id: &str) -> String;
    /// The upgrades between the versions of a package.
    fn upgrades(&self, workspace: &mut Workspace, package: &str) -> String;
    /// The same in the language of Mermaid.
    fn upgrades_mermaid(&self, workspace: &mut Workspace, package: &str) -> String;
    /// The selection as the text of a lock file; `None` if there is none.
    fn lock_text(&self, workspace: &mut Workspace) -> Option<String>;
    /// The files that ask, with the outcome in their `status`.
    fn with_status(&self, workspace: &mut Workspace) -> String;
    /// The number of requested packages, and the number of those that cannot be selected.
    fn count_versions(&self, workspace: &mut Workspace) -> (usize, usize);
    /// The answer to a problem.
    fn solve(&self, text: &str, lazily: bool, steps: Option<u64>, along: &mut dyn SolverCallbacks) -> String;
}

#[derive(Debug)]
pub(crate) struct Loaded;

impl VersionsPart for Loaded {
    fn resolution_if(&self, workspace: &mut Workspace, ranges: &[(&str, &str)]) -> String {
        json(&having(workspace).resolution_if(ranges))
    }

    fn what_would_move(&self, workspace: &mut Workspace, id: &str) -> String {
        json(&having(workspace).what_would_move(id))
    }

    fn upgrades(&self, workspace: &mut Workspace, package: &str) -> String {
        json(&having(workspace).upgrades(package))
    }

    fn upgrades_mermaid(&self, workspace: &mut Workspace, package: &str) -> String {
        json(&having(workspace).upgrades_mermaid(package))
    }

    fn lock_text(&self, workspace: &mut Workspace) -> Option<String> {
        having(workspace).lock()
    }

    fn with_status(&self, workspace: &mut Workspace) -> String {
        let files = having(workspace).with_status().into_iter();
        let files: Vec<_> = files.map(|(name, text)| File { name, text, package: None }).collect();
        json(&files)
    }

    fn count_versions(&self, workspace: &mut Workspace) -> (usize, usize) {
        workspace.count_versions()
    }

    fn solve(&self, text: &str, lazily: bool, steps: Option<u64>, along: &mut dyn SolverCallbacks) -> String {
        json(&solve_problem(text, lazily, steps, along))
    }
}

/// The workspace with the capability, be it that its files do not need it: a question about versions has an answer.
fn having(workspace: &mut Workspace) -> &mut Workspace {
    workspace.load(Box::new(Versions::default()));
    workspace
}
