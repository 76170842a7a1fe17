use std::{io, path::Path};

use workspace::view::{DiagnosticView, Severity};

/// What the outside world refused, as a diagnostic.
pub(crate) fn problem(
    code: &str,
    file: Option<&str>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> DiagnosticView {
    DiagnosticView {
        code: format!("host/{code}"),
        severity: Severity::Error,
        message: message.into(),
        file: file.map(Into::into),
        line: None,
        column: None,
        end_line: None,
        end_column: None,
        related: Vec::new(),
        help: Some(help.into()),
        fixes: Vec::new(),
    }
}

/// A file that could not be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> DiagnosticView {
    let (code, why, help) = match error.kind() {
        io::ErrorKind::NotFound => ("not-found", "there is no such file", "check the name and the folder"),
        io::ErrorKind::PermissionDenied => {
            ("unreadable", "permission is denied", "allow reading it, or run as a user who may")
        }
        _ => {
            return problem(
                "unreadable",
                Some(name),
                format!("cannot read `{name}`: {error}"),
                "check the path",
            );
        }
    };
    problem(code, Some(name), format!("cannot read `{name}`: {why}"), help)
}

/// A file that could not be written; nothing of it was.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> DiagnosticView {
    let name = path.display().to_string();
    let why = match error.kind() {
        io::ErrorKind::NotFound => "its folder does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        _ => error.to_string(),
    };
    let help = "name a file in a folder that you may write to; nothing was written";
    problem("unwritable", Some(&name), format!("cannot write `{name}`: {why}"), help)
}
