//! Manifests of BOSH, links as views, and templates.

use ::linking::{Linking, Questions as _};
use ::workspace::Workspace;

use crate::json;

/// The functions of the part. Answers are JSON text; an error is the problem of an argument.
pub trait LinkingPart {
    /// The links: each consumer with its provider.
    fn links(&self, workspace: &mut Workspace) -> String;
    /// The same with the change of each link since an answer, which is JSON text.
    ///
    /// # Errors
    /// The reason why that is no answer of [`Self::links`].
    fn links_since(&self, workspace: &mut Workspace, before: &str) -> Result<String, serde_json::Error>;
    /// The map of links.
    fn links_map(&self, workspace: &mut Workspace) -> String;
    /// [`Self::links`] and [`Self::links_map`] as a list of two.
    fn links_with_map(&self, workspace: &mut Workspace) -> String;
    /// A template, filled in.
    fn preview_template(&self, workspace: &mut Workspace, owner: &str, name: &str, text: &str) -> String;
}

#[derive(Debug)]
pub(crate) struct Loaded;

impl LinkingPart for Loaded {
    fn links(&self, workspace: &mut Workspace) -> String {
        json(&having(workspace).links())
    }

    fn links_since(&self, workspace: &mut Workspace, before: &str) -> Result<String, serde_json::Error> {
        Ok(json(&having(workspace).links_since(&serde_json::from_str(before)?)))
    }

    fn links_with_map(&self, workspace: &mut Workspace) -> String {
        json(&having(workspace).links_with_map())
    }

    fn links_map(&self, workspace: &mut Workspace) -> String {
        json(&having(workspace).links_map())
    }

    fn preview_template(&self, workspace: &mut Workspace, owner: &str, name: &str, text: &str) -> String {
        json(&having(workspace).preview_template(owner, name, text))
    }
}

/// The workspace with the capability, be it that its files do not need it: a question about links has an answer.
fn having(workspace: &mut Workspace) -> &mut Workspace {
    workspace.load(Box::new(Linking));
    workspace
}
