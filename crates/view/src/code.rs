//! The documentation of codes.

use serde::{Deserialize, Serialize};

use crate::Severity;

/// The documentation of a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CodeDocumentation"))]
pub struct CodeView {
    /// The code.
    pub code: String,
    /// The severities that it is reported with, the worst first.
    pub severities: Vec<Severity>,
    /// True if some of its problems have a fix.
    pub has_fix: bool,
    /// A short noun phrase for the problem, as one line.
    pub title: String,
    /// The reason why it matters, what to do, and possibly an example, as Markdown; empty if the title says all.
    pub text: String,
}

/// `planloom.codes/1`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Codes"))]
pub struct CodesView {
    /// `planloom.codes/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.codes/1\""))]
    pub format: String,
    /// Sorted by code.
    pub codes: Vec<CodeView>,
}
