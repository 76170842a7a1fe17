//! Renaming, references, outlines and formatting, for editors.

use serde::{Deserialize, Serialize};

use crate::{DiagnosticView, EditView, LocationView};

/// The edits of a renaming.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Rename"))]
pub struct RenameView {
    /// The address before the rename.
    pub from: String,
    /// Its new address.
    pub to: String,
    /// The extent of the edit: `4 places in 2 files`.
    pub summary: String,
    /// True if a `moved` record is among the edits.
    pub moved: bool,
    /// The edits, in all files. Each place is of the text before all of them.
    pub edits: Vec<EditView>,
}

/// Every place that names a resource or a part of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "References"))]
pub struct ReferencesView {
    /// Its address.
    pub address: String,
    /// The places, in the order of the files.
    pub references: Vec<ReferenceView>,
}

/// A place that names something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Reference"))]
pub struct ReferenceView {
    /// The location.
    #[serde(flatten)]
    pub location: LocationView,
    /// True if it declares the resource or part, or adds to its declaration.
    pub declares: bool,
}

/// An entry of a file's outline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "OutlineItem"))]
pub struct OutlineItemView {
    /// The location of its key.
    #[serde(flatten)]
    pub location: LocationView,
    /// The key.
    pub name: String,
    /// Its depth, from 0.
    pub depth: u32,
    /// The kind of a resource; empty for other entries.
    pub detail: String,
}

/// The result of formatting a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FormattedFile"))]
pub struct FormattedView {
    /// The edits; none where the file is formatted already, has errors, or is left as it is.
    pub edits: Vec<EditView>,
    /// The errors that prevent it, or the warning that says why the file is left as it is.
    pub diagnostics: Vec<DiagnosticView>,
}
