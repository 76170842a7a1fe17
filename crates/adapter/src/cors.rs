use http::{HeaderValue, Method, Request, Response, StatusCode, header};

/// The pages of other origins that may call an adapter from a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cors {
    /// Origins as a browser sends them, e.g. `https://example.org`. A `*` allows every page; pages still need
    /// the token.
    pub origins: Vec<String>,
}

const METHODS: HeaderValue = HeaderValue::from_static("GET, PUT, PATCH, POST, DELETE");
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, idempotency-key, if-match, adapter-protocol, prefer, traceparent, origin-identity",
);
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "etag, location, retry-after, adapter-protocol, idempotency-replayed, content-type",
);
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

impl Cors {
    /// The origin of a request, if it is allowed.
    pub fn allowed(&self, request: &Request<Vec<u8>>) -> Option<HeaderValue> {
        let origin = request.headers().get(header::ORIGIN)?;
        let fits = self.origins.iter().any(|it| it == "*" || origin.as_bytes() == it.as_bytes());
        fits.then(|| origin.clone())
    }

    /// The response to a preflight request; `None` for any other request.
    pub fn preflight(&self, request: &Request<Vec<u8>>) -> Option<Response<Vec<u8>>> {
        let is_preflight = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        if request.method() != Method::OPTIONS || !is_preflight {
            return None;
        }
        let mut response = Response::new(Vec::new());
        *response.status_mut() = StatusCode::NO_CONTENT;
        if let Some(origin) = self.allowed(request) {
            self.add_headers(Some(origin), &mut response);
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
            headers.insert("access-control-allow-private-network", HeaderValue::from_static("true"));
        }
        Some(response)
    }

    /// Adds the headers that let the page of that origin read a response.
    pub fn add_headers(&self, origin: Option<HeaderValue>, response: &mut Response<Vec<u8>>) {
        if self.origins.is_empty() {
            return;
        }
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
        }
    }
}
