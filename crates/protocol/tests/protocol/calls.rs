//! A call is received as it was sent, and an answer is read as it was meant.
#![expect(clippy::unwrap_used, reason = "tests")]

use http::{Response, StatusCode, header};
use planloom_protocol::*;
use serde_json::json;

const BASE: &str = "http://127.0.0.1:1/adapters/a";

fn id() -> ResourceId {
    ResourceId::new("service", "abc")
}

fn body() -> ResourceBody {
    let spec = json!({"a": [1, {"b": null}]}).as_object().unwrap().clone();
    ResourceBody {
        deployment: "l".into(),
        deployment_name: "a shop".into(),
        address: "services.\"a b\"".into(),
        generation: 2,
        spec,
    }
}

fn calls() -> Vec<Call> {
    let (id, body, key) = (id(), body(), "k".to_owned());
    vec![
        Call::Describe,
        Call::OpenApi,
        Call::Read(ResourceId::new("a/b", "c d?%")),
        Call::Create { id: id.clone(), body: body.clone(), key: key.clone() },
        Call::Update { id: id.clone(), body, key: key.clone(), if_match: Some("\"1\"".into()) },
        Call::Destroy { id: id.clone(), key: key.clone(), if_match: None, deployment: None },
        Call::Destroy { id: id.clone(), key, if_match: Some("\"1\"".into()), deployment: Some("l&m".into()) },
        Call::BatchRead(vec![id]),
        Call::List { deployment: "l&m".into(), page: Some("2".into()) },
        Call::ListByName { name: "a shop".into(), except: Some("l&m".into()), page: Some("2".into()) },
        Call::ListByName { name: "a".into(), except: None, page: None },
        Call::Operation { op: "o".into(), wait: Some(20) },
        Call::Cancel { op: "o".into() },
    ]
}

#[test]
fn a_call_arrives_as_it_was_sent() {
    let caller = Caller::new(BASE, Token::new("secret")).unwrap();
    for call in calls() {
        let received = receive("/adapters/a", &caller.request(&call)).unwrap();
        assert_eq!(received, Received { call, token: Some("secret".into()) });
    }
}

#[test]
fn a_token_is_not_shown() {
    let caller = Caller::new(BASE, Token::new("secret")).unwrap();
    let shown = format!("{caller:?} {:?}", caller.request(&Call::Describe));
    assert!(!shown.contains("secret") && shown.contains("Token(••••••)"), "{shown}");
    assert!(caller.has_token() && !Caller::new(BASE, None).unwrap().has_token());
}

#[test]
fn only_requests_with_a_body_have_a_content_type() {
    let caller = Caller::new(BASE, None).unwrap();
    for call in calls() {
        let request = caller.request(&call);
        let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|it| it == "application/json");
        assert_eq!(is_json, !request.body().is_empty(), "{call:?}");
        let sends = matches!(call, Call::Create { .. } | Call::Update { .. } | Call::BatchRead(_));
        assert_eq!(is_json, sends, "{call:?}");
    }
}

#[test]
fn only_addresses_of_the_web_are_called() {
    for bad in ["", "ftp://a", "a", "http://", "http://u:p@a", "http://a/?q", "http://a/#f", "javascript:1"] {
        assert!(Caller::new(bad, None).is_none(), "{bad}");
    }
    assert_eq!(Caller::new("https://a.example/x/", None).unwrap().base(), "https://a.example/x");
}

fn resource() -> Resource {
    serde_json::from_value(json!({"kind": "service", "id": "abc", "phase": "active", "etag": "\"1\""}))
        .unwrap()
}

fn create() -> Call {
    Call::Create { id: id(), body: body(), key: "k".into() }
}

fn destroy() -> Call {
    Call::Destroy { id: id(), key: "k".into(), if_match: None, deployment: None }
}

fn said(call: &Call, answer: Answer) -> Reply {
    read_reply(call, Ok(answer.into_response()))
}

#[test]
fn an_answer_is_read_as_it_was_meant() {
    let is = Box::new(resource());
    assert_eq!(said(&create(), Answer::Created(is.clone())), Reply::Resource(is.clone()));
    assert_eq!(said(&Call::Read(id()), Answer::Is(is.clone())), Reply::Resource(is.clone()));
    assert_eq!(said(&destroy(), Answer::Done), Reply::Done);
    assert_eq!(
        said(&destroy(), Answer::Is(is.clone())),
        Reply::Resource(is.clone()),
        "its state is required"
    );
    let batch = Batch { items: vec![*is], missing: Vec::new() };
    assert_eq!(said(&Call::BatchRead(vec![id()]), Answer::Batch(batch.clone())), Reply::Batch(batch));
}

