//! Requests to servers that are not ours, as they are sent.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use fields::{
    FieldMask,
    schema::{Field, FieldType, Message, Scalar, Schema},
};
use http::{Request, Response, StatusCode};
use planloom_access::{Access, AccessError, ErrorKind, HttpAccess, ListQuery, Server, Update, Version};
use protocol::{LocalFuture, Transport, TransportError};
use serde_json::json;
use spec::KindId;

use crate::{
    contract::now,
    support::{Hurry, services},
};

/// A service by the rules of AIP: `PATCH`, the id of a new resource beside it, the version in the field `etag`.
const SHELF: &str = "
name: shelf.example.com
proto: {package: {name: example.shelf, currentVersion: v2}}
resources:
- name: Shelf
  plural: Shelves
  optOuts: {basicActions: [UpdateShelf, BatchGetShelves, 'Watch*'], metadataField: true}
  actions:
  - name: UpdateShelf
    requestName: UpdateShelfRequest
    skipResponseMsgGen: true
    responseName: Shelf
    opResourceInfo: {requestPaths: {resourceBody: [shelf]}}
    withStoreHandle: {transaction: SNAPSHOT}
    grpcTranscoding: {httpMethod: patch, isBasic: true}
";

/// Answers with prepared responses, and records requests.
struct Script {
    responses: RefCell<Vec<(u16, &'static str)>>,
    seen: RefCell<Vec<String>>,
}

impl Transport for Script {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let match_header =
            request.headers().get("if-match").and_then(|it| it.to_str().ok()).unwrap_or_default();
        let body = String::from_utf8_lossy(request.body());
        let line = format!("{} {} {match_header} {body}", request.method(), request.uri());
        self.seen.borrow_mut().push(line.replace("  ", " ").trim().to_owned());
        let mut responses = self.responses.borrow_mut();
        let (status, body) = if responses.is_empty() { (404, "") } else { responses.remove(0) };
        let mut response = Response::new(body.as_bytes().to_vec());
        *response.status_mut() = StatusCode::from_u16(status).expect("a status");
        Box::pin(async { Ok(response) })
    }
}

type Call = fn(&HttpAccess, KindId) -> Result<String, AccessError>;

fn check(call: Call, responses: &[(u16, &'static str)], answer: Result<&str, ErrorKind>, sent: &[&str]) {
    let services = services(SHELF);
    let (mut schema, _) = spec::schema(&services, 0, &Schema::default());
    let id = Field::new("shelf_id", FieldType::Scalar(Scalar::String));
    let create: &mut Message = schema.messages.get_mut("CreateShelfRequest").expect("a request");
    create.fields.push(id);
    let script = Rc::new(Script { responses: RefCell::new(responses.to_vec()), seen: RefCell::default() });
    let server = Server::new("https://shelf.example.com/api/", None).expect("an address");
    let kind = services.find(0, "Shelf").expect("a kind");
    let access = HttpAccess::new(services, Arc::new(vec![schema]), server, script.clone(), Rc::new(Hurry));
    let answered = call(&access, kind).map_err(|it| it.kind);
    assert_eq!(answered.as_deref(), answer.as_ref().copied(), "{sent:?}");
    let sent: Vec<String> = sent.iter().map(|it| it.replace('^', "https://shelf.example.com/api")).collect();
    assert_eq!(*script.seen.borrow(), sent);
}

#[test]
fn requests_follow_the_specification() {
    let list: Call = |access, kind| {
        let found = now(access.list(kind, ListQuery { filter: "size > 1".into(), ..ListQuery::default() }))?;
        Ok(found.iter().map(|it| it.name().to_owned()).collect::<Vec<_>>().join(" "))
    };
    let first = "GET ^/v2/shelves?filter=size%20%3E%201&pageSize=500";
    let second = "GET ^/v2/shelves?filter=size%20%3E%201&pageToken=t%2F2&pageSize=500";
    let page = r#"{"shelves":[{"name":"shelves/s1"}],"nextPageToken":"t/2"}"#;
    let last = r#"{"shelves":[{"name":"shelves/s2"}],"nextPageToken":""}"#;
    check(list, &[(200, page), (200, last)], Ok("shelves/s1 shelves/s2"), &[first, second]);
    check(list, &[(200, page), (200, page)], Err(ErrorKind::Unreadable), &[first, second]);
    check(list, &[(200, "{}")], Ok(""), &[first]);
    check(list, &[(200, r#"{"items":[]}"#)], Err(ErrorKind::Unreadable), &[first]);
    check(list, &[(200, "<html>")], Err(ErrorKind::Unreadable), &[first]);
    check(list, &[(302, "")], Err(ErrorKind::Unreadable), &[first]);

    let several: Call = |access, kind| {
        let found = now(access.batch_get(kind, vec!["shelves/s1".into(), "shelves/s2".into()]))?;
        Ok(found.iter().map(|it| it.name().to_owned()).collect::<Vec<_>>().join(" "))
    };
    let one = [(404, ""), (200, r#"{"name":"shelves/s2"}"#)];
    check(several, &one, Ok("shelves/s2"), &["GET ^/v2/shelves/s1", "GET ^/v2/shelves/s2"]);

    let create: Call = |access, kind| {
        now(access.create(kind, json!({"name": "shelves/s1"})))
            .map(|it| format!("{:?}", it.version.map(|it| it.text)))
    };
    let sent = r#"POST ^/v2/shelves?shelfId=s1 {"name":"shelves/s1"}"#;
    check(create, &[(200, r#"{"name":"shelves/s1","etag":"e1"}"#)], Ok("Some(\"e1\")"), &[sent]);
    check(create, &[(200, r#"{"name":"shelves/other"}"#)], Err(ErrorKind::Unreadable), &[sent]);
    check(
        create,
        &[(409, "there is one"), (200, r#"{"name":"shelves/s1"}"#)],
        Err(ErrorKind::AlreadyExists),
        &[sent, "GET ^/v2/shelves/s1"],
    );

    let update: Call = |access, kind| {
        let mask = FieldMask::parse("display_name").ok();
        let expected = Some(Version { text: "e1".into(), is_field: true });
        let update =
            Update { name: "shelves/s1".into(), resource: json!({"displayName": "D"}), mask, expected };
        now(access.update(kind, update)).map(|it| it.name().to_owned())
    };
    let patch =
        r#"PATCH ^/v2/shelves/s1?updateMask=displayName {"displayName":"D","name":"shelves/s1","etag":"e1"}"#;
    check(update, &[(200, r#"{"name":"shelves/s1"}"#)], Ok("shelves/s1"), &[patch]);
    check(
        update,
        &[(409, r#"{"error":{"code":409,"status":"ABORTED"}}"#)],
        Err(ErrorKind::Aborted),
        &[patch],
    );

    let delete: Call = |access, kind| {
        let expected = Some(Version { text: "e1".into(), is_field: true });
        now(access.delete(kind, "shelves/s1", expected)).map(|()| String::new())
    };
    check(delete, &[(200, "")], Ok(""), &["DELETE ^/v2/shelves/s1?etag=e1"]);
}
