use report::codes;
use std::{io, path::Path};

use report::InputError;
use workspace::view::DiagnosticView;

pub(crate) use report::problem;

/// A file that could not be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> DiagnosticView {
    let why = match error.kind() {
        io::ErrorKind::NotFound => InputError::NotFound,
        io::ErrorKind::PermissionDenied => InputError::PermissionDenied,
        _ => InputError::Other { error: error.to_string() },
    };
    why.diagnostic(name)
}

/// The problem of a file that could not be written, not even in part.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> DiagnosticView {
    let name = path.display().to_string();
    let why = match error.kind() {
        io::ErrorKind::NotFound => "its folder does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        _ => error.to_string(),
    };
    let help = "name a file in a folder that you may write to; nothing was written";
    problem(codes::UNWRITABLE, Some(&name), format!("cannot write `{name}`: {why}"), help)
}
