//! Changes of a list, as a client that applies the messages of a watch gets them.

use std::{
    collections::BTreeMap,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use futures_core::Stream;
use http::Request;
use planloom_api::{Api, Reply};
use serde_json::{Value, json};
use store::{Options, Store, testing::ManualClock};

use crate::requests::{api_over, send};

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
  - {path: 'spec.size', type: int32}
  - {path: 'spec.color', type: string}
";

type Messages = Pin<Box<dyn Stream<Item = Vec<u8>>>>;

/// A watch of a collection.
pub(crate) struct Watching {
    stream: Messages,
}

impl Watching {
    /// Opens a watch of the books of a publisher that are on, with more parameters.
    fn open(api: &Rc<Api>, more: &Value) -> Self {
        let mut body = json!({"filter": "on = true"});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        Self::open_at(api, "v1/publishers/pan/books", &body)
    }

    /// Opens a watch of a collection with parameters.
    pub(crate) fn open_at(api: &Rc<Api>, collection: &str, parameters: &Value) -> Self {
        let request = Request::post(format!("/{collection}:watch")).body(parameters.to_string().into_bytes());
        match api.answer(request.expect("a request")) {
            Reply::Stream(response) => Self { stream: response.into_body() },
            Reply::Whole(response) => panic!("{}", String::from_utf8_lossy(response.body())),
            Reply::Long(_) | Reply::Later(_) => panic!("there are no hooks"),
        }
    }

    /// The messages that there are.
    pub(crate) fn messages(&mut self) -> Vec<Value> {
        let (mut text, mut context) = (Vec::new(), Context::from_waker(Waker::noop()));
        while let Poll::Ready(Some(part)) = self.stream.as_mut().poll_next(&mut context) {
            text.extend(part);
        }
        let lines = String::from_utf8(text).expect("UTF-8");
        lines.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect()
    }
}

/// The copy of the resources that a client makes of messages.
#[derive(Default)]
struct Client {
    copy: BTreeMap<String, Value>,
    token: Option<String>,
    resets: usize,
}

impl Client {
    fn apply(&mut self, messages: Vec<Value>, chunk: usize) {
        let last = messages.last().map(|it| it["isCurrent"].clone());
        assert!(last.is_none_or(|it| it == json!(true)), "what is there ends with a current message");
        for message in messages {
            if message["isHardReset"] == json!(true) {
                self.copy.clear();
                self.resets += 1;
            }
            let none = Vec::new();
            let changes = message["bookChanges"].as_array().unwrap_or(&none);
            assert!(changes.len() <= chunk, "{} of {chunk}", changes.len());
            changes.iter().for_each(|it| self.change(it));
            if let Some(size) = message["snapshotSize"].as_str() {
                assert_eq!(size, self.copy.len().to_string());
            }
            self.token = message["resumeToken"].as_str().map(str::to_owned).or(self.token.take());
        }
    }

    fn change(&mut self, change: &Value) {
        let name = |it: &Value| it["name"].as_str().expect("a name").to_owned();
        match (&change["current"]["book"], &change["removed"]) {
            (book @ Value::Object(_), Value::Null) => drop(self.copy.insert(name(book), book.clone())),
            (Value::Null, removed) => assert!(self.copy.remove(&name(removed)).is_some(), "{change}"),
            _ => panic!("{change}"),
        }
    }

    fn is_as(&self, api: &Rc<Api>) {
        let response = send(api, "GET /v1/publishers/pan/books?pageSize=1000&filter=on%3Dtrue", "");
        let listed: Value = serde_json::from_slice(response.body()).expect("JSON");
        let listed = listed["books"].as_array().cloned().unwrap_or_default();
        let listed: BTreeMap<String, Value> =
            listed.into_iter().map(|it| (it["name"].as_str().expect("a name").to_owned(), it)).collect();
        assert_eq!(self.copy, listed);
    }
}

fn library(log_entries: usize) -> Rc<Api> {
    let options = Options { log_entries, ..Options::default() };
    let clock = Arc::new(ManualClock::at(store::Millis(1_700_000_000_000)));
    let api = api_over(SPECIFICATION, Store::new(options, clock, None).expect("a store"));
    for name in ["pan", "quest"] {
        done(&api, "POST /v1/publishers", &json!({"name": format!("publishers/{name}")}));
    }
    api
}

fn done(api: &Rc<Api>, request: &str, body: &Value) {
    let response = send(api, request, &body.to_string());
    assert!(response.status().is_success(), "{request}: {}", String::from_utf8_lossy(response.body()));
    while api.work() {}
}

fn save(api: &Rc<Api>, name: &str, mut value: Value) {
    value["name"] = json!(format!("publishers/{name}"));
    done(api, &format!("PUT /v1/publishers/{name}?allowMissing=true"), &value);
}

/// Changes of every sort: resources that enter the list, change in it, leave it, and are never in it.
fn change(api: &Rc<Api>, number: usize) {
    for at in 0..4 {
        let book = json!({"on": at % 2 == 0, "number": number});
        save(api, &format!("pan/books/b{number}-{at}"), book);
    }
    save(api, "pan/books/always", json!({"on": true, "number": number}));
    save(api, "pan/books/sometimes", json!({"on": number.is_multiple_of(2)}));
    save(api, "quest/books/never", json!({"on": true, "number": number}));
    if number % 3 == 2 {
        done(api, &format!("DELETE /v1/publishers/pan/books/b{}-0", number - 1), &Value::Null);
    }
}

#[test]
fn a_client_that_applies_the_messages_has_the_list() {
    for chunk in [1, 3, 100] {
        let api = library(4096);
        let parameters = json!({"maxChunkSize": chunk});
        let (mut watching, mut client) = (Watching::open(&api, &parameters), Client::default());
        let first = watching.messages();
        assert_eq!(first.len(), 1, "an empty state is current");
        client.apply(first, chunk);
        for number in 0..8 {
            change(&api, number);
            client.apply(watching.messages(), chunk);
            client.is_as(&api);
            assert_eq!(watching.messages(), Vec::<Value>::new());
        }
        // One that comes later, and one that continues from a token.
        let mut late = Client::default();
        late.apply(Watching::open(&api, &parameters).messages(), chunk);
        late.is_as(&api);
        change(&api, 9);
        let resumed = json!({"maxChunkSize": chunk, "resumeToken": client.token});
        client.apply(Watching::open(&api, &resumed).messages(), chunk);
        client.is_as(&api);
        assert_eq!(client.resets, 0);
    }
}

#[test]
fn a_client_that_is_too_far_behind_starts_again() {
    let api = library(10);
    let (mut watching, mut client) = (Watching::open(&api, &json!({"maxChunkSize": 2})), Client::default());
    change(&api, 0);
    client.apply(watching.messages(), 2);
    (1..5).for_each(|number| change(&api, number));
    client.apply(watching.messages(), 2);
    client.is_as(&api);
    assert_eq!(client.resets, 1);
    // The same for a token that is too old, or of another store.
    for (first, token) in [(5, client.token.clone()), (8, Some("nonsense".to_owned()))] {
        (first..first + 3).for_each(|number| change(&api, number));
        let resumed = json!({"maxChunkSize": 2, "resumeToken": token});
        client.apply(Watching::open(&api, &resumed).messages(), 2);
        client.is_as(&api);
    }
    assert_eq!(client.resets, 3);
}

#[test]
fn a_token_of_another_query_begins_anew() {
    let api = library(4096);
    save(&api, "pan/books/small", json!({"number": 1, "on": true}));
    save(&api, "quest/books/large", json!({"number": 2, "on": true}));
    let (pan, quest, all) = ("v1/publishers/pan/books", "v1/publishers/quest/books", "v1/publishers/-/books");
    let first = json!({"filter": "number = 1", "fieldMask": "number,on"});
    let (other, wider) =
        (json!({"filter": "number = 2", "fieldMask": "number,on"}), json!({"filter": "number = 1"}));
    let spelt = json!({"filter": "number=1", "fieldMask": "on,number"});
    let (none, full) = (json!({}), json!({"filter": "()", "fieldMask": "*"}));
    let is_continued = |(of, with): (&str, &Value), (collection, parameters): (&str, &Value)| {
        let token = Watching::open_at(&api, of, with).messages().pop().map(|it| it["resumeToken"].clone());
        let mut parameters = parameters.clone();
        parameters["resumeToken"] = token.expect("a message");
        let resumed = Watching::open_at(&api, collection, &parameters).messages();
        let Some(begin) = resumed.first() else { return true };
        assert_eq!(begin, &json!({"isHardReset": true}), "{collection} {parameters}");
        parameters["resumeToken"] = json!("");
        assert_eq!(
            resumed[1..],
            Watching::open_at(&api, collection, &parameters).messages(),
            "all that there is"
        );
        false
    };
    for (of, with, expected) in [
        ((pan, &first), (pan, &first), true),
        ((pan, &first), (pan, &spelt), true),
        ((pan, &none), (pan, &full), true),
        ((pan, &first), (pan, &other), false),
        ((pan, &first), (pan, &none), false),
        // What the token was given for does not show all fields: those that did not change meanwhile would be missing.
        ((pan, &first), (pan, &wider), false),
        ((pan, &wider), (pan, &first), false),
        ((pan, &none), (pan, &json!({"view": "NAME"})), false),
        ((pan, &first), (quest, &first), false),
        ((pan, &first), (all, &first), false),
        ((all, &first), (pan, &first), false),
        ((pan, &none), ("v1/publishers", &none), false),
    ] {
        assert_eq!(is_continued(of, with), expected, "{of:?} {with:?}");
    }
}

#[test]
fn a_mask_hides_fields_and_their_changes() {
    let api = library(4096);
    let mut watching = Watching::open(&api, &json!({"fieldMask": "spec.size,on"}));
    watching.messages();
    let mut check = |book: Value, expected: &[Value]| {
        save(&api, "pan/books/one", book);
        let messages = watching.messages();
        let changes: Vec<Value> = messages
            .iter()
            .flat_map(|it| it["bookChanges"].as_array().cloned().unwrap_or_default())
            .collect();
        assert_eq!(changes, expected);
    };
    let current = |book: Value| {
        let mut book = book;
        book["name"] = json!("publishers/pan/books/one");
        json!({"current": {"book": book}})
    };
    check(
        json!({"on": true, "spec": {"size": 1, "color": "red"}, "number": 1}),
        &[current(json!({"spec": {"size": 1}, "on": true}))],
    );
    check(json!({"on": true, "spec": {"size": 1, "color": "blue"}, "number": 2}), &[]);
    check(
        json!({"on": true, "spec": {"size": 2, "color": "blue"}}),
        &[current(json!({"spec": {"size": 2}, "on": true}))],
    );
    check(json!({"on": true}), &[current(json!({"on": true}))]);
    check(json!({"on": false}), &[json!({"removed": {"name": "publishers/pan/books/one"}})]);
}
