use http::{HeaderValue, Method, Request, Response, StatusCode, header};

/// Which pages of other origins may call an adapter from a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cors {
    /// Origins as a browser sends them, e.g. `https://example.org`. A `*` lets every page in; it still needs the token.
    pub origins: Vec<String>,
}

const METHODS: HeaderValue = HeaderValue::from_static("GET, PUT, PATCH, POST, DELETE");
const ASKED: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, idempotency-key, if-match, adapter-protocol, prefer, traceparent, origin-identity",
);
const TOLD: HeaderValue = HeaderValue::from_static(
    "etag, location, retry-after, adapter-protocol, idempotency-replayed, content-type",
);
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

impl Cors {
    /// The origin of a request, where it may call.
    pub fn allowed(&self, request: &Request<Vec<u8>>) -> Option<HeaderValue> {
        let origin = request.headers().get(header::ORIGIN)?;
        let fits = self.origins.iter().any(|it| it == "*" || origin.as_bytes() == it.as_bytes());
        fits.then(|| origin.clone())
    }

    /// The answer to a browser that asks before it calls; `None` for any other request.
    pub fn preflight(&self, request: &Request<Vec<u8>>) -> Option<Response<Vec<u8>>> {
        let asks = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        if request.method() != Method::OPTIONS || !asks {
            return None;
        }
        let mut response = Response::new(Vec::new());
        *response.status_mut() = StatusCode::NO_CONTENT;
        if let Some(origin) = self.allowed(request) {
            self.add_headers(Some(origin), &mut response);
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ASKED);
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
            headers.insert("access-control-allow-private-network", HeaderValue::from_static("true"));
        }
        Some(response)
    }

    /// Lets the page of that origin read an answer.
    pub fn add_headers(&self, origin: Option<HeaderValue>, response: &mut Response<Vec<u8>>) {
        if self.origins.is_empty() {
            return;
        }
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, TOLD);
        }
    }
}
