use std::{fmt, time::Duration};

/// The error of an access that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessError {
    /// The kind of failure; programs use this.
    pub kind: ErrorKind,
    /// The status of HTTP, if a server said it.
    pub status: Option<u16>,
    /// The problem, in a line, for people.
    pub detail: String,
    /// The problems of parts of the request.
    pub violations: Vec<FieldViolation>,
    /// The time to wait before the server can be asked again.
    pub retry_after: Option<Duration>,
}

/// The kinds of failures: codes of gRPC, and what only clients see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// The request is wrong, whatever is stored.
    InvalidArgument,
    /// A token is missing or unknown.
    Unauthenticated,
    /// The caller may not do this.
    PermissionDenied,
    /// There is no such resource.
    NotFound,
    /// A resource of that name exists.
    AlreadyExists,
    /// The state of the stored resources does not allow it.
    FailedPrecondition,
    /// The resource has another version than expected, or others were faster.
    Aborted,
    /// A limit is reached.
    ResourceExhausted,
    /// The service does not have the method.
    Unimplemented,
    /// The service failed.
    Internal,
    /// The service cannot be reached, or not now.
    Unavailable,
    /// The request was sent, and whether it was executed is not known.
    Unclear,
    /// The response is not what the specification says.
    Unreadable,
}

/// A problem with a part of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldViolation {
    /// The part: a parameter, a path, or `#` and a JSON pointer into the resource; or the name of a resource that prevents it.
    pub field: String,
    /// The problem.
    pub message: String,
    /// The way to resolve it; empty if the service does not say.
    pub help: String,
}

impl FieldViolation {
    /// The part as a JSON pointer into the resource: what is behind `#`, or a path with dots.
    pub fn pointer(&self) -> String {
        match self.field.strip_prefix('#') {
            Some(pointer) => pointer.to_owned(),
            None => format!("/{}", self.field.replace('.', "/")),
        }
    }
}

impl AccessError {
    /// A failure without further data.
    pub fn new(kind: ErrorKind, detail: impl Into<String>) -> Self {
        let detail = protocol::line(&detail.into());
        Self { kind, status: None, detail, violations: Vec::new(), retry_after: None }
    }
}

impl ErrorKind {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::InvalidArgument,
        Self::Unauthenticated,
        Self::PermissionDenied,
        Self::NotFound,
        Self::AlreadyExists,
        Self::FailedPrecondition,
        Self::Aborted,
        Self::ResourceExhausted,
        Self::Unimplemented,
        Self::Internal,
        Self::Unavailable,
        Self::Unclear,
        Self::Unreadable,
    ];

    /// Its stable name: `already_exists`, after the codes of gRPC.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgument => "invalid_argument",
            Self::Unauthenticated => "unauthenticated",
            Self::PermissionDenied => "permission_denied",
            Self::NotFound => "not_found",
            Self::AlreadyExists => "already_exists",
            Self::FailedPrecondition => "failed_precondition",
            Self::Aborted => "aborted",
            Self::ResourceExhausted => "resource_exhausted",
            Self::Unimplemented => "unimplemented",
            Self::Internal => "internal",
            Self::Unavailable => "unavailable",
            Self::Unclear => "unclear",
            Self::Unreadable => "unreadable",
        }
    }

    /// The kind of a code of gRPC in words, in any case; those of [`api::Problem`] too.
    pub fn named(code: &str) -> Option<Self> {
        let code = code.to_ascii_lowercase();
        match &*code {
            "out_of_range"
            | "method_not_allowed"
            | "not_acceptable"
            | "too_large"
            | "unsupported_media_type" => Some(Self::InvalidArgument),
            "version_mismatch" => Some(Self::Aborted),
            "deadline_exceeded" | "cancelled" | "unknown" => Some(Self::Unclear),
            "data_loss" => Some(Self::Internal),
            code => Self::ALL.into_iter().find(|it| it.as_str() == code),
        }
    }

    /// The kind of a number of gRPC.
    pub const fn of_grpc(code: u64) -> Option<Self> {
        Some(match code {
            3 | 11 => Self::InvalidArgument,
            5 => Self::NotFound,
            6 => Self::AlreadyExists,
            7 => Self::PermissionDenied,
            8 => Self::ResourceExhausted,
            9 => Self::FailedPrecondition,
            10 => Self::Aborted,
            12 => Self::Unimplemented,
            13 | 15 => Self::Internal,
            14 => Self::Unavailable,
            16 => Self::Unauthenticated,
            1 | 2 | 4 => Self::Unclear,
            _ => return None,
        })
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for AccessError {}
