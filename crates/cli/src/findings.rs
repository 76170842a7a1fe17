//! Findings in the formats of other programs, and where those read them.

use std::{
    env, fs,
    io::{self, Write},
    path::Path,
};

use report::{Findings, github, sarif_with};
use workspace::{
    File,
    view::{CheckoutView, DiagnosticView, ReportCommand},
};

use crate::args::ReportFormat;
use crate::conceal::concealed;

/// The folder of the checkout that a workflow of GitHub runs in.
const CHECKOUT: &str = "GITHUB_WORKSPACE";
/// The file that a step of a workflow adds its summary to.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The findings of a command, without secrets.
pub(crate) fn findings(command: ReportCommand, diagnostics: &[DiagnosticView], texts: &[File]) -> Findings {
    Findings::new(command, &concealed(diagnostics, texts).0, &checkout())
}

/// Findings in a format that has nothing else; `None` for the others.
pub(crate) fn written(findings: &Findings, format: ReportFormat) -> Option<String> {
    match format {
        ReportFormat::Sarif => Some(sarif_with(findings, &|code| codes::find(code).map(Into::into))),
        ReportFormat::Github => Some(github(findings)),
        ReportFormat::Text | ReportFormat::Json => None,
    }
}

/// Adds a text to the summary of the job, if there is one; what is said if that fails.
pub(crate) fn summarize(text: &str) -> Option<String> {
    let path = env::var_os(SUMMARY).filter(|it| !it.is_empty())?;
    let error = append(Path::new(&path), text).err()?;
    Some(format!("warning: cannot write `{}`, which {SUMMARY} names: {error}\n", Path::new(&path).display()))
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(crate::console::printable(text).as_bytes())
}

fn checkout() -> CheckoutView {
    let slashes = |it: String| if cfg!(windows) { it.replace('\\', "/") } else { it };
    let root = env::var(CHECKOUT).unwrap_or_default();
    let directory = env::current_dir().unwrap_or_default().display().to_string();
    CheckoutView { root: slashes(root), directory: slashes(directory) }
}
