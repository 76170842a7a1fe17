//! What browsers ask for before a page of another origin may read an answer.

use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header, request::Parts};

/// What such a page may do. `LOCK` and `UNLOCK` are of Terraform's state protocol.
const METHODS: HeaderValue = HeaderValue::from_static("GET, PUT, PATCH, POST, DELETE, LOCK, UNLOCK");

/// What it may send.
const HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, idempotency-key, if-match, adapter-protocol, traceparent, origin-identity, \
     prefer, if-none-match, content-md5",
);

/// What it may read.
const EXPOSED: HeaderValue =
    HeaderValue::from_static("ETag, Location, Retry-After, Idempotency-Replayed, Adapter-Protocol");

/// Two hours, the most that Chromium keeps.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// Whether it asks what may be asked.
pub(crate) fn is_preflight(head: &Parts) -> bool {
    head.method == Method::OPTIONS
        && head.headers.contains_key(header::ORIGIN)
        && head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to that.
pub(crate) fn preflight() -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    headers.insert("access-control-allow-private-network", HeaderValue::from_static("true"));
    response
}

/// What each answer says: that it depends on the origin, and, where there is one, that it may be read there.
pub(crate) fn add_headers(headers: &mut HeaderMap, origin: Option<&HeaderValue>) {
    if !headers.get_all(header::VARY).iter().any(|it| it.as_bytes().eq_ignore_ascii_case(b"origin")) {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}
