//! Diagnostics.

use diag::Code;
use serde::{Deserialize, Serialize};

use crate::closed_set::closed_set;

closed_set! {
    /// The severity of a diagnostic.
    Severity {
        /// The file cannot be used as it is, and a plan cannot be trusted.
        Error = "error",
        /// The file can be used, but is probably not as intended.
        Warning = "warning",
        /// The file is valid; there is a better way to write it.
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

impl LocationView {
    /// The place of a problem that is in no file: its file has no name.
    pub fn nowhere() -> Self {
        Self { file: String::new(), line: 1, column: 1, end_line: 1, end_column: 1 }
    }
}

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Diagnostic"))]
pub struct DiagnosticView {
    /// The stable code of this kind of problem.
    pub code: String,
    /// The severity.
    pub severity: Severity,
    /// The message.
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
    /// Related locations.
    pub related: Vec<RelatedView>,
    /// Advice on how to solve the problem.
    pub help: Option<String>,
    /// The fixes.
    pub fixes: Vec<FixView>,
}

impl DiagnosticView {
    /// True if it has this code.
    pub fn is(&self, code: Code) -> bool {
        self.code == code.as_str()
    }

    /// The part of its code before the slash: the area of Planloom that it is about.
    pub fn family(&self) -> &str {
        self.code.split_once('/').map_or(&*self.code, |(family, _)| family)
    }
}

/// Another place that belongs to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Related"))]
pub struct RelatedView {
    /// The related location.
    #[serde(flatten)]
    pub location: LocationView,
    /// The relation of this location to the problem.
    pub message: String,
}

/// A fix: edits that solve a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Fix"))]
pub struct FixView {
    /// The title of the fix.
    pub title: String,
    /// The edits, applied together.
    pub edits: Vec<EditView>,
}

/// A replacement of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Edit"))]
pub struct EditView {
    /// The replaced range.
    #[serde(flatten)]
    pub location: LocationView,
    /// The text that replaces it.
    pub new_text: String,
}

/// `planloom.check/1`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Check"))]
pub struct CheckView {
    /// `planloom.check/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.check/1\""))]
    pub format: String,
    /// The diagnostics, by file in merge order, then by location.
    pub diagnostics: Vec<DiagnosticView>,
}
