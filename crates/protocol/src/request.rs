use std::{fmt, rc::Rc};

use http::{HeaderValue, Request, header};
use serde::Serialize;

use crate::{
    Call, ResourceId, VERSION,
    headers::{IDEMPOTENCY_KEY, JSON, PREFER, PROTOCOL_HEADER},
    path::percent_encoded,
};

/// A bearer token. It is never displayed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Rc<str>);

impl Token {
    /// A token; `None` if the text cannot be sent in a header, or is empty.
    pub fn new(text: &str) -> Option<Self> {
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.into()))
    }

    /// The value of the header `Authorization`, for other protocols than this one. It is a secret.
    pub fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(••••••)")
    }
}

/// The address of an adapter, and a token for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    base: String,
    token: Option<Token>,
}

impl Caller {
    /// The adapter at `base`, e.g. `http://127.0.0.1:7070/adapters/process`. `None` if that is not an http or
    /// https URL, or has a query, a fragment or a password in it.
    pub fn new(base: &str, token: Option<Token>) -> Option<Self> {
        let uri: http::Uri = base.parse().ok()?;
        let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
        let is_plain = uri.query().is_none() && !base.contains('#');
        let has_host = uri.authority().is_some_and(|it| !it.host().is_empty() && !it.as_str().contains('@'));
        (is_web && is_plain && has_host).then(|| Self { base: base.trim_end_matches('/').to_owned(), token })
    }

    /// The same adapter with another token.
    #[must_use]
    pub fn with_token(&self, token: Token) -> Self {
        Self { token: Some(token), ..self.clone() }
    }

    pub(crate) fn secret(&self) -> Option<&str> {
        self.token.as_ref().map(|it| &*it.0)
    }

    /// The base URL.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// True if there is a token.
    pub const fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// The HTTP request for a call.
    pub fn request(&self, call: &Call) -> Request<Vec<u8>> {
        let mut request = Request::new(body(call));
        *request.method_mut() = call.endpoint().method();
        // The base is a valid URL, and what is appended to it is encoded.
        *request.uri_mut() = format!("{}{}", self.base, target(call)).parse().unwrap_or_default();
        let has_body = !request.body().is_empty();
        let headers = request.headers_mut();
        headers.insert(PROTOCOL_HEADER, VERSION.into());
        headers
            .insert(header::ACCEPT, HeaderValue::from_static("application/json, application/problem+json"));
        if has_body {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
        }
        let mut set = |name, value: Option<String>| {
            if let Some(value) = value.and_then(|it| HeaderValue::from_str(&it).ok()) {
                headers.insert(name, value);
            }
        };
        set(IDEMPOTENCY_KEY, key(call).map(|key| format!("\"{key}\"")));
        set(header::IF_MATCH, if_match(call).cloned());
        set(PREFER, wait(call).map(|seconds| format!("wait={seconds}")));
        if let Some(value) = self.token.as_ref().and_then(Token::header) {
            headers.insert(header::AUTHORIZATION, value);
        }
        request
    }
}

fn target(call: &Call) -> String {
    match call {
        Call::Describe => "/v1".into(),
        Call::OpenApi => "/v1/openapi.json".into(),
        Call::Read(id) | Call::Create { id, .. } | Call::Update { id, .. } => resource(id),
        Call::Destroy { id, deployment, .. } => {
            let of = deployment
                .as_ref()
                .map(|it| format!("?deployment={}", percent_encoded(it)))
                .unwrap_or_default();
            format!("{}{of}", resource(id))
        }
        Call::BatchRead(_) => "/v1/resources:batchRead".into(),
        Call::List { deployment, page } => {
            format!(
                "/v1/resources?deployment={}{}",
                percent_encoded(deployment),
                parameter("page", page.as_ref())
            )
        }
        Call::ListByName { name, except, page } => {
            let (except, page) = (parameter("except", except.as_ref()), parameter("page", page.as_ref()));
            format!("/v1/resources?deployment_name={}{except}{page}", percent_encoded(name))
        }
        Call::Operation { op, .. } | Call::Cancel { op } => format!("/v1/operations/{}", percent_encoded(op)),
    }
}

fn resource(id: &ResourceId) -> String {
    format!("/v1/resources/{}/{}", percent_encoded(&id.kind), percent_encoded(&id.id))
}

/// A further parameter of a query, if there is one.
fn parameter(name: &str, value: Option<&String>) -> String {
    value.map(|it| format!("&{name}={}", percent_encoded(it))).unwrap_or_default()
}

#[derive(Serialize)]
struct Ids<'c> {
    ids: &'c [ResourceId],
}

fn body(call: &Call) -> Vec<u8> {
    let bytes = match call {
        Call::Create { body, .. } | Call::Update { body, .. } => serde_json::to_vec(body),
        Call::BatchRead(ids) => serde_json::to_vec(&Ids { ids }),
        _ => return Vec::new(),
    };
    // Maps have text keys, so the value has a JSON form.
    bytes.unwrap_or_default()
}

const fn key(call: &Call) -> Option<&String> {
    match call {
        Call::Create { key, .. } | Call::Update { key, .. } | Call::Destroy { key, .. } => Some(key),
        _ => None,
    }
}

const fn if_match(call: &Call) -> Option<&String> {
    match call {
        Call::Update { if_match, .. } | Call::Destroy { if_match, .. } => if_match.as_ref(),
        _ => None,
    }
}

const fn wait(call: &Call) -> Option<u32> {
    match call {
        Call::Operation { wait, .. } => *wait,
        _ => None,
    }
}
