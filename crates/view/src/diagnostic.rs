//! What is wrong, and where.

use serde::{Deserialize, Serialize};

use crate::closed_set::closed_set;

closed_set! {
    /// How bad a mistake is.
    Severity {
        /// The file cannot be used as it is, and a plan cannot be trusted.
        Error = "error",
        /// It can be used, and is probably not what was meant.
        Warning = "warning",
        /// It is fine; there is a better way to write it.
        Hint = "hint",
    }
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Location"))]
pub struct LocationView {
    /// The file's name.
    pub file: String,
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line after the last character.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Diagnostic"))]
pub struct DiagnosticView {
    /// The stable name of this kind of mistake.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The file; null where there is none. Flattened location fields.
    pub file: Option<String>,
    /// See [`LocationView`]; null without a file.
    pub line: Option<u32>,
    /// See [`LocationView`].
    pub column: Option<u32>,
    /// See [`LocationView`].
    pub end_line: Option<u32>,
    /// See [`LocationView`].
    pub end_column: Option<u32>,
    /// Other places that belong to it.
    pub related: Vec<RelatedView>,
    /// What to do.
    pub help: Option<String>,
    /// Edits that remove it.
    pub fixes: Vec<FixView>,
}

/// Another place that belongs to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Related"))]
pub struct RelatedView {
    /// Where.
    #[serde(flatten)]
    pub location: LocationView,
    /// What it has to do with it.
    pub message: String,
}

/// An edit that removes a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Fix"))]
pub struct FixView {
    /// What it does.
    pub title: String,
    /// The edits, applied together.
    pub edits: Vec<EditView>,
}

/// A replacement of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Edit"))]
pub struct EditView {
    /// What is replaced.
    #[serde(flatten)]
    pub location: LocationView,
    /// What stands there afterwards.
    pub new_text: String,
}

/// `planloom.check/1`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Check"))]
pub struct CheckView {
    /// `planloom.check/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.check/1\""))]
    pub format: String,
    /// By file in merge order, then by place.
    pub diagnostics: Vec<DiagnosticView>,
}
