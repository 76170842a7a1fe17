//! Renaming, references, outlines and formatting.

use ::workspace::{
    Workspace,
    capability::{diagnostic_views, edit_view},
    view::{FormattedView, RenameView},
};
use serde::Serialize;

use crate::{Cursor, json};

/// The functions of the part. Answers are JSON text.
pub trait RefactoringPart {
    /// The edits that rename what is named at a place, or `{"refused": …}` with the reason.
    fn rename(&self, workspace: &mut Workspace, at: Cursor<'_>, name: &str, recorded: bool) -> String;
    /// Every place that names what is named at a place.
    fn references(&self, workspace: &mut Workspace, at: Cursor<'_>) -> String;
    /// The outline of a file.
    fn outline(&self, workspace: &mut Workspace, file: &str) -> String;
    /// The edits that format a file.
    fn format(&self, workspace: &mut Workspace, file: &str) -> String;
    /// The edits that format a text, whatever a workspace has.
    fn format_text(&self, name: &str, text: &str) -> String;
}

/// The answer to a request to rename.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum RenameAnswer {
    /// The edits.
    Renamed(RenameView),
    /// The reason why there are none.
    Refused { refused: String },
}

#[derive(Debug)]
pub(crate) struct Loaded;

impl RefactoringPart for Loaded {
    fn rename(&self, workspace: &mut Workspace, at: Cursor<'_>, name: &str, recorded: bool) -> String {
        json(&match refactor::rename(workspace, (at.file, at.line, at.column), name, recorded) {
            Ok(renamed) => RenameAnswer::Renamed(renamed),
            Err(why) => RenameAnswer::Refused { refused: why.to_string() },
        })
    }

    fn references(&self, workspace: &mut Workspace, at: Cursor<'_>) -> String {
        json(&refactor::references(workspace, at.file, at.line, at.column))
    }

    fn outline(&self, workspace: &mut Workspace, file: &str) -> String {
        json(&refactor::outline(workspace, file))
    }

    fn format(&self, workspace: &mut Workspace, file: &str) -> String {
        let model = workspace.current();
        let found = model.sources.iter().find(|(_, source)| &*source.name == file);
        let nothing = FormattedView { edits: Vec::new(), diagnostics: Vec::new() };
        json(&found.map_or(nothing, |(_, source)| formatted(file, &source.text)))
    }

    fn format_text(&self, name: &str, text: &str) -> String {
        json(&formatted(name, text))
    }
}

/// The edits that format a text, and the diagnostics of what is left as it is.
fn formatted(name: &str, text: &str) -> FormattedView {
    let sources: diag::Sources = std::iter::once(diag::Source::new(name, text)).collect();
    match format::format(diag::FileId(0), text) {
        Ok(format::Formatted { edits, left }) => FormattedView {
            edits: edits.iter().map(|edit| edit_view(&sources, edit)).collect(),
            diagnostics: diagnostic_views(&sources, left.as_slice()),
        },
        Err(found) => FormattedView { edits: Vec::new(), diagnostics: diagnostic_views(&sources, &found) },
    }
}
