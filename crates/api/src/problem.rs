use crate::codes;
use http::{
    HeaderValue, Response, StatusCode,
    header::{ALLOW, CONTENT_TYPE},
};
use serde::{Deserialize, Serialize};

/// The reason why a request was refused, as JSON of RFC 9457 with the media type `application/problem+json`.
///
/// Programs use [`code`](Self::code) and the violations; the texts are for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The status of HTTP.
    pub status: u16,
    /// The kind of problem, in words.
    pub title: String,
    /// The stable name of the kind of problem: `invalid_argument`, after the codes of gRPC.
    pub code: String,
    /// The description of the problem with this request.
    pub detail: String,
    /// The problems of its parts, each with its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// For 405: the methods of HTTP that the path has, which are the header `Allow`.
    #[serde(skip)]
    pub allowed: Vec<String>,
}

/// A problem of one part of a request, or a resource that prevents it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The parameter or, after `#`, the place in the body as a JSON pointer; the name of a resource for what it prevents.
    pub field: String,
    /// The stable name of the mistake.
    pub code: String,
    /// The byte of a text at which it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byte: Option<usize>,
    /// The description of the problem.
    pub message: String,
    /// The advice on solving it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// The kinds of problems: code, status and title.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal $status:literal $title:literal,)+) => {
        impl Problem {
            $($(#[$doc])*
            pub fn $name(detail: impl Into<String>) -> Self {
                Self {
                    status: $status,
                    title: $title.into(),
                    code: $code.into(),
                    detail: detail.into(),
                    violations: Vec::new(),
                    allowed: Vec::new(),
                }
            })+
        }
    };
}

kinds! {
    /// 400: the request is wrong, whatever is stored.
    invalid_argument = "invalid_argument" 400 "The request is invalid",
    /// 401: the request has no token that is known.
    unauthenticated = "unauthenticated" 401 "A token is required",
    /// 403: the caller may not do this.
    permission_denied = "permission_denied" 403 "The permission is missing",
    /// 404: there is no such resource, or no such method.
    not_found = "not_found" 404 "Not found",
    /// 405: the path has methods, by other methods of HTTP.
    method_not_allowed = "method_not_allowed" 405 "The method of HTTP is not allowed here",
    /// 406: none of the accepted media types can be sent.
    not_acceptable = "not_acceptable" 406 "No accepted media type can be sent",
    /// 409: a resource of that name exists.
    already_exists = "already_exists" 409 "The resource exists already",
    /// 409: what is stored does not allow it.
    failed_precondition = "failed_precondition" 409 "What is stored does not allow it",
    /// 409: others were faster.
    aborted = "aborted" 409 "Others changed the resource meanwhile",
    /// 412: the resource has another version than the caller expects.
    version_mismatch = "version_mismatch" 412 "The resource has another version",
    /// 413: the request is too long.
    too_large = "too_large" 413 "The request is too long",
    /// 415: the body is not JSON.
    unsupported_media_type = "unsupported_media_type" 415 "The body has to be JSON",
    /// 429: a limit is reached.
    resource_exhausted = "resource_exhausted" 429 "A limit is reached",
    /// 500: the server failed.
    internal = "internal" 500 "The server failed",
    /// 501: the specification has this method, and nothing executes it.
    unimplemented = "unimplemented" 501 "The method is not implemented",
    /// 502: what executes the method has failed.
    bad_gateway = "bad_gateway" 502 "What executes the method has failed",
    /// 503: the store, or another server that has to take part, does not respond at the moment.
    unavailable = "unavailable" 503 "The request cannot be executed at the moment",
}

impl Problem {
    /// With the problem of a part of the request.
    #[must_use]
    pub fn with(mut self, violation: Violation) -> Self {
        self.violations.push(violation);
        self
    }

    /// A wrong parameter.
    pub(crate) fn parameter(violation: Violation) -> Self {
        Self::invalid_argument(format!("`{}`: {}", violation.field, violation.message)).with(violation)
    }

    /// A body that has no fields.
    pub(crate) fn body_not_an_object() -> Self {
        Self::invalid_argument("the body is not an object").with(Violation::new(
            "#",
            codes::BODY.as_str(),
            "it has to be an object",
        ))
    }

    /// As a response.
    pub fn response(&self) -> Response<Vec<u8>> {
        let body = serde_json::to_vec(self).unwrap_or_default();
        let mut response = Response::new(body);
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Ok(allowed) = HeaderValue::from_str(&self.allowed.join(", "))
            && !self.allowed.is_empty()
        {
            response.headers_mut().insert(ALLOW, allowed);
        }
        response
    }
}

impl Violation {
    /// A problem of a parameter.
    pub(crate) fn new(field: &str, code: &str, message: impl Into<String>) -> Self {
        Self { field: field.into(), code: code.into(), message: message.into(), ..Self::default() }
    }

    pub(crate) fn at(mut self, byte: usize) -> Self {
        self.byte = Some(byte);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A text that cannot be read.
    pub(crate) fn of_text(field: &str, error: &fields::ParseError) -> Self {
        Self::new(field, error.code.as_str(), &*error.message).at(error.byte).help(&*error.help)
    }

    /// A value that is not valid.
    pub(crate) fn of_value(error: &fields::Violation) -> Self {
        Self::new(&format!("#{}", error.pointer), error.code.as_str(), &*error.message).help(&*error.help)
    }

    /// A name that is none of its kind.
    pub(crate) fn of_name(field: &str, error: &names::NameError) -> Self {
        Self::new(field, error.code(), error.to_string()).at(error.at()).help(error.help())
    }
}