/// The engine's reading of each problem.
#[test]
fn each_problem_has_its_row() {
    let name = |code| match said(&create(), Problem::new(code, "no").into()) {
        Reply::Unauthorized(_) => "unauthorized",
        Reply::Absent => "absent",
        Reply::Differs(_) => "differs",
        Reply::RebuildRequired(_) => "rebuild",
        Reply::Outstanding(_) => "outstanding",
        Reply::Stale(_) => "stale",
        Reply::OtherVersion(_) => "version",
        Reply::Busy(_, Some(after)) if after.as_secs() == 1 => "busy",
        Reply::Refused(_) => "refused",
        Reply::Unclear(Unclear::Failed(_)) => "unclear",
        other => panic!("{other:?}"),
    };
    let rows: Vec<String> = Code::ALL.map(|code| format!("{} {}", code.as_str(), name(code))).into();
    assert_eq!(
        rows,
        [
            "unauthorized unauthorized",
            "forbidden refused",
            "not_found absent",
            "gone absent",
            "exists_differently differs",
            "other_lineage refused",
            "rebuild_required rebuild",
            "operation_pending outstanding",
            "not_cancellable refused",
            "cancelled unclear",
            "stale stale",
            "key_reused refused",
            "key_missing refused",
            "unsupported_protocol version",
            "bad_request refused",
            "unknown_kind refused",
            "invalid_spec refused",
            "too_large refused",
            "busy busy",
            "unavailable busy",
            "not_recorded refused",
            "internal unclear",
        ]
    );
}

fn raw(status: u16, kind: &str, body: &str) -> Response<Vec<u8>> {
    let mut response = Response::new(body.as_bytes().to_vec());
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response.headers_mut().insert(header::CONTENT_TYPE, kind.parse().unwrap());
    response
}

fn check_unclear(call: &Call, response: Response<Vec<u8>>, expected: &str) {
    match read_reply(call, Ok(response)) {
        Reply::Unclear(why) => assert_eq!(why.to_string(), expected),
        other => panic!("{other:?}"),
    }
}

#[test]
fn foreign_answers_are_unclear() {
    let good = serde_json::to_string(&resource()).unwrap();
    check_unclear(
        &create(),
        raw(201, "text/html", &good),
        "the response is malformed: it is not JSON but `text/html`",
    );
    check_unclear(
        &create(),
        raw(200, "application/json", &good.replace("abc", "other")),
        "the response is malformed: it is for another resource, `other`",
    );
    check_unclear(
        &create(),
        raw(200, "application/json", "{\"kind\":"),
        "the response is malformed: EOF while parsing a value at line 1 column 8",
    );
    check_unclear(
        &Call::BatchRead(vec![id()]),
        raw(200, "application/json", "{\"items\":[],\"missing\":[{\"kind\":\"service\",\"id\":\"x\"}]}"),
        "the response is malformed: it is for another resource, `x`",
    );
    check_unclear(
        &create(),
        raw(200, "application/json", &" ".repeat(MAX_BODY + 1)),
        "the response is too long",
    );
    check_unclear(&create(), raw(502, "text/html", "<h1>oh</h1>"), "the adapter failed: status 502");
}

/// An operation on another resource, or of another verb, does not belong to the call.
#[test]
fn an_operation_is_that_of_the_call() {
    let operation = |verb, id: &str| Operation {
        op: "1".into(),
        verb,
        id: ResourceId::new("service", id),
        done: false,
        progress: None,
        resource: None,
        problem: None,
    };
    let accepted = |verb, id| Answer::Accepted(Box::new(operation(verb, id)));
    let own = operation(Verb::Create, "abc");
    assert_eq!(said(&create(), accepted(Verb::Create, "abc")), Reply::Operation(Box::new(own)));
    for (verb, id) in [(Verb::Create, "other"), (Verb::Update, "abc"), (Verb::Destroy, "other")] {
        let expected = format!("the response is malformed: it is for another resource, `{id}`");
        check_unclear(&create(), accepted(verb, id).into_response(), &expected);
    }
}

