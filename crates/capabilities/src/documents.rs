//! Documents made from a workspace: packages, YAML, graphs, a schema.

use ::workspace::{
    Workspace,
    view::{GraphFormat, LayoutView, PlacesView},
};

use crate::json;

/// The functions of the part.
pub trait DocumentsPart {
    /// The files of a zip package as JSON text.
    ///
    /// # Errors
    /// The reason why it is refused, as a sentence.
    fn read_package(&self, name: &str, bytes: &[u8]) -> Result<String, String>;
    /// The files of a workspace as a zip package.
    fn write_package(&self, workspace: &Workspace) -> Vec<u8>;
    /// The merged document as YAML text.
    fn merged_yaml(&self, workspace: &mut Workspace) -> String;
    /// The dependency graph as text.
    fn graph_text(&self, workspace: &mut Workspace, format: GraphFormat) -> String;
    /// The graph with places to draw it at, as JSON text.
    fn layout(&self, workspace: &mut Workspace) -> String;
    /// The graph with places to draw it at.
    fn drawn(&self, workspace: &mut Workspace) -> LayoutView;
    /// Places for boxes of these sizes, given which of them needs which.
    fn places(&self, sizes: &[[f32; 2]], edges: &[[usize; 2]]) -> PlacesView;
    /// The type definitions as a JSON Schema.
    fn json_schema(&self, workspace: &Workspace) -> String;
}

#[derive(Debug)]
pub(crate) struct Loaded;

impl DocumentsPart for Loaded {
    fn read_package(&self, name: &str, bytes: &[u8]) -> Result<String, String> {
        Workspace::read_package(name, bytes).map(|it| json(&it)).map_err(|it| it.to_string())
    }

    fn write_package(&self, workspace: &Workspace) -> Vec<u8> {
        workspace.write_package()
    }

    fn merged_yaml(&self, workspace: &mut Workspace) -> String {
        workspace.merged_yaml()
    }

    fn graph_text(&self, workspace: &mut Workspace, format: GraphFormat) -> String {
        workspace.graph_text(format)
    }

    fn layout(&self, workspace: &mut Workspace) -> String {
        workspace.layout().to_json()
    }

    fn drawn(&self, workspace: &mut Workspace) -> LayoutView {
        workspace.layout()
    }

    fn places(&self, sizes: &[[f32; 2]], edges: &[[usize; 2]]) -> PlacesView {
        Workspace::places(sizes, edges)
    }

    fn json_schema(&self, workspace: &Workspace) -> String {
        workspace.json_schema()
    }
}
