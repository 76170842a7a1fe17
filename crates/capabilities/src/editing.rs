//! Questions of an editor about a place in a file, and edits that keep what is around them.

use ::workspace::{PlanOptions, Workspace};

use crate::json;

/// A place in a file as an editor has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The functions of the part. Answers are JSON text.
pub trait EditingPart {
    /// The information about a place.
    fn hover(&self, workspace: &mut Workspace, at: Cursor<'_>, options: &PlanOptions) -> String;
    /// The completions at a place.
    fn complete(&self, workspace: &mut Workspace, at: Cursor<'_>) -> String;
    /// The declaration of what is named at a place.
    fn definition(&self, workspace: &mut Workspace, at: Cursor<'_>) -> String;
    /// The edits that set the value at a pointer in one file.
    fn set_value(&self, workspace: &mut Workspace, file: &str, pointer: &str, yaml: &str) -> String;
}

#[derive(Debug)]
pub(crate) struct Loaded;

impl EditingPart for Loaded {
    fn hover(&self, workspace: &mut Workspace, at: Cursor<'_>, options: &PlanOptions) -> String {
        json(&workspace.hover(at.file, at.line, at.column, options))
    }

    fn complete(&self, workspace: &mut Workspace, at: Cursor<'_>) -> String {
        json(&workspace.complete(at.file, at.line, at.column))
    }

    fn definition(&self, workspace: &mut Workspace, at: Cursor<'_>) -> String {
        json(&workspace.definition(at.file, at.line, at.column))
    }

    fn set_value(&self, workspace: &mut Workspace, file: &str, pointer: &str, yaml: &str) -> String {
        json(&workspace.set_value(file, pointer, yaml))
    }
}
