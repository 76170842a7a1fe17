//! Files as hosts read them: their texts, or why they cannot be used.

use crate::codes;
use diag::Code;
use serde::{Deserialize, Serialize};
use workspace::view::{DiagnosticView, Severity};

/// The name of standard input.
pub const STDIN: &str = "<stdin>";

/// The reason why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum InputError {
    /// It does not exist.
    NotFound,
    /// The user may not read it.
    PermissionDenied,
    /// It is a directory.
    Directory {
        /// The descriptors and packages in it.
        holds: Vec<String>,
    },
    /// It is larger than any file of its sort.
    TooLarge {
        /// The maximum size of the file, in MiB.
        limit: u64,
    },
    /// Standard input was named a second time.
    StdinTwice,
    /// Something else.
    Other {
        /// The error of the operating system.
        error: String,
    },
}

/// The number of files of a directory that are named before the rest is only counted.
const NAMED: usize = 8;

impl InputError {
    /// The diagnostic for a file that could not be read.
    pub fn diagnostic(&self, name: &str) -> DiagnosticView {
        let cannot = |why: &str| format!("cannot read `{name}`: {why}");
        let (code, message, help) = match self {
            Self::NotFound => {
                (codes::NOT_FOUND, cannot("there is no such file"), "check the name and the folder".into())
            }
            Self::PermissionDenied => (
                codes::UNREADABLE,
                cannot("permission is denied"),
                "allow reading it, or run as a user who may".into(),
            ),
            Self::Directory { holds } => (codes::DIRECTORY, format!("`{name}` is a directory"), held(holds)),
            Self::TooLarge { limit } => (
                codes::TOO_LARGE,
                format!("`{name}` is larger than {limit} MiB"),
                "split it into several files".into(),
            ),
            Self::StdinTwice => {
                let message = "standard input can be read only once";
                return problem(codes::STDIN_TWICE, None, message, "give `-` once");
            }
            Self::Other { error } => (codes::UNREADABLE, cannot(error), "check the path".into()),
        };
        problem(code, Some(name), message, help)
    }
}

fn held(names: &[String]) -> String {
    if names.is_empty() {
        return "it holds no YAML files; name the files themselves".into();
    }
    let (shown, rest) = names.split_at(names.len().min(NAMED));
    let shown: Vec<String> = shown.iter().map(|it| format!("`{it}`")).collect();
    let rest = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    format!("it holds {}{rest}; name them in merge order", shown.join(", "))
}

/// An error of the outside world, as a diagnostic.
pub fn problem(
    code: Code,
    file: Option<&str>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> DiagnosticView {
    DiagnosticView {
        code: code.to_string(),
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

/// The bytes of a file as text.
///
/// # Errors
/// The diagnostic for a file that is not UTF-8 text.
pub fn text(name: &str, bytes: Vec<u8>) -> Result<String, Box<DiagnosticView>> {
    let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    if utf16 {
        let message = format!("`{name}` is not UTF-8 but UTF-16");
        return Err(Box::new(problem(codes::NOT_UTF8, Some(name), message, "save it as UTF-8")));
    }
    if bytes.contains(&0) {
        let message = format!("`{name}` is not a text file");
        return Err(Box::new(problem(
            codes::BINARY,
            Some(name),
            message,
            "give a YAML file or a .zip package",
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let before = String::from_utf8_lossy(valid).into_owned();
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
        let message = format!("`{name}` is not valid UTF-8 (line {line}, column {column})");
        let at = problem(codes::NOT_UTF8, Some(name), message, "save it as UTF-8");
        let (line, column) = (Some(line), Some(column));
        Box::new(DiagnosticView { line, column, end_line: line, end_column: column, ..at })
    })
}
