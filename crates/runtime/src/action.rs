use std::{borrow::Cow, fmt, time::Duration};

use serde::Serialize;
use store::StoreError;

use crate::{AccessDenied, CallError};

/// The result of a successful reconcile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing until an input changes.
    Done,
    /// Another run after so long, or sooner if an input changes. Less than 10 ms is for work in parts that comes to an
    /// end: more such runs in a row than [`Options::longest_chain`](crate::Options::longest_chain) are
    /// slowed down and shown as a loop.
    RequeueAfter(Duration),
    /// Nothing was done, for this reason. Counted apart; nothing until an input changes.
    Skip(Cow<'static, str>),
}

/// Why a reconcile did not go well. Each also ends a manual controller's run.
///
/// There is no "cancelled": to cancel is to drop the future. A child that was cancelled (a request that was aborted)
/// is a failure like others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Again, later and later.
    Retry(Problem),
    /// Again after so long, or for less than 10 ms after the first back-off; it does not make the next back-off longer.
    RetryAfter(Problem, Duration),
    /// Trying again is of no use until the spec or the phase of an input changes.
    Terminal(Problem),
}

/// An error: a stable code for programs, a line for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// `crate/what`.
    pub code: Cow<'static, str>,
    /// One line, lower case, without full stop.
    pub message: String,
}

impl Problem {
    /// A problem.
    pub fn new(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

impl Failure {
    /// [`Failure::Retry`].
    pub fn retry(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::Retry(Problem::new(code, message))
    }

    /// [`Failure::Terminal`].
    pub fn terminal(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::Terminal(Problem::new(code, message))
    }

    /// What went wrong.
    pub fn problem(&self) -> &Problem {
        match self {
            Self::Retry(problem) | Self::RetryAfter(problem, _) | Self::Terminal(problem) => problem,
        }
    }
}

/// Another try may find the store otherwise.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::retry(error.code(), error.to_string())
    }
}

/// What was not declared stays undeclared, so that is terminal.
impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Store(error) => error.into(),
            CallError::Denied(denied) => Self::terminal(AccessDenied::CODE, denied.to_string()),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}
