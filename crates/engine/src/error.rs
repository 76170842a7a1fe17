use std::{borrow::Cow, fmt};

use diag::Code;
use protocol::Problem;
use serde::Serialize;
use state::BackendError;

/// An error, for programs and for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineError {
    /// `engine/…`, `state/…`, or `adapter/` and the adapter's own code.
    pub code: Cow<'static, str>,
    /// One line, lower case, without full stop.
    pub message: String,
    /// A suggestion for solving it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub help: Cow<'static, str>,
    /// True if a retry may succeed without any change.
    pub passing: bool,
    /// The attributes that caused it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blames: Vec<Blame>,
    /// The addresses of the resources that it is about, if any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
}

/// An attribute that caused an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Blame {
    /// A JSON pointer into the resource's attributes.
    pub pointer: String,
    /// A description of the problem, for people.
    pub detail: String,
    /// The place where the attribute is written, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceLocation>,
}

/// A place in a descriptor; line and column count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceLocation {
    /// The file's name.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The line of its end.
    pub end_line: u32,
    /// The column after its last character.
    pub end_column: u32,
}

impl EngineError {
    /// An error of the engine itself.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code: code.as_str().into(),
            message: message.into(),
            help: "".into(),
            passing: false,
            blames: Vec::new(),
            about: Vec::new(),
        }
    }

    /// True if it has this code.
    pub fn is(&self, code: Code) -> bool {
        self.code == code.as_str()
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: &'static str) -> Self {
        self.help = help.into();
        self
    }

    /// Marks it as passing: a retry may succeed.
    #[must_use]
    pub(crate) fn passing(self) -> Self {
        Self { passing: true, ..self }
    }

    /// Adds the adapter that it comes from.
    #[must_use]
    pub(crate) fn of(self, adapter: &str) -> Self {
        Self { message: format!("adapter `{adapter}`: {}", self.message), ..self }
    }

    /// The error that an adapter reported.
    pub(crate) fn said(problem: &Problem) -> Self {
        let code = if problem.code.is_empty() { problem.status.to_string() } else { problem.code.clone() };
        let blame = |it: &protocol::Violation| Blame {
            pointer: it.pointer.clone(),
            detail: it.detail.clone(),
            place: None,
        };
        Self {
            code: format!("adapter/{code}").into(),
            message: problem.to_string(),
            help: "".into(),
            passing: problem.retryable,
            blames: problem.violations.iter().map(blame).collect(),
            about: Vec::new(),
        }
    }
}

impl From<BackendError> for EngineError {
    fn from(error: BackendError) -> Self {
        let passing = matches!(error, BackendError::Unavailable(_) | BackendError::Locked(_));
        let (code, help) = (error.code().as_str().into(), help(&error).into());
        Self { code, message: error.to_string(), help, passing, blames: Vec::new(), about: Vec::new() }
    }
}

const fn help(error: &BackendError) -> &'static str {
    match error {
        BackendError::Stale { .. } => "nothing was done; plan again, against the state as it is now",
        BackendError::Locked(_) => {
            "wait until it has finished; if its holder no longer exists, unlock the state"
        }
        BackendError::LeaseLost => "what was started is in the journal; apply again to resume",
        BackendError::Unavailable(_) => "nothing was lost; check that it can be reached, then try again",
        BackendError::Corrupt(_) => {
            "nothing was overwritten; restore an earlier version with `planloom state restore`: `state \
             history` lists them"
        }
        BackendError::Unsupported(_) => "use another place for the state",
        BackendError::Sealed(_) => "give the key that it was encrypted with, or none if it is not encrypted",
        BackendError::Invalid(_) => "nothing was written; this is a bug in Planloom",
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

#[cfg(test)]
mod tests {
    use protocol::Code;
    use state::Holder;

    use super::*;

    #[test]
    fn backend_errors_have_help() {
        let why = || "why".to_owned();
        for (error, code, passing, help) in [
            (
                BackendError::Stale { requested: 2, kept: 3 },
                "state/stale",
                false,
                "nothing was done; plan again",
            ),
            (
                BackendError::Locked(Box::<Holder>::default()),
                "state/locked",
                true,
                "wait until it has finished",
            ),
            (BackendError::LeaseLost, "state/lease-lost", false, "what was started is in the journal"),
            (BackendError::Unavailable(why()), "state/unavailable", true, "nothing was lost"),
            (BackendError::Corrupt(why()), "state/corrupt", false, "nothing was overwritten"),
            (BackendError::Unsupported(why()), "state/unsupported", false, "use another place"),
            (BackendError::Sealed(why()), "state/sealed", false, "give the key"),
            (BackendError::Invalid(why()), "state/invalid", false, "nothing was written"),
        ] {
            let message = error.to_string();
            let error = EngineError::from(error);
            assert_eq!((&*error.code, &error.message, error.passing), (code, &message, passing));
            assert!(error.help.starts_with(help), "{code}: {}", error.help);
            assert_eq!((error.blames.len(), error.about.len()), (0, 0));
        }
    }

    #[test]
    fn adapter_errors_keep_their_violations() {
        let blame = |pointer: &str, detail: &str| Blame {
            pointer: pointer.into(),
            detail: detail.into(),
            place: None,
        };
        let invalid = Problem::new(Code::InvalidSpec, "no").at("/a", "too long").at("/b", "missing");
        let unnamed = Problem { code: String::new(), status: 418, ..Problem::new(Code::Busy, "later") };
        for (problem, code, message, passing, blames) in [
            (
                invalid,
                "adapter/invalid_spec",
                "no",
                false,
                vec![blame("/a", "too long"), blame("/b", "missing")],
            ),
            (unnamed, "adapter/418", "later", true, Vec::new()),
        ] {
            let (code, message, help) = (code.into(), message.into(), "".into());
            let expected = EngineError { code, message, help, passing, blames, about: Vec::new() };
            assert_eq!(EngineError::said(&problem), expected);
        }
    }

    #[test]
    fn more_is_said_without_losing_what_was_said() {
        let error = EngineError::new(crate::codes::GONE, "it is gone");
        assert_eq!((error.to_string(), error.passing), ("it is gone (engine/gone)".into(), false));
        let more = error.clone().help("check for drift again").passing().of("one");
        let expected = EngineError {
            message: "adapter `one`: it is gone".into(),
            help: "check for drift again".into(),
            passing: true,
            ..error
        };
        assert_eq!(more, expected);
    }
}
