//! The one API boundary for hosts: files in; diagnostics and plain views out.
//!
//! A [`Workspace`] holds the texts and answers questions about them with the [`view`]s, which serialise to the JSON
//! of the command line, the npm package and the app alike. It can be thrown away and rebuilt from the texts.
//! Nothing here panics on bad input.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

pub mod view;

use view::{
    CheckView, CompletionView, EditView, GraphView, HoverView, LayoutView, LocationView, MergeView, OriginView, PlanView,
};

/// Descriptor files in merge order, and what they mean.
#[derive(Debug, Default)]
pub struct Workspace {}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct File {
    /// Its name, unique in the workspace.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The zip package it came from: among files of one package there is no order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
}

/// What to plan for.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanOptions {
    /// The recorded state, as `planloom.state/1` JSON text.
    pub state: Option<String>,
    /// What adapters saw, as `planloom.observed/1` JSON text.
    pub observed: Option<String>,
    /// Plan the removal of everything that is recorded.
    pub destroy: bool,
    /// `values` (the default) or `all`.
    pub knock_on: Option<String>,
    /// Also list `no_op` and `forget` actions.
    pub list_unchanged: bool,
}

impl Workspace {
    /// An empty workspace with the built-in kinds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces all files; the order is the merge order. Files whose text did not change are not read again.
    pub fn set_files(&mut self, files: Vec<File>) {
        let _ = files;
        todo!()
    }

    /// Changes one file's text; adds it at the end when there is none of that name.
    pub fn set_file(&mut self, name: &str, text: &str) {
        let _ = (name, text);
        todo!()
    }

    /// The files in merge order.
    pub fn files(&self) -> Vec<File> {
        todo!()
    }

    /// Adds or overrides kinds with definition files (the form of `crates/types/builtin/*.yaml`).
    pub fn set_types(&mut self, files: Vec<File>) {
        let _ = files;
        todo!()
    }

    /// Whether unknown keys are only warnings.
    pub fn set_lenient(&mut self, lenient: bool) {
        let _ = lenient;
        todo!()
    }

    /// Everything that is wrong.
    pub fn diagnostics(&mut self) -> CheckView {
        todo!()
    }

    /// The merged document; origins of every place when asked for.
    pub fn merged(&mut self, origins: bool) -> MergeView {
        let _ = origins;
        todo!()
    }

    /// The merged document as YAML text.
    pub fn merged_yaml(&mut self) -> String {
        todo!()
    }

    /// Where the value at a pointer came from.
    pub fn origin(&mut self, pointer: &str) -> Option<OriginView> {
        let _ = pointer;
        todo!()
    }

    /// The dependency graph.
    pub fn graph(&mut self) -> GraphView {
        todo!()
    }

    /// The dependency graph as `dot`, `mermaid` or `svg` text; `None` for another format.
    pub fn graph_text(&mut self, format: &str) -> Option<String> {
        let _ = format;
        todo!()
    }

    /// The graph with places to draw it at.
    pub fn layout(&mut self) -> LayoutView {
        todo!()
    }

    /// The plan.
    pub fn plan(&mut self, options: &PlanOptions) -> PlanView {
        let _ = options;
        todo!()
    }

    /// What is known of a place in a file: documentation, effective value, who set it, what the plan does with it.
    /// `line` and `column` count from 1, columns in characters.
    pub fn hover(&mut self, file: &str, line: u32, column: u32, options: &PlanOptions) -> Option<HoverView> {
        let _ = (file, line, column, options);
        todo!()
    }

    /// What can be written at a place.
    pub fn complete(&mut self, file: &str, line: u32, column: u32) -> Vec<CompletionView> {
        let _ = (file, line, column);
        todo!()
    }

    /// Where the thing named at a place is declared.
    pub fn definition(&mut self, file: &str, line: u32, column: u32) -> Option<LocationView> {
        let _ = (file, line, column);
        todo!()
    }

    /// The edits that set the value at a pointer of the merged document in one file, comments kept.
    pub fn set_value(&mut self, file: &str, pointer: &str, yaml: &str) -> Option<Vec<EditView>> {
        let _ = (file, pointer, yaml);
        todo!()
    }

    /// The type definitions as a JSON Schema of a descriptor.
    pub fn json_schema(&self) -> String {
        todo!()
    }

    /// The YAML files of a zip package.
    ///
    /// # Errors
    /// A sentence that says why the package is refused.
    pub fn read_package(name: &str, bytes: &[u8]) -> Result<Vec<File>, String> {
        let _ = (name, bytes);
        todo!()
    }

    /// The files as a zip package.
    pub fn write_package(&self) -> Vec<u8> {
        todo!()
    }
}
