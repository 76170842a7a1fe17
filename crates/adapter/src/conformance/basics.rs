use http::{HeaderMap, HeaderValue, Method, Request, header};
use protocol::{
    Call, Caller, Code, Endpoint, IDEMPOTENCY_KEY, MAX_BODY, PROTOCOL_HEADER, Reply, ResourceId, Token,
    TransportError, VERSION,
};
use serde_json::{Map, Value as Json};

use super::{Verdict, bench::Bench, ensure, failed, skipped};

pub(super) async fn describe(bench: &Bench) -> Verdict {
    let result = bench.call_once(&Call::Describe).await;
    let Reply::Described(description) = result.reply else {
        return failed(format!("it does not describe itself: {}", result.description()));
    };
    bench.described((*description).clone());
    ensure(description.protocol == VERSION, || format!("it speaks version {}", description.protocol))?;
    ensure(!description.name.is_empty(), || "it has no name".into())?;
    let kind = &bench.options.kind;
    ensure(description.types.contains_key(kind), || format!("it does not support `{kind}`"))?;
    Ok(format!("{} {}; features: {}", description.name, description.version, description.features.join(", ")))
}

pub(super) async fn openapi(bench: &Bench) -> Verdict {
    let response = match bench.send(bench.caller.request(&Call::OpenApi)).await {
        Ok(response) if response.status() == 200 => response,
        Ok(response) => return failed(format!("the answer is {}", response.status().as_u16())),
        Err(error) => return failed(error.to_string()),
    };
    let document: Json = serde_json::from_slice(response.body()).unwrap_or_default();
    let version = document.get("openapi").and_then(Json::as_str).unwrap_or_default();
    ensure(version.starts_with("3.1"), || format!("its version is `{version}`, not 3.1"))?;
    let empty = Map::new();
    let paths = document.get("paths").and_then(Json::as_object).unwrap_or(&empty);
    for endpoint in Endpoint::ALL {
        let (path, method) = (endpoint.path(), endpoint.method().as_str().to_ascii_lowercase());
        let there = paths.iter().any(|(name, item)| name.ends_with(path) && item.get(&method).is_some());
        ensure(there, || format!("it lacks {} {path}", endpoint.method()))?;
    }
    Ok(String::new())
}

pub(super) async fn version(bench: &Bench) -> Verdict {
    let mut request = bench.caller.request(&Call::Describe);
    request.headers_mut().insert(PROTOCOL_HEADER, HeaderValue::from_static("99"));
    refused(bench, request, 412, Some(Code::UnsupportedProtocol)).await?;
    Ok(String::new())
}

pub(super) async fn token(bench: &Bench) -> Verdict {
    if !bench.caller.has_token() {
        return skipped("no token was given, so it may not require one");
    }
    let subject = bench.subject();
    for token in [None, Token::new("not-the-right-one")] {
        let Some(caller) = Caller::new(bench.caller.base(), token) else {
            return failed("the address is not valid");
        };
        refused(bench, caller.request(&Call::Describe), 401, Some(Code::Unauthorized)).await?;
        refused(bench, caller.request(&bench.put(&subject)), 401, Some(Code::Unauthorized)).await?;
    }
    absent(bench, &subject.id).await
}

pub(super) async fn not_found(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let result = bench.read(&subject.id).await;
    ensure(matches!(result.reply, Reply::Absent), || format!("a resource: {}", result.description()))?;
    let mut request = bench.caller.request(&Call::Describe);
    *request.uri_mut() = format!("{}/v1/nothing", bench.caller.base()).parse().unwrap_or_default();
    refused(bench, request, 404, None).await?;
    Ok(String::new())
}

pub(super) async fn unknown_kind(bench: &Bench) -> Verdict {
    let mut subject = bench.subject();
    subject.id.kind = "no-such-kind".into();
    let result = bench.call_once(&bench.put(&subject)).await;
    result.refused("PUT", &[422], Some(Code::UnknownKind))?;
    Ok(String::new())
}

