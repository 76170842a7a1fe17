//! Requests in order, each with its status and what its answer has to contain.

use std::{
    cell::Cell,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};

use fields::schema::Schema;
use http::{Request, Response};
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use planloom_api::{Api, Reply, rules};
use serde_json::Value;
use store::{Clock, Millis, Store};

use crate::support::services;

pub(crate) const LIBRARY: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Author
- name: Publisher
- name: Book
  parents: [Publisher]
  optIns: {searchable: true}
  fields:
  - {path: title, type: string, required: true, maxLength: 20}
  - {path: year, type: int32}
  - {path: isbn, type: string, immutable: true}
  - {path: loans, type: int64, outputOnly: true}
  - {path: author, type: reference, resource: Author, targetDeleteBehavior: BLOCK}
  views: {BASIC: [name, title]}
  actions:
  - name: LendBook
    withStoreHandle: {transaction: SNAPSHOT}
";

/// A clock that advances by a second with each reading.
#[derive(Debug, Default)]
pub(crate) struct Ticks(AtomicI64);

impl Clock for Ticks {
    fn now(&self) -> Millis {
        Millis(1_700_000_000_000 + 1000 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

pub(crate) fn api(text: &str) -> Rc<Api> {
    Rc::new(build(text))
}

/// An API over an empty store in memory.
pub(crate) fn build(text: &str) -> Api {
    build_over(text, Store::in_memory(Arc::new(Ticks::default())))
}

/// An API over a store.
pub(crate) fn api_over(text: &str, store: Store) -> Rc<Api> {
    Rc::new(build_over(text, store))
}

fn build_over(text: &str, store: Store) -> Api {
    build_with(text, &Schema::default(), store)
}

/// An API with messages that are given.
pub(crate) fn build_with(text: &str, given: &Schema, store: Store) -> Api {
    let services = Arc::new(services(&[(text, false)]));
    let (schema, problems) = spec::schema(&services, 0, given);
    assert!(problems.is_empty(), "{problems:#?}");
    let rules = rules(&services, std::slice::from_ref(&schema)).expect("one version");
    let uuids = AtomicU64::new(0);
    let uuids = move || format!("uuid-{}", uuids.fetch_add(1, Ordering::Relaxed));
    let plugins = Plugins::new(MetadataPlugin::new(uuids));
    let transactions = Transactions::new(store, rules, plugins, Flags::default());
    let seed = Cell::new(7_u64);
    let ids = move || {
        seed.set(seed.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
        seed.get()
    };
    Api::new(services, Arc::new(vec![schema]), transactions, Rc::new(ids))
}

/// The response to `METHOD PATH`, with headers `name: value` after it.
pub(crate) fn send(api: &Rc<Api>, request: &str, body: &str) -> Response<Vec<u8>> {
    let mut lines = request.split('\n').map(str::trim);
    let (method, path) = lines.next().and_then(|it| it.split_once(' ')).expect("a method and a path");
    let mut builder = Request::builder().method(method).uri(path);
    for (name, value) in lines.filter_map(|it| it.split_once(": ")) {
        builder = builder.header(name, value);
    }
    match api.answer(builder.body(body.as_bytes().to_vec()).expect("a request")) {
        Reply::Whole(response) => response,
        Reply::Stream(response) => response.map(|_| b"\"a stream\"".to_vec()),
        Reply::Long(_) | Reply::Later(_) => panic!("there are no hooks, and nothing is long"),
    }
}

/// True if a value has everything of another.
fn contains(value: &Value, expected: &Value) -> bool {
    match (value, expected) {
        (Value::Object(value), Value::Object(expected)) => {
            expected.iter().all(|(key, it)| value.get(key).is_some_and(|value| contains(value, it)))
        }
        (Value::Array(value), Value::Array(expected)) => {
            value.len() == expected.len() && value.iter().zip(expected).all(|(value, it)| contains(value, it))
        }
        (value, expected) => value == expected,
    }
}

/// Request, body, status, and what the answer contains.
type Row<'a> = (&'a str, &'a str, u16, &'a str);

fn check(rows: &[Row<'_>]) {
    let api = api(LIBRARY);
    for (request, body, status, expected) in rows {
        let response = send(&api, request, body);
        let text = String::from_utf8(response.body().clone()).expect("UTF-8");
        assert_eq!(response.status().as_u16(), *status, "{request} {body}\n{text}");
        let answer: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("JSON: {text}"));
        let expected: Value = serde_json::from_str(expected).unwrap_or_else(|_| panic!("JSON: {expected}"));
        assert!(contains(&answer, &expected), "{request} {body}\nexpected {expected}\nfound    {text}");
        while api.work() {}
    }
}

const ACME: Row<'_> = ("POST /v1/publishers", r#"{"name":"publishers/acme"}"#, 200, "{}");
const ONE: Row<'_> = (
    "POST /v1/publishers/acme/books",
    r#"{"name":"publishers/acme/books/one","title":"One","year":1999}"#,
    200,
    "{}",
);
const TWO: Row<'_> = (
    "POST /v1/publishers/acme/books",
    r#"{"name":"publishers/acme/books/two","title":"Two","year":2001}"#,
    200,
    "{}",
);

#[test]
fn resources_are_created_and_read() {
    check(&[
        ("GET /v1/publishers", "", 200, r#"{"publishers":[]}"#),
        ACME,
        ("POST /v1/publishers", r#"{"name":"publishers/acme"}"#, 409, r#"{"code":"already_exists"}"#),
        ONE,
        (
            "GET /v1/publishers/acme/books/one",
            "",
            200,
            r#"{"title":"One","year":1999,"metadata":{"generation":"1","resourceVersion":"2","uuid":"uuid-1"}}"#,
        ),
        // Without name, the server gives one.
        ("POST /v1/publishers/acme/books", r#"{"title":"Three"}"#, 200, r#"{"title":"Three"}"#),
        // The parent has to exist, and to be the path's.
        (
            "POST /v1/publishers/none/books",
            r#"{"title":"x"}"#,
            409,
            r#"{"code":"failed_precondition","violations":[{"field":"parent"}]}"#,
        ),
        (
            "POST /v1/publishers/acme/books",
            r#"{"name":"publishers/b/books/x","title":"x"}"#,
            400,
            r##"{"violations":[{"field":"#/name","code":"api/parent"}]}"##,
        ),
        (
            "POST /v1/publishers/-/books",
            r#"{"title":"x"}"#,
            400,
            r#"{"violations":[{"code":"api/wildcard"}]}"#,
        ),
        ("GET /v1/publishers/acme/books/none", "", 404, r#"{"code":"not_found"}"#),
        (
            "GET /v1/books:batchGet?names=publishers/acme/books/one&names=publishers/acme/books/none",
            "",
            200,
            r#"{"books":[{"title":"One"}],"missing":["publishers/acme/books/none"]}"#,
        ),
    ]);
}

#[test]
fn fields_are_selected() {
    check(&[
        ACME,
        ONE,
        ("GET /v1/publishers/acme/books/one?fieldMask=year", "", 200, r#"{"year":1999}"#),
        (
            "GET /v1/publishers/acme/books/one?view=BASIC",
            "",
            200,
            r#"{"name":"publishers/acme/books/one","title":"One"}"#,
        ),
        (
            "GET /v1/publishers/acme/books?view=NAME&fieldMask=year",
            "",
            200,
            r#"{"books":[{"name":"publishers/acme/books/one","year":1999}]}"#,
        ),
        ("GET /v1/publishers/acme/books/one?view=SOME", "", 400, r#"{"violations":[{"field":"view"}]}"#),
        (
            "GET /v1/publishers/acme/books/one?fieldMask=nothing",
            "",
            400,
            r#"{"violations":[{"field":"fieldMask","code":"fields/unknown-field"}]}"#,
        ),
        (
            "GET /v1/publishers/acme/books/one?fieldMask=a..b",
            "",
            400,
            r#"{"violations":[{"field":"fieldMask"}]}"#,
        ),
    ]);
}

#[test]
fn lists_are_filtered_ordered_and_paged() {
    check(&[
        ACME,
        ONE,
        TWO,
        ("GET /v1/publishers/acme/books?filter=year%20%3E%202000", "", 200, r#"{"books":[{"title":"Two"}]}"#),
        (
            "GET /v1/publishers/acme/books?orderBy=year%20desc",
            "",
            200,
            r#"{"books":[{"title":"Two"},{"title":"One"}]}"#,
        ),
        (
            "GET /v1/publishers/-/books?pageSize=1&includePagingInfo=true",
            "",
            200,
            r#"{"books":[{"title":"One"}],"totalResultsCount":2,"currentOffset":0}"#,
        ),
        ("GET /v1/publishers/acme/books:search?phrase=tw", "", 200, r#"{"books":[{"title":"Two"}]}"#),
        ("GET /v1/publishers/other/books", "", 200, r#"{"books":[]}"#),
        (
            "GET /v1/publishers/acme/books?filter=year%20%3E",
            "",
            400,
            r#"{"violations":[{"field":"filter","code":"fields/filter-syntax","byte":6}]}"#,
        ),
        (
            "GET /v1/publishers/acme/books?filter=nothing%3D1",
            "",
            400,
            r#"{"violations":[{"field":"filter","code":"fields/unknown-field"}]}"#,
        ),
        (
            "GET /v1/publishers/acme/books?orderBy=year%20up",
            "",
            400,
            r#"{"violations":[{"field":"orderBy"}]}"#,
        ),
        ("GET /v1/publishers/acme/books?pageToken=xyz", "", 400, r#"{"violations":[{"field":"pageToken"}]}"#),
        ("GET /v1/publishers/acme/books?pageSize=-1", "", 400, r#"{"violations":[{"field":"pageSize"}]}"#),
        ("GET /v1/publishers/acme/books?pagesize=1", "", 400, r#"{"violations":[{"field":"pagesize"}]}"#),
    ]);
}

#[test]
fn updates_have_masks_and_conditions() {
    check(&[
        ACME,
        ONE,
        (
            "PUT /v1/publishers/acme/books/one?updateMask=year",
            r#"{"year":2000}"#,
            200,
            r#"{"title":"One","year":2000,"metadata":{"resourceVersion":"3","generation":"2"}}"#,
        ),
        (
            "PUT /v1/publishers/acme/books/one\nif-match: \"2\"",
            r#"{"title":"x"}"#,
            412,
            r#"{"code":"version_mismatch"}"#,
        ),
        (
            "PUT /v1/publishers/acme/books/one\nif-match: \"3\"",
            r#"{"title":"Uno"}"#,
            200,
            r#"{"title":"Uno"}"#,
        ),
        (
            "PUT /v1/publishers/acme/books/one\nif-match: 4",
            r#"{"title":"x"}"#,
            400,
            r#"{"violations":[{"field":"If-Match"}]}"#,
        ),
        (
            r#"PUT /v1/publishers/acme/books/one?cas={%22conditionalState%22:{%22title%22:%22x%22},%22fieldMask%22:%22title%22}"#,
            r#"{"title":"y"}"#,
            412,
            r#"{"violations":[{"field":"cas"}]}"#,
        ),
        (
            r#"PUT /v1/publishers/acme/books/one?cas={%22conditionalState%22:{%22title%22:%22Uno%22},%22fieldMask%22:%22title%22}"#,
            r#"{"title":"Due"}"#,
            200,
            r#"{"title":"Due"}"#,
        ),
        ("PUT /v1/publishers/acme/books/none", r#"{"title":"x"}"#, 404, r#"{"code":"not_found"}"#),
        (
            "PUT /v1/publishers/acme/books/new?allowMissing=true",
            r#"{"title":"New"}"#,
            200,
            r#"{"title":"New"}"#,
        ),
        (
            "PUT /v1/publishers/acme/books/one",
            r#"{"name":"publishers/acme/books/two","title":"x"}"#,
            400,
            r##"{"violations":[{"field":"#/name"}]}"##,
        ),
        (
            "PUT /v1/publishers/acme/books/one?updateMask=nothing",
            r#"{"title":"x"}"#,
            400,
            r#"{"violations":[{"field":"updateMask"}]}"#,
        ),
        // A misspelt field would clear the one that is meant.
        (
            "PUT /v1/publishers/acme/books/one?updateMask=year",
            r#"{"yaer":2001}"#,
            400,
            r##"{"violations":[{"field":"#/yaer","code":"fields/unknown-field"}]}"##,
        ),
        ("GET /v1/publishers/acme/books/one", "", 200, r#"{"title":"Due"}"#),
    ]);
}

#[test]
fn values_are_checked() {
    check(&[
        ACME,
        (
            "POST /v1/publishers/acme/books",
            r#"{"year":"many","other":1}"#,
            400,
            r##"{"code":"invalid_argument","violations":[{"field":"#/other","code":"fields/unknown-field"},{"field":"#/title","code":"fields/required"},{"field":"#/year","code":"fields/wrong-type"}]}"##,
        ),
        (
            "POST /v1/publishers/acme/books",
            r#"{"title":"a very long title that no book has"}"#,
            400,
            r##"{"violations":[{"field":"#/title"}]}"##,
        ),
        (
            "POST /v1/publishers/acme/books",
            r#"{"name":"publishers/acme/books/one","title":"One","isbn":"1","loans":"7"}"#,
            200,
            r#"{"isbn":"1"}"#,
        ),
        (
            "PUT /v1/publishers/acme/books/one",
            r#"{"title":"One","isbn":"2"}"#,
            400,
            r##"{"violations":[{"field":"#/isbn","code":"api/immutable"}]}"##,
        ),
        (
            "POST /v1/publishers/acme/books",
            r#"{"title":"#,
            400,
            r##"{"violations":[{"field":"#","code":"api/json","byte":8}]}"##,
        ),
        // A publisher has no declared fields, so it may have any; its metadata has those of all resources.
        (
            "POST /v1/publishers",
            r#"{"name":"publishers/open","anything":{"at":["all"]}}"#,
            200,
            r#"{"anything":{"at":["all"]}}"#,
        ),
        (
            "POST /v1/publishers",
            r#"{"metadata":{"anything":1}}"#,
            400,
            r##"{"violations":[{"field":"#/metadata/anything"}]}"##,
        ),
        ("POST /v1/publishers/acme/books", "[]", 400, r##"{"violations":[{"field":"#"}]}"##),
        ("POST /v1/publishers/acme/books", "", 400, r##"{"violations":[{"field":"#"}]}"##),
        (
            "POST /v1/publishers/acme/books\ncontent-type: text/plain",
            "{}",
            415,
            r#"{"code":"unsupported_media_type"}"#,
        ),
        (
            "POST /v1/publishers/acme/books",
            r#"{"name":"publishers/acme/books/One","title":"x"}"#,
            400,
            r##"{"violations":[{"field":"#/name","code":"api/creation-id","byte":22}]}"##,
        ),
        ("GET /v1/publishers/acme/books/%01", "", 400, r#"{"violations":[{"field":"name"}]}"#),
    ]);
}

#[test]
fn references_hold() {
    check(&[
        ACME,
        (
            "POST /v1/publishers/acme/books",
            r#"{"title":"One","author":"authors/none"}"#,
            409,
            r#"{"code":"failed_precondition","violations":[{"field":"author"}]}"#,
        ),
        ("POST /v1/authors", r#"{"name":"authors/ann"}"#, 200, "{}"),
        (
            "POST /v1/publishers/acme/books",
            r#"{"name":"publishers/acme/books/one","title":"One","author":"authors/ann"}"#,
            200,
            "{}",
        ),
        (
            "DELETE /v1/authors/ann",
            "",
            409,
            r#"{"code":"failed_precondition","violations":[{"field":"publishers/acme/books/one"}]}"#,
        ),
        ("DELETE /v1/publishers/acme", "", 200, "{}"),
        ("GET /v1/publishers/acme/books/one", "", 404, "{}"),
        ("DELETE /v1/authors/ann", "", 200, "{}"),
        ("DELETE /v1/authors/ann", "", 404, "{}"),
        ("DELETE /v1/authors/ann?allowMissing=true", "", 200, "{}"),
    ]);
}

#[test]
fn resources_of_a_former_version_lose_the_fields_that_are_gone() {
    let store = Store::in_memory(Arc::new(Ticks::default()));
    let old = api_over(
        &LIBRARY.replace(
            "{path: year, type: int32}",
            "{path: year, type: int32}\n  - {path: shelf, type: string}",
        ),
        store.clone(),
    );
    assert_eq!(send(&old, ACME.0, ACME.1).status(), 200);
    let book = r#"{"name": "publishers/acme/books/one", "title": "One", "shelf": "A"}"#;
    assert_eq!(send(&old, ONE.0, book).status(), 200);
    let new = api_over(LIBRARY, store);
    let text = |response: Response<Vec<u8>>| String::from_utf8(response.into_body()).expect("UTF-8");
    let found = text(send(&new, "GET /v1/publishers/acme/books/one", ""));
    assert!(found.contains("One") && !found.contains("shelf"), "{found}");
    assert!(!text(send(&new, "GET /v1/publishers/acme/books", "")).contains("shelf"));
    let updated = send(&new, "PUT /v1/publishers/acme/books/one?updateMask=title", r#"{"title": "Two"}"#);
    assert_eq!(updated.status(), 200, "{}", text(updated));
    assert_eq!(
        send(&new, "PUT /v1/publishers/acme/books/one", &found).status(),
        200,
        "what was read can be sent"
    );
    // What a client sends is still checked.
    let wrong =
        send(&new, "PUT /v1/publishers/acme/books/one?updateMask=title", r#"{"title": "Two", "shelf": "B"}"#);
    assert_eq!(wrong.status(), 400, "also what the mask does not select");
    assert_eq!(
        send(&new, "PUT /v1/publishers/acme/books/one", r#"{"title": "Two", "shelf": "B"}"#).status(),
        400
    );
}

#[test]
fn what_nothing_executes_is_said() {
    check(&[
        ("POST /v1/publishers/acme/books/one:lendBook", "{}", 501, r#"{"code":"unimplemented"}"#),
        ("PATCH /v1/publishers/acme", "{}", 405, r#"{"code":"method_not_allowed"}"#),
        ("GET /v1/nothing", "", 404, r#"{"code":"not_found"}"#),
        ("POST /v1/publishers:watch\naccept: image/png", "", 406, r#"{"code":"not_acceptable"}"#),
        ("POST /v1/publishers:watch", r#"{"type":"SOMETIMES"}"#, 400, r#"{"violations":[{"field":"type"}]}"#),
        ("POST /v1/publishers:watch", r#"{"filter":"="}"#, 400, r#"{"violations":[{"field":"filter"}]}"#),
        ("POST /v1/publishers:watch", "", 200, r#""a stream""#),
    ]);
}

#[test]
fn a_walk_through_pages_shows_everything_once() {
    let api = api(LIBRARY);
    send(&api, "POST /v1/publishers", r#"{"name":"publishers/acme"}"#);
    for at in 0..25 {
        let body =
            format!(r#"{{"name":"publishers/acme/books/b{at:02}","title":"T{}","year":{}}}"#, at % 3, at % 5);
        assert_eq!(send(&api, "POST /v1/publishers/acme/books", &body).status(), 200);
    }
    for order in ["", "&orderBy=year%20desc", "&orderBy=title,year"] {
        let (mut token, mut names) = (String::new(), Vec::new());
        loop {
            let request = format!("GET /v1/publishers/acme/books?pageSize=4{order}&pageToken={token}");
            let page: Value = serde_json::from_slice(send(&api, &request, "").body()).expect("JSON");
            let books = page["books"].as_array().expect("books").iter();
            names.extend(books.map(|it| it["name"].as_str().expect("a name").to_owned()));
            match page["nextPageToken"].as_str() {
                Some(next) => token = next.to_owned(),
                None => break,
            }
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 25, "{order}");
    }
}

#[test]
fn a_key_that_is_written_twice_is_refused_with_its_place() {
    let api = api(LIBRARY);
    let rows = [
        (r#"{"name": "authors/a", "name": "authors/b"}"#, "#/name", 22),
        (r#"{"spec": {"a/b": [1, {"x": 1,\n "x": 2}]}}"#, "#/spec/a~1b/1/x", 31),
        (r#"{"metadata": {"labels": {"k": "1", "k": "1"}}}"#, "#/metadata/labels/k", 35),
    ];
    for (body, field, byte) in rows {
        let body = body.replace("\\n", "\n");
        let problem: Value =
            serde_json::from_slice(send(&api, "POST /v1/authors", &body).body()).expect("JSON");
        let violation = &problem["violations"][0];
        let key = field.rsplit('/').next().expect("a key");
        assert_eq!(problem["status"], 400, "{problem}");
        assert_eq!((&violation["field"], &violation["byte"]), (&field.into(), &byte.into()), "{problem}");
        assert_eq!(violation["message"], format!("the key `{key}` is written twice"));
    }
    let once = r#"{"name": "authors/ab", "metadata": {"labels": {"name": "x", "a": "\u00e9"}}}"#;
    let created = send(&api, "POST /v1/authors", once);
    assert_eq!(created.status(), 200, "{}", String::from_utf8_lossy(created.body()));
    let cas = "PUT /v1/authors/ab?cas=%7B%22fieldMask%22:%22name%22,%22fieldMask%22:%22name%22%7D";
    let problem: Value = serde_json::from_slice(send(&api, cas, "{}").body()).expect("JSON");
    assert_eq!(
        (&problem["status"], &problem["violations"][0]["field"]),
        (&400.into(), &"cas".into()),
        "{problem}"
    );
}
