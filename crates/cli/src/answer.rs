use std::process::ExitCode;

use workspace::view::{DiagnosticView, Severity};

use crate::console::{write_err, write_out};

/// The output of a verb, and the exit code it ends with.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// For standard output.
    pub(crate) out: String,
    /// For standard error.
    pub(crate) err: String,
    pub(crate) code: Code,
}

/// The exit codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Code {
    /// All is well.
    #[default]
    Fine = 0,
    /// The input has errors.
    Errors = 1,
    /// There are no errors, and there are changes.
    Changes = 2,
}

impl Code {
    /// `Errors` where there is one.
    pub(crate) fn of(diagnostics: &[DiagnosticView]) -> Self {
        if has_errors(diagnostics) { Self::Errors } else { Self::Fine }
    }
}

pub(crate) fn has_errors(diagnostics: &[DiagnosticView]) -> bool {
    diagnostics.iter().any(|it| it.severity == Severity::Error)
}

impl Answer {
    /// Writes it down and ends.
    pub(crate) fn give(self) -> ExitCode {
        match write_out(&self.out).and_then(|()| write_err(&self.err)) {
            Ok(()) => ExitCode::from(self.code as u8),
            // There is nowhere left to say why.
            Err(_) => ExitCode::from(Code::Errors as u8),
        }
    }
}

pub(crate) use report::json;