pub(super) async fn key_missing(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let spec = &bench.options.spec;
    let writes = [bench.put(&subject), bench.patch(&subject, spec, None), bench.delete(&subject.id, None)];
    for call in writes {
        let mut request = bench.caller.request(&call);
        request.headers_mut().remove(IDEMPOTENCY_KEY);
        refused(bench, request, 400, Some(Code::KeyMissing)).await?;
    }
    absent(bench, &subject.id).await
}

pub(super) async fn bad_body(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    for body in ["", "{\"deployment\":", "[]", "{\"deployment\": 1}", "\u{fffd}"] {
        let mut request = bench.caller.request(&bench.put(&subject));
        *request.body_mut() = body.into();
        refused(bench, request, 400, None).await?;
    }
    absent(bench, &subject.id).await
}

pub(super) async fn too_large(bench: &Bench) -> Verdict {
    let subject = bench.subject();
    let mut request = bench.caller.request(&bench.put(&subject));
    request.body_mut().resize(MAX_BODY + 1, b' ');
    match bench.send(request).await {
        // An adapter that does not read the body may close the connection before its response arrives.
        Err(TransportError::Broken(_)) => {
            absent(bench, &subject.id).await.map(|_| "the connection was closed".into())
        }
        Ok(response) if response.status() == 413 => absent(bench, &subject.id).await,
        Ok(response) => failed(format!("the answer is {}, not 413", response.status().as_u16())),
        Err(error) => failed(error.to_string()),
    }
}

pub(super) async fn cors(bench: &Bench) -> Verdict {
    let Some(origin) = bench.options.origin.clone() else { return skipped("no origin was given") };
    let Ok(origin) = HeaderValue::from_str(&origin) else { return failed("the origin is not valid") };
    let mut request = Request::new(Vec::new());
    *request.method_mut() = Method::OPTIONS;
    *request.uri_mut() = bench.caller.request(&Call::Describe).uri().clone();
    let headers = request.headers_mut();
    headers.insert(header::ORIGIN, origin.clone());
    headers.insert(header::ACCESS_CONTROL_REQUEST_METHOD, HeaderValue::from_static("PATCH"));
    headers.insert(
        header::ACCESS_CONTROL_REQUEST_HEADERS,
        HeaderValue::from_static(
            "adapter-protocol, authorization, content-type, idempotency-key, if-match, prefer",
        ),
    );
    let preflight = bench.headers(request).await?;
    allows(&preflight, &origin, "the answer to OPTIONS")?;
    names(&preflight, "access-control-allow-methods", &["PUT", "PATCH", "DELETE"])?;
    let request =
        ["adapter-protocol", "authorization", "content-type", "idempotency-key", "if-match", "prefer"];
    names(&preflight, "access-control-allow-headers", &request)?;
    let mut request = bench.caller.request(&Call::Describe);
    request.headers_mut().insert(header::ORIGIN, origin.clone());
    let answer = bench.headers(request).await?;
    allows(&answer, &origin, "an answer")?;
    names(&answer, "access-control-expose-headers", &["etag", "retry-after"])?;
    Ok(String::new())
}

fn allows(headers: &HeaderMap, origin: &HeaderValue, what: &str) -> Result<(), super::Stop> {
    let allowed = headers.get(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    let fits = allowed.is_some_and(|it| it == origin || it == "*");
    ensure(fits, || format!("{what} has no `Access-Control-Allow-Origin` for the origin"))
}

fn names(headers: &HeaderMap, header: &str, expected: &[&str]) -> Result<(), super::Stop> {
    let given = headers.get(header).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let named = |name: &&&str| given.split(',').any(|it| it.trim().eq_ignore_ascii_case(name));
    let missing = expected.iter().find(|name| !named(name));
    ensure(missing.is_none(), || format!("`{header}` lacks `{}`", missing.unwrap_or(&"")))
}

async fn refused(
    bench: &Bench,
    request: Request<Vec<u8>>,
    status: u16,
    code: Option<Code>,
) -> Result<(), super::Stop> {
    let what = request.method().to_string();
    bench.sent(request).await.refused(&what, &[status], code)
}

/// A refused request must not have created anything.
async fn absent(bench: &Bench, id: &ResourceId) -> Verdict {
    let result = bench.read(id).await;
    ensure(matches!(result.reply, Reply::Absent), || {
        format!("a resource was created: {}", result.description())
    })?;
    Ok(String::new())
}
