//! Reports of commands for other programs.

use serde::{Deserialize, Serialize};

use crate::closed_set::closed_set;

closed_set! {
    /// A command whose result is reported.
    ReportCommand {
        /// The problems of the files.
        Check = "check",
        /// The merged document; in formats for problems, the problems.
        Merge = "merge",
        /// The plan; in formats for problems, the problems and the actions that destroy something.
        Plan = "plan",
    }
}

closed_set! {
    /// The format of a report.
    #[derive(Default)]
    ReportFormat {
        /// Text to read.
        #[default]
        Text = "text",
        /// One JSON object.
        Json = "json",
        /// SARIF 2.1.0, for code scanning and editors.
        Sarif = "sarif",
        /// Workflow commands of GitHub Actions, which annotate lines.
        Github = "github",
    }
}

/// The folders that names of files are relative to, as absolute paths with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Checkout"))]
#[serde(default, deny_unknown_fields)]
pub struct CheckoutView {
    /// The root of the checkout. If it is empty, names stay relative to the directory.
    pub root: String,
    /// The working directory.
    pub directory: String,
}

/// The output of a command and its exit code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Report"))]
pub struct ReportView {
    /// The text for standard output.
    pub out: String,
    /// The text for standard error.
    pub err: String,
    /// Markdown for the summary of a job; null if there is none.
    pub summary: Option<String>,
    /// 0 success, 1 errors, 2 a plan with changes.
    pub code: u8,
}
