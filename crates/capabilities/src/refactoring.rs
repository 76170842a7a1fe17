//! Renaming, references and outlines.

use ::workspace::{Workspace, view::RenameView};
use serde::Serialize;

use crate::{Cursor, json};

/// What is asked of the part. Answers are JSON text.
pub trait RefactoringPart {
    /// The edits that rename what is named at a place, or `{"refused": …}` with the reason.
    fn rename(&self, workspace: &mut Workspace, at: Cursor<'_>, name: &str, recorded: bool) -> String;
    /// Every place that names what is named at a place.
    fn references(&self, workspace: &mut Workspace, at: Cursor<'_>) -> String;
    /// What a file consists of.
    fn outline(&self, workspace: &mut Workspace, file: &str) -> String;
}

/// What comes of a renaming.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum RenameAnswer {
    /// The edits.
    Renamed(RenameView),
    /// Why there are none.
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
}
