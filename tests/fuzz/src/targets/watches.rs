//! Any text can be the body of a watch, and any text the token that one is resumed with.

use std::{
    cell::Cell,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use api::{Api, Reply};
use diag::{FileId, Span};
use fields::schema::Schema;
use http::Request;
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use serde_json::{Value, json};
use store::{Options, Store, testing::ManualClock};
use syntax::Limits;

thread_local! {
    static API: Rc<Api> = library();
}

pub(crate) fn run() {
    let token = API.with(|api| messages(api, br#"{"filter": "on = true"}"#).unwrap_or_default());
    let token =
        token.iter().rev().find_map(|it| it["resumeToken"].as_str().map(str::to_owned)).unwrap_or_default();
    let body = |more: Value| more.to_string().into_bytes();
    let seeds = [
        body(json!({"filter": "on = true", "resumeToken": token})),
        body(json!({"type": "STATEFUL", "pageSize": 2, "orderBy": "number", "maxChunkSize": 1})),
        body(json!({"fieldMask": "name,number", "startingTime": "2023-11-14T22:13:20Z"})),
        token.into_bytes(),
    ];
    crate::fuzz("watches", check, &seeds, WORDS);
}

/// A text that is no JSON is the token of a watch.
fn check(input: &[u8]) {
    let is_body = serde_json::from_slice::<Value>(input).is_ok();
    let body = match std::str::from_utf8(input) {
        Ok(token) if !is_body => json!({"resumeToken": token}).to_string().into_bytes(),
        _ => input.to_vec(),
    };
    API.with(|api| {
        let Some(messages) = messages(api, &body) else { return };
        // Each token that the server gives leads on.
        for token in messages.iter().filter_map(|it| it["resumeToken"].as_str()) {
            let Ok(mut again) = serde_json::from_slice::<Value>(&body) else { continue };
            again["resumeToken"] = token.into();
            again.as_object_mut().into_iter().for_each(|it| _ = it.remove("startingTime"));
            self::messages(api, again.to_string().as_bytes()).expect("its own token is taken");
        }
    });
}

/// The messages that there are; `None` if the watch is refused.
fn messages(api: &Rc<Api>, body: &[u8]) -> Option<Vec<Value>> {
    let request = Request::post("/v1/publishers/pan/books:watch").body(body.to_vec()).expect("a request");
    let stream = match api.answer(request) {
        Reply::Stream(response) => response.into_body(),
        Reply::Whole(response) => {
            assert!(response.status().is_client_error(), "{response:?}");
            return None;
        }
        Reply::Long(_) | Reply::Later(_) => panic!("nothing is written"),
    };
    let (mut stream, mut text) = (stream, Vec::new());
    let mut context = Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(part)) = stream.as_mut().poll_next(&mut context) {
        text.extend(part);
    }
    let text = String::from_utf8(text).expect("UTF-8");
    Some(text.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect())
}

fn library() -> Rc<Api> {
    let parse = syntax::parse(FileId(0), SPECIFICATION, &Limits::default());
    let (skeleton, _) = spec::read(&parse.document, Span::at(FileId(0), 0));
    let input = spec::Input { skeleton: skeleton.expect("a map"), is_import: false };
    let services = Arc::new(spec::resolve(&[input]).0);
    let schema = spec::schema(&services, 0, &Schema::default()).0;
    let rules = api::rules(&services, std::slice::from_ref(&schema)).expect("one version");
    let clock = Arc::new(ManualClock::at(store::Millis(1_700_000_000_000)));
    let store = Store::new(Options::default(), clock, None).expect("a store");
    let plugins = Plugins::new(MetadataPlugin::new(|| "a-uuid".to_owned()));
    let transactions = Transactions::new(store, rules, plugins, Flags::default());
    let seed = Cell::new(7_u64);
    let ids = move || seed.replace(seed.get() + 1);
    let api = Rc::new(Api::new(services, Arc::new(vec![schema]), transactions, Rc::new(ids)));
    create(&api, "/v1/publishers", &json!({"name": "publishers/pan"}));
    for number in 0..5 {
        let name = format!("publishers/pan/books/b{number}");
        let book = json!({"name": name, "on": number != 2, "number": number});
        create(&api, "/v1/publishers/pan/books", &book);
    }
    api
}

fn create(api: &Rc<Api>, path: &str, resource: &Value) {
    let request = Request::post(path).body(resource.to_string().into_bytes()).expect("a request");
    assert!(matches!(api.answer(request), Reply::Whole(it) if it.status().is_success()), "{resource}");
    while api.work() {}
}

const SPECIFICATION: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Publisher
- name: Book
  parents: [Publisher]
  fields:
  - {path: on, type: bool}
  - {path: number, type: int32}
";

const WORDS: &[&str] = &[
    "\"filter\":",
    "\"resumeToken\":",
    "\"orderBy\":",
    "\"pageSize\":",
    "\"pageToken\":",
    "\"fieldMask\":",
    "\"type\":",
    "STATEFUL",
    "STATELESS",
    "\"maxChunkSize\":",
    "\"startingTime\":",
    "on = true",
    "number",
    "name",
];
