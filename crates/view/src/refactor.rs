//! Renaming, references, outlines and formatting, for editors.

use serde::{Deserialize, Serialize};

use crate::{DiagnosticView, EditView, LocationView};

/// The edits of a renaming.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Rename"))]
pub struct RenameView {
    /// The address of what is renamed.
    pub from: String,
    /// Its new address.
    pub to: String,
    /// How much is edited: `4 places in 2 files`.
    pub summary: String,
    /// Whether a `moved` record is among the edits.
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
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// Whether it declares what is named, or adds to its declaration.
    pub declares: bool,
}

/// An entry of a file's outline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "OutlineItem"))]
pub struct OutlineItemView {
    /// Where its key is.
    #[serde(flatten)]
    pub location: LocationView,
    /// The key.
    pub name: String,
    /// How deep it is, from 0.
    pub depth: u32,
    /// The kind of a resource; empty for other entries.
    pub detail: String,
}

/// What formats a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FormattedFile"))]
pub struct FormattedView {
    /// The edits; none where the file is formatted already, has errors, or is left as it is.
    pub edits: Vec<EditView>,
    /// The errors that prevent it, or the warning that says why the file is left as it is.
    pub diagnostics: Vec<DiagnosticView>,
}
