//! What the engine answers, as the exact JSON text of each verb.

use serde::Serialize;
use serde_json::Value as Json;
use workspace::Workspace;

use crate::example::Inputs;

/// The answers to one example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outputs {
    /// `planloom.check/1`
    pub check: String,
    /// `planloom.merge/1` with origins
    pub merged: String,
    /// `planloom.graph/1`
    pub graph: String,
    /// `planloom.plan/1`
    pub plan: String,
    /// The merged document as YAML text.
    pub merged_yaml: String,
    /// The graph in the language of Graphviz.
    pub dot: String,
    /// The graph in the language of Mermaid.
    pub mermaid: String,
    /// `planloom.links/1`; only where something is linked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<String>,
}

impl Outputs {
    /// Asks a new workspace.
    pub fn of(inputs: &Inputs) -> Self {
        Self::ask(&mut workspace(inputs), inputs)
    }

    /// Asks a workspace that holds the inputs.
    pub fn ask(workspace: &mut Workspace, inputs: &Inputs) -> Self {
        Self {
            check: text(&workspace.diagnostics()),
            merged: text(&workspace.merged(true)),
            graph: text(&workspace.graph()),
            plan: text(&workspace.plan(&inputs.plan)),
            merged_yaml: workspace.merged_yaml(),
            dot: workspace.graph_text("dot").expect("a known format"),
            mermaid: workspace.graph_text("mermaid").expect("a known format"),
            links: links(workspace, inputs),
        }
    }
}

/// A workspace that holds the inputs.
pub fn workspace(inputs: &Inputs) -> Workspace {
    let mut workspace = Workspace::new();
    workspace.set_lenient(inputs.lenient);
    if let Some(profile) = &inputs.profile {
        assert!(workspace.set_profile(profile), "there is no profile {profile}");
    }
    if !inputs.releases.is_empty() {
        workspace.set_releases(inputs.releases.clone());
    }
    if !inputs.types.is_empty() {
        workspace.set_types(inputs.types.clone());
    }
    workspace.set_files(inputs.files.clone());
    workspace
}

fn links(asked: &mut Workspace, inputs: &Inputs) -> Option<String> {
    let before = inputs.before.as_deref().map(|it| workspace(it).links());
    let view = match before {
        Some(before) => asked.links_since(&before),
        None => asked.links(),
    };
    let is_linked = !view.links.is_empty() || !view.providers.is_empty();
    is_linked.then(|| text(&view))
}

fn text(view: &impl Serialize) -> String {
    serde_json::to_string(view).expect("views are plain data")
}

/// JSON text that the engine wrote.
///
/// # Panics
/// When it is not JSON.
pub fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}
