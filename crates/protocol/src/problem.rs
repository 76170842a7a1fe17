use std::fmt;

use serde::{Deserialize, Serialize};

use model::Redactor;

use crate::text::line_without;

/// An error: an RFC 9457 problem, sent as `application/problem+json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Problem {
    /// The type of problem, as a URI; `about:blank` if there is no page about it.
    #[serde(rename = "type")]
    pub kind: String,
    /// A title for this type of problem.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// A description of this occurrence, for messages.
    pub detail: String,
    /// A code for programs; see [`Code`]. An unknown code is treated by its status.
    pub code: String,
    /// True if the same call may succeed later.
    pub retryable: bool,
    /// The places of the sent spec that caused the problem.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// After a failed create or update: whether the resource can be used as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_usable: Option<bool>,
    /// The operation that prevents this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
}

/// A place of a spec that an adapter does not accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// A pointer (RFC 6901) into the spec that was sent.
    pub pointer: String,
    /// A description of the violation, for messages.
    pub detail: String,
}

/// The problems that the protocol defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The token is missing or wrong.
    Unauthorized,
    /// The caller is not allowed to do that.
    Forbidden,
    /// The resource or the page does not exist.
    NotFound,
    /// The resource no longer exists.
    Gone,
    /// A resource of that id exists with another spec or generation.
    ExistsDifferently,
    /// The resource belongs to another deployment, which has another lineage.
    OtherLineage,
    /// The change cannot be made in place.
    RebuildRequired,
    /// Another operation on the resource is in progress.
    OperationPending,
    /// The operation cannot be cancelled.
    NotCancellable,
    /// The operation was cancelled; how far it got is not known.
    Cancelled,
    /// The resource has changed since it was read.
    Stale,
    /// The key was used for another call.
    KeyReused,
    /// A write without a key.
    KeyMissing,
    /// The request is of another version of the protocol.
    UnsupportedProtocol,
    /// The request is not one of the protocol.
    BadRequest,
    /// The adapter does not support that kind.
    UnknownKind,
    /// The adapter cannot create a resource with that spec.
    InvalidSpec,
    /// The body is too long.
    TooLarge,
    /// There are too many requests at a time.
    Busy,
    /// The adapter does not work at the moment.
    Unavailable,
    /// The adapter cannot write its records, so it changed nothing: its disk is full, for instance.
    NotRecorded,
    /// An error without a known cause.
    Internal,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 22] = [
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFound,
        Self::Gone,
        Self::ExistsDifferently,
        Self::OtherLineage,
        Self::RebuildRequired,
        Self::OperationPending,
        Self::NotCancellable,
        Self::Cancelled,
        Self::Stale,
        Self::KeyReused,
        Self::KeyMissing,
        Self::UnsupportedProtocol,
        Self::BadRequest,
        Self::UnknownKind,
        Self::InvalidSpec,
        Self::TooLarge,
        Self::Busy,
        Self::Unavailable,
        Self::NotRecorded,
        Self::Internal,
    ];

    /// The code in a problem, e.g. `rebuild_required`.
    pub const fn as_str(self) -> &'static str {
        self.facts().0
    }

    /// The HTTP status of the code.
    pub const fn status(self) -> u16 {
        self.facts().1
    }

    const fn facts(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::Unauthorized => ("unauthorized", 401, "The token is missing or wrong"),
            Self::Forbidden => ("forbidden", 403, "Not allowed"),
            Self::NotFound => ("not_found", 404, "Not found"),
            Self::Gone => ("gone", 410, "It no longer exists"),
            Self::ExistsDifferently => ("exists_differently", 409, "It exists and differs"),
            Self::OtherLineage => ("other_lineage", 403, "It belongs to another deployment"),
            Self::RebuildRequired => ("rebuild_required", 409, "The change needs a rebuild"),
            Self::OperationPending => ("operation_pending", 409, "Another operation is in progress"),
            Self::NotCancellable => ("not_cancellable", 409, "It cannot be cancelled"),
            Self::Cancelled => ("cancelled", 500, "It was cancelled"),
            Self::Stale => ("stale", 412, "It changed since it was read"),
            Self::KeyReused => ("key_reused", 422, "The idempotency key was used for another call"),
            Self::KeyMissing => ("key_missing", 400, "The idempotency key is missing"),
            Self::UnsupportedProtocol => ("unsupported_protocol", 412, "This version is not supported"),
            Self::BadRequest => ("bad_request", 400, "The request is not valid"),
            Self::UnknownKind => ("unknown_kind", 422, "This kind is not supported"),
            Self::InvalidSpec => ("invalid_spec", 422, "The spec is not valid"),
            Self::TooLarge => ("too_large", 413, "The body is too long"),
            Self::Busy => ("busy", 429, "Too much at once"),
            Self::Unavailable => ("unavailable", 503, "Not available at the moment"),
            Self::NotRecorded => ("not_recorded", 507, "The adapter cannot write its records"),
            Self::Internal => ("internal", 500, "The adapter failed"),
        }
    }
}

impl Problem {
    /// A problem of that code; `detail` is for people, in lower case, without full stop.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let (name, status, title) = code.facts();
        Self {
            kind: "about:blank".into(),
            title: title.into(),
            status,
            detail: detail.into(),
            code: name.into(),
            retryable: matches!(code, Code::Busy | Code::Unavailable | Code::OperationPending),
            ..Self::default()
        }
    }

    /// The same problem with a violation at a place of the spec.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        self.violations.push(Violation { pointer: pointer.into(), detail: detail.into() });
        self
    }

    /// True if the problem has that code.
    pub fn is(&self, code: Code) -> bool {
        self.code == code.as_str()
    }

    /// The problem as it is received: texts bounded, without control characters and without secrets, and the
    /// status that of the response.
    pub(crate) fn received(mut self, status: u16, secrets: &Redactor) -> Self {
        let line = |text: &str| line_without(text, secrets);
        self.status = status;
        for text in [&mut self.kind, &mut self.title, &mut self.detail] {
            *text = line(text);
        }
        // Known codes are not redacted, whatever the secrets of a deployment are, because programs depend on
        // them.
        if !Code::ALL.iter().any(|it| self.is(*it)) {
            self.code = line(&self.code);
        }
        self.violations.truncate(100);
        for violation in &mut self.violations {
            violation.pointer = line(&violation.pointer);
            violation.detail = line(&violation.detail);
        }
        self.op = self.op.map(|op| crate::text::line(&op));
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = [&self.detail, &self.title, &self.code].into_iter().find(|it| !it.is_empty());
        match what {
            Some(what) => f.write_str(what),
            None => write!(f, "status {}", self.status),
        }
    }
}
