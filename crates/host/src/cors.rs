//! CORS: the headers that let pages of other origins read responses.

use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header, request::Parts};

/// The methods that such a page may use. `LOCK` and `UNLOCK` belong to Terraform's state protocol.
const METHODS: HeaderValue = HeaderValue::from_static("GET, PUT, PATCH, POST, DELETE, LOCK, UNLOCK");

/// The headers that it may send.
const HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, idempotency-key, if-match, adapter-protocol, traceparent, origin-identity, \
     prefer, if-none-match, content-md5",
);

/// The headers that it may read.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Location, Retry-After, Idempotency-Replayed, Adapter-Protocol, Planloom-Unchecked-References",
);

/// Two hours, the maximum of Chromium.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// True if it is a preflight request.
pub(crate) fn is_preflight(head: &Parts) -> bool {
    head.method == Method::OPTIONS
        && head.headers.contains_key(header::ORIGIN)
        && head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The response to a preflight request.
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

/// Adds the headers that every response has: it depends on the origin, and, if there is an origin, may be
/// read by it.
pub(crate) fn add_headers(headers: &mut HeaderMap, origin: Option<&HeaderValue>) {
    if !headers.get_all(header::VARY).iter().any(|it| it.as_bytes().eq_ignore_ascii_case(b"origin")) {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}