#[test]
fn redirects_are_not_followed() {
    let mut response = raw(307, "text/html", "");
    response.headers_mut().insert(header::LOCATION, "http://evil.example/".parse().unwrap());
    let Reply::Refused(problem) = read_reply(&create(), Ok(response)) else { panic!() };
    assert_eq!((problem.code.as_str(), problem.status), ("redirected", 307));
    assert_eq!(problem.detail, "the adapter redirects to `http://evil.example/`, which is not followed");
}

#[test]
fn texts_from_outside_are_bounded() {
    let long = "x\u{1b}".repeat(10_000);
    let body = json!({"detail": long, "code": "odd\ncode", "status": 200}).to_string();
    let Reply::Refused(problem) = read_reply(&create(), Ok(raw(422, "application/problem+json", &body)))
    else {
        panic!()
    };
    assert_eq!((problem.status, problem.code.as_str()), (422, "odd code"));
    assert!(problem.detail.chars().count() <= 2001 && !problem.detail.contains('\u{1b}'));
}

#[test]
fn resource_messages_are_single_lines() {
    let said = Resource { message: Some("a\n\u{1b}b".into()), ..resource() };
    let line = |it: &Resource| it.message.as_deref() == Some("a  b");
    for (call, answer) in [
        (Call::Read(id()), Answer::Is(Box::new(said.clone()))),
        (
            Call::BatchRead(vec![id()]),
            Answer::Batch(Batch { items: vec![said.clone()], missing: Vec::new() }),
        ),
        (
            Call::List { deployment: "l".into(), page: None },
            Answer::Page(Page { items: vec![said.clone()], next: None }),
        ),
    ] {
        let received = match self::said(&call, answer) {
            Reply::Resource(it) => *it,
            Reply::Batch(mut it) => it.items.remove(0),
            Reply::Page(mut it) => it.items.remove(0),
            other => panic!("{other:?}"),
        };
        assert!(line(&received), "{:?}", received.message);
    }
}

/// Adapters and callers of the first version did not send a generation.
#[test]
fn generation_defaults_to_one() {
    assert_eq!(resource().generation, 1);
    let body: ResourceBody =
        serde_json::from_value(json!({"deployment": "l", "address": "a", "spec": {}})).unwrap();
    assert_eq!(body.generation, 1);
}

fn check_request(method: &str, path: &str, body: &str, expected: Code) {
    let request = http::Request::builder().method(method).uri(format!("http://a{path}"));
    let problem = receive("", &request.body(body.as_bytes().to_vec()).unwrap()).unwrap_err();
    assert_eq!(problem.code, expected.as_str(), "{problem:?}");
}

#[test]
fn a_request_that_is_none_of_the_protocols_is_refused() {
    check_request("GET", "/v2", "", Code::NotFound);
    check_request("POST", "/v1/resources/a/b", "", Code::NotFound);
    check_request("POST", "/v1", "", Code::NotFound);
    check_request("PUT", "/v1/openapi.json", "", Code::NotFound);
    check_request("GET", "/v1/resources:batchRead", "{\"ids\": []}", Code::NotFound);
    check_request("DELETE", "/v1/resources?deployment=l", "", Code::NotFound);
    check_request("PATCH", "/v1/operations/o", "", Code::NotFound);
    check_request("GET", "/v1/resources/a/", "", Code::BadRequest);
    check_request("GET", "/v1/resources/a/%0a", "", Code::BadRequest);
    check_request("GET", "/v1/resources", "", Code::BadRequest);
    check_request("PUT", "/v1/resources/a/b", "{}", Code::KeyMissing);
    check_request("POST", "/v1/resources:batchRead", "[]", Code::BadRequest);
    check_request("DELETE", "/v1/resources/a/b", "", Code::KeyMissing);
    let request = http::Request::builder().uri("http://a/v1").header(PROTOCOL_HEADER, "2");
    let problem = receive("", &request.body(Vec::new()).unwrap()).unwrap_err();
    assert!(problem.is(Code::UnsupportedProtocol));
}

/// A body of the maximum length is still read.
#[test]
fn only_oversized_bodies_are_refused() {
    for (method, path, most) in
        [("POST", "/v1/resources:batchRead", MAX_BODY), ("PUT", "/v1/resources/a/b", MAX_SPEC)]
    {
        check_request(method, path, &" ".repeat(most + 1), Code::TooLarge);
        let other = if method == "PUT" { Code::KeyMissing } else { Code::BadRequest };
        check_request(method, path, &" ".repeat(most), other);
    }
}
