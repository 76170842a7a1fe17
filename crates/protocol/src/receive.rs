use http::{HeaderMap, HeaderName, Method, Request, header};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Call, Code, MAX_BODY, MAX_SPEC, Problem, ResourceId, VERSION,
    headers::{IDEMPOTENCY_KEY, PREFER, PROTOCOL_HEADER},
    path::{percent_decoded, query},
};

/// A request that an adapter received.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// The call.
    pub call: Call,
    /// The bearer token, if there is one.
    pub token: Option<String>,
}

/// Reads a request whose path begins with `base` (`""` if the adapter has a server of its own).
///
/// # Errors
/// The problem to answer with.
pub fn receive(base: &str, request: &Request<Vec<u8>>) -> Result<Received, Problem> {
    let path = request.uri().path().strip_prefix(base).unwrap_or("");
    check_version(request.headers())?;
    let most = longest(request.method());
    if request.body().len() > most {
        return Err(Problem::new(Code::TooLarge, format!("at most {most} bytes are read")));
    }
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let call = route(&segments, request)?;
    Ok(Received { call, token: bearer(request.headers()) })
}

/// A request is sent back together with its result, so it may be at most half as long as a response.
fn longest(method: &Method) -> usize {
    if matches!(*method, Method::PUT | Method::PATCH) { MAX_SPEC } else { MAX_BODY }
}

fn check_version(headers: &HeaderMap) -> Result<(), Problem> {
    match text(headers, &PROTOCOL_HEADER) {
        Some(version) if version.parse() != Ok(VERSION) => {
            Err(Problem::new(Code::UnsupportedProtocol, format!("the supported version is {VERSION}")))
        }
        _ => Ok(()),
    }
}

fn route(segments: &[&str], request: &Request<Vec<u8>>) -> Result<Call, Problem> {
    let headers = request.headers();
    let method = request.method();
    let call = match segments {
        ["v1"] if method == Method::GET => Call::Describe,
        ["v1", "openapi.json"] if method == Method::GET => Call::OpenApi,
        ["v1", "resources:batchRead"] if method == Method::POST => {
            Call::BatchRead(read::<Ids>(request.body())?.ids)
        }
        ["v1", "resources"] if method == Method::GET => {
            let query_text = request.uri().query().unwrap_or_default();
            listed(query_text)?
        }
        ["v1", "resources", kind, id] => {
            let id = ResourceId { kind: segment(kind)?, id: segment(id)? };
            about(id, request)?
        }
        ["v1", "operations", op] if method == Method::GET => {
            Call::Operation { op: segment(op)?, wait: wait(headers) }
        }
        ["v1", "operations", op] if method == Method::DELETE => Call::Cancel { op: segment(op)? },
        _ => return Err(nothing_there(request)),
    };
    Ok(call)
}

fn listed(query_text: &str) -> Result<Call, Problem> {
    let page = query(query_text, "page");
    match (query(query_text, "deployment"), query(query_text, "deployment_name")) {
        (Some(deployment), _) => Ok(Call::List { deployment, page }),
        (None, Some(name)) => Ok(Call::ListByName { name, except: query(query_text, "except"), page }),
        (None, None) => {
            let message = "the query has no `deployment` and no `deployment_name`";
            Err(Problem::new(Code::BadRequest, message))
        }
    }
}

fn about(id: ResourceId, request: &Request<Vec<u8>>) -> Result<Call, Problem> {
    let headers = request.headers();
    let if_match = || text(headers, &header::IF_MATCH).map(Into::into);
    match *request.method() {
        Method::GET => Ok(Call::Read(id)),
        Method::PUT => Ok(Call::Create { id, key: key(headers)?, body: read(request.body())? }),
        Method::PATCH => {
            let body = read(request.body())?;
            Ok(Call::Update { id, key: key(headers)?, body, if_match: if_match() })
        }
        Method::DELETE => {
            let deployment = query(request.uri().query().unwrap_or_default(), "deployment");
            Ok(Call::Destroy { id, key: key(headers)?, if_match: if_match(), deployment })
        }
        _ => Err(nothing_there(request)),
    }
}

fn nothing_there(request: &Request<Vec<u8>>) -> Problem {
    Problem::new(Code::NotFound, format!("there is no {} {}", request.method(), request.uri().path()))
}

#[derive(Deserialize)]
struct Ids {
    ids: Vec<ResourceId>,
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body).map_err(|error| Problem::new(Code::BadRequest, format!("the body: {error}")))
}

fn segment(text: &str) -> Result<String, Problem> {
    let plain = percent_decoded(text).filter(|it| !it.is_empty() && !it.contains(char::is_control));
    plain.ok_or_else(|| Problem::new(Code::BadRequest, "the path contains an invalid name"))
}

fn key(headers: &HeaderMap) -> Result<String, Problem> {
    let key = text(headers, &IDEMPOTENCY_KEY).map(|it| it.trim_matches('"')).filter(|it| !it.is_empty());
    key.map(Into::into).ok_or_else(|| Problem::new(Code::KeyMissing, "a write requires an `Idempotency-Key`"))
}

fn wait(headers: &HeaderMap) -> Option<u32> {
    text(headers, &PREFER)?.split(',').find_map(|it| it.trim().strip_prefix("wait=")?.parse().ok())
}

/// The bearer token of a request, independent of the rest of it: a request without the right token need not
/// be read further.
pub fn bearer(headers: &HeaderMap) -> Option<String> {
    let (scheme, token) = text(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
