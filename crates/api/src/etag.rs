//! Versions of resources in headers: `ETag`, `If-Match` and `If-None-Match`.

use http::{
    HeaderMap, HeaderValue,
    header::{ETAG, IF_MATCH, IF_NONE_MATCH},
};
use serde_json::Value;

use crate::{Problem, Violation, codes};

/// The version of a resource, which changes with everything of it.
pub(crate) fn version(resource: &Value) -> &str {
    resource.pointer("/metadata/resourceVersion").and_then(Value::as_str).unwrap_or_default()
}

/// The header of a response with a resource.
pub(crate) fn header(resource: &Value) -> Option<(http::HeaderName, HeaderValue)> {
    let version = version(resource);
    let value = HeaderValue::from_str(&format!("\"{version}\"")).ok()?;
    (!version.is_empty()).then_some((ETAG, value))
}

/// True if the client of a read has this version already: `If-None-Match` lists it (RFC 9110, section 13.1.2).
pub(crate) fn is_known(headers: &HeaderMap, resource: &Value) -> bool {
    let version = version(resource);
    let lists = headers.get_all(IF_NONE_MATCH).into_iter().filter_map(|it| it.to_str().ok());
    let mut tags = lists.flat_map(|it| it.split(',')).map(str::trim);
    !version.is_empty()
        && tags.any(|tag| {
            let tag = tag.strip_prefix("W/").unwrap_or(tag);
            tag == "*" || tag.strip_prefix('"').and_then(|it| it.strip_suffix('"')) == Some(version)
        })
}

/// True if `If-None-Match: *` says that the resource must not exist.
///
/// # Errors
/// If the header of a write says anything else.
pub(crate) fn is_absence_required(headers: &HeaderMap) -> Result<bool, Problem> {
    match headers.get(IF_NONE_MATCH) {
        None => Ok(false),
        Some(value) if value.as_bytes().trim_ascii() == b"*" => Ok(true),
        Some(_) => {
            let violation =
                Violation::new("If-None-Match", codes::IF_NONE_MATCH.as_str(), "for writes it has to be `*`");
            Err(Problem::parameter(
                violation.help("send `If-Match` with the version that the resource has to have"),
            ))
        }
    }
}

/// The versions that a client accepts; `None` if it accepts any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected(Vec<String>);

impl Expected {
    /// The versions in the header `If-Match`.
    ///
    /// # Errors
    ///
    /// If it is no list of quoted versions.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Option<Self>, Problem> {
        let Some(value) = headers.get(IF_MATCH) else { return Ok(None) };
        let wrong = || {
            let violation =
                Violation::new("If-Match", codes::IF_MATCH.as_str(), "it has to be a quoted version");
            Problem::parameter(violation.help("send what `ETag` had, such as `\"12\"`"))
        };
        let text = value.to_str().map_err(|_| wrong())?.trim();
        if text == "*" {
            return Ok(Some(Self(Vec::new())));
        }
        let quoted = |it: &str| Some(it.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned());
        let versions: Option<Vec<String>> = text.split(',').map(quoted).collect();
        versions.filter(|it| !it.is_empty()).map(|it| Some(Self(it))).ok_or_else(wrong)
    }

    /// Refuses a resource of another version.
    pub(crate) fn check(&self, name: &str, resource: &Value) -> Result<(), Problem> {
        let found = version(resource);
        if self.0.is_empty() || self.0.iter().any(|it| it == found) {
            return Ok(());
        }
        let message = format!("`{name}` has the version {found}");
        let violation = Violation::new("If-Match", codes::VERSION.as_str(), &*message).help("read it again");
        Err(Problem::version_mismatch(message).with(violation))
    }
}
