use std::{borrow::Cow, fmt, time::Duration};

use serde::Serialize;
use store::StoreError;

use crate::{AccessDenied, CallError};

/// The result of a successful reconcile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing until an input changes.
    Done,
    /// Another run after this delay, or sooner if an input changes. Delays under 10 ms are for work that is
    /// split into parts and ends: more such runs in a row than
    /// [`Options::longest_chain`](crate::Options::longest_chain) are slowed down and shown as a loop.
    RequeueAfter(Duration),
    /// Nothing was done, for this reason. Counted separately; nothing until an input changes.
    Skip(Cow<'static, str>),
}

/// The reason why a reconcile failed. Each also ends a manual controller's run.
///
/// There is no "cancelled": a run is cancelled by dropping its future. A child that was cancelled (a request
/// that was aborted) is a failure like others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Retried, with back-off.
    Retry(Problem),
    /// Retried after this delay, or for less than 10 ms after the first back-off; it does not make the next
    /// back-off longer.
    RetryAfter(Problem, Duration),
    /// Not retried until the spec or the phase of an input changes.
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
    /// A problem with a code and a message.
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

    /// The problem.
    pub fn problem(&self) -> &Problem {
        match self {
            Self::Retry(problem) | Self::RetryAfter(problem, _) | Self::Terminal(problem) => problem,
        }
    }
}

/// A retry may find another state of the store.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::retry(error.code(), error.to_string())
    }
}

/// A missing declaration does not appear by itself, so it is terminal.
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
