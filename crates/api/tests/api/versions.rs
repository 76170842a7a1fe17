//! Two versions of a service over the same resources.

use std::{cell::Cell, rc::Rc, sync::Arc};

use fields::schema::Schema;
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use planloom_api::{Api, UnservableServices, rules};
use serde_json::{Value, json};
use spec::Services;
use store::Store;

use crate::{
    requests::{Ticks, send},
    support::services,
    watches::Watching,
};

const OLD: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v1, nextVersion: v2}}
resources:
- name: Author
- name: Publisher
- name: Book
  parents: [Publisher]
  optIns: {searchable: true}
  fields:
  - {path: title, number: 3, maxLength: 20}
  - {path: year, number: 4, type: int32}
  - {path: spec.pages, type: int32}
  - {path: 'parts[].name'}
  - {path: author, type: reference, resource: Author, targetDeleteBehavior: BLOCK}
  - {path: reader, type: reference, resource: Author, targetDeleteBehavior: BLOCK}
- name: Note
  fields: [{path: text}]
";
const NEW: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v2}}
resources:
- name: Author
- name: Publisher
- name: Book
  parents: [Publisher, '']
  optIns: {searchable: true}
  fields:
  - {path: title, number: 3, maxLength: 10}
  - {path: subtitle}
  - {path: spec.pages, type: int32}
  - {path: spec.language}
  - {path: 'parts[].name'}
  - {path: 'parts[].pages', type: int32}
  - {path: author, type: reference, resource: Author, targetDeleteBehavior: BLOCK}
  - {path: reader}
  - {path: editor, type: reference, resource: Author, targetDeleteBehavior: BLOCK}
";

fn given(texts: &[&str]) -> (Services, Vec<Schema>) {
    let services = services(&texts.iter().map(|it| (*it, false)).collect::<Vec<_>>());
    let schema = |at: usize| spec::schema(&services, at, &Schema::default()).0;
    let schemas = (0..services.services.len()).map(schema).collect();
    (services, schemas)
}

/// An API of several specifications over an empty store.
pub(crate) fn build(texts: &[&str]) -> Api {
    let (services, schemas) = given(texts);
    let rules = rules(&services, &schemas).expect("they go together");
    let plugins = Plugins::new(MetadataPlugin::new(|| "uuid".to_owned()));
    let store = Store::in_memory(Arc::new(Ticks::default()));
    let transactions = Transactions::new(store, rules, plugins, Flags::default());
    let seed = Cell::new(0);
    let ids = move || seed.replace(seed.get() + 1);
    Api::new(Arc::new(services), Arc::new(schemas), transactions, Rc::new(ids))
}

/// The response to a request that is to have a status, without metadata.
fn sent(api: &Rc<Api>, request: &str, body: &Value, status: u16) -> Value {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let response = send(api, request, &body);
    let text = String::from_utf8_lossy(response.body());
    assert_eq!(response.status().as_u16(), status, "{request} {body}\n{text}");
    while api.work() {}
    let mut found: Value = serde_json::from_str(&text).expect("JSON");
    if let Some(resource) = found.as_object_mut() {
        resource.shift_remove("metadata");
    }
    found
}

/// A library with a book that only the new version knows all of.
fn library() -> Rc<Api> {
    for texts in [[OLD, NEW], [NEW, OLD]] {
        let api = Rc::new(build(&texts));
        assert_eq!(sent(&api, "GET /v1/publishers", &Value::Null, 200), json!({"publishers": []}));
    }
    let api = Rc::new(build(&[OLD, NEW]));
    sent(&api, "POST /v2/publishers", &json!({"name": "publishers/acme"}), 200);
    for author in ["ann", "eve", "rob"] {
        sent(&api, "POST /v1/authors", &json!({"name": format!("authors/{author}")}), 200);
    }
    let book = json!({
        "name": "publishers/acme/books/one", "title": "One", "subtitle": "Sub", "author": "authors/ann",
        "spec": {"pages": 10, "language": "en"}, "editor": "authors/eve",
        "parts": [{"name": "a", "pages": 1}, {"name": "b", "pages": 2}],
    });
    sent(&api, "POST /v2/publishers/acme/books", &book, 200);
    api
}

const ONE: &str = "publishers/acme/books/one";

fn book(api: &Rc<Api>, version: &str) -> Value {
    sent(api, &format!("GET /{version}/{ONE}"), &Value::Null, 200)
}

#[test]
fn each_version_shows_its_fields_and_keeps_those_of_the_other() {
    let api = library();
    let old = json!({"name": ONE, "title": "One", "spec": {"pages": 10}, "author": "authors/ann",
        "parts": [{"name": "a"}, {"name": "b"}]});
    assert_eq!(book(&api, "v1"), old);
    let listed = sent(&api, "GET /v1/publishers/acme/books?fieldMask=title,parts", &Value::Null, 200);
    assert_eq!(listed, json!({"books": [{"title": "One", "parts": [{"name": "a"}, {"name": "b"}]}]}));
    // What was read is written back, with a change: nothing of the other version is lost but with the element that was changed.
    let changed = json!({"name": ONE, "title": "Uno", "year": 1999, "spec": {"pages": 11}, "author": "authors/ann",
        "parts": [{"name": "b"}, {"name": "c"}]});
    assert_eq!(sent(&api, &format!("PUT /v1/{ONE}"), &changed, 200), changed);
    let new = json!({"name": ONE, "title": "Uno", "subtitle": "Sub", "author": "authors/ann",
        "spec": {"pages": 11, "language": "en"}, "editor": "authors/eve",
        "parts": [{"name": "b", "pages": 2}, {"name": "c"}]});
    assert_eq!(book(&api, "v2"), new);
    sent(&api, &format!("PUT /v1/{ONE}?updateMask=title"), &json!({"title": "Due"}), 200);
    assert_eq!(book(&api, "v2")["subtitle"], "Sub");
    // The new version keeps what only the old one has, and clears what it has itself.
    sent(&api, &format!("PUT /v2/{ONE}"), &json!({"title": "Tre", "spec": {"language": "it"}}), 200);
    assert_eq!(book(&api, "v1"), json!({"name": ONE, "title": "Tre", "year": 1999, "spec": {}}));
    // A message of which a version sees something is cleared as a whole; one of which it sees nothing is not.
    sent(&api, &format!("PUT /v1/{ONE}"), &json!({"title": "Tre"}), 200);
    assert_eq!(book(&api, "v2"), json!({"name": ONE, "title": "Tre", "spec": {"language": "it"}}));
    sent(&api, &format!("PUT /v1/{ONE}?updateMask=spec.pages"), &json!({"spec": {"pages": 5}}), 200);
    assert_eq!(book(&api, "v2")["spec"], json!({"pages": 5, "language": "it"}));
    sent(&api, &format!("PUT /v1/{ONE}?updateMask=spec"), &json!({}), 200);
    assert_eq!(book(&api, "v2"), json!({"name": ONE, "title": "Tre"}));
}

#[test]
fn the_newest_version_decides_what_is_valid() {
    let api = library();
    let long = json!({"title": "as long as v1 has it"});
    for (request, detail) in [
        (format!("PUT /v1/{ONE}"), "the `Book` is not valid in v2"),
        ("POST /v1/publishers/acme/books".to_owned(), "the `Book` is not valid in v2"),
        (format!("PUT /v2/{ONE}"), "the `Book` is not valid"),
    ] {
        let problem = sent(&api, &request, &long, 400);
        assert_eq!(
            (&problem["detail"], &problem["violations"][0]["field"]),
            (&json!(detail), &json!("#/title"))
        );
    }
    // What only one version has is refused by the other.
    for (request, body) in [
        (format!("PUT /v1/{ONE}"), json!({"title": "t", "subtitle": "s"})),
        (format!("PUT /v2/{ONE}"), json!({"title": "t", "year": 1})),
        (format!("PUT /v1/{ONE}?updateMask=subtitle"), json!({})),
        ("GET /v1/publishers/acme/books?filter=subtitle%3DSub".to_owned(), Value::Null),
        ("GET /v1/publishers/acme/books?orderBy=subtitle".to_owned(), Value::Null),
        (format!("GET /v1/{ONE}?fieldMask=subtitle"), Value::Null),
    ] {
        let problem = sent(&api, &request, &body, 400);
        assert_eq!(problem["violations"][0]["code"], "fields/unknown-field", "{request}: {problem}");
    }
    let found = |version: &str, phrase: &str| {
        let request = format!("GET /{version}/publishers/acme/books:search?phrase={phrase}");
        sent(&api, &request, &Value::Null, 200)["books"].as_array().map(Vec::len)
    };
    assert_eq!((found("v1", "sub"), found("v2", "sub"), found("v1", "one")), (Some(0), Some(1), Some(1)));
}

#[test]
fn names_kinds_and_references_are_those_of_both() {
    let api = library();
    let root = json!({"name": "books/root", "title": "Root"});
    sent(&api, "POST /v2/books", &root, 200);
    let names = |request: &str| {
        let listed = sent(&api, request, &Value::Null, 200);
        let books = listed["books"].as_array().cloned().unwrap_or_default();
        books.iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("GET /v1/publishers/-/books"), [ONE]);
    assert_eq!(names("GET /v2/publishers/-/books"), [ONE]);
    assert_eq!(names("GET /v2/books"), ["books/root"]);
    sent(&api, "GET /v1/books/root", &Value::Null, 404);
    sent(&api, "POST /v1/notes", &json!({"name": "notes/one", "text": "only in v1"}), 200);
    sent(&api, "GET /v2/notes/one", &Value::Null, 404);
    // The editor is a reference of the new version; the reader is none in it, although it is one in the old version.
    sent(&api, "DELETE /v1/authors/eve", &Value::Null, 409);
    sent(&api, &format!("PUT /v1/{ONE}?updateMask=reader"), &json!({"reader": "authors/rob"}), 200);
    sent(&api, "DELETE /v1/authors/rob", &Value::Null, 200);
    sent(&api, "DELETE /v1/publishers/acme", &Value::Null, 200);
    sent(&api, &format!("GET /v2/{ONE}"), &Value::Null, 404);
    assert_eq!(api.mismatched(&[]), []);
}

#[test]
fn a_token_of_one_version_begins_anew_in_the_other() {
    let api = library();
    let watched = |version: &str, token: &Value| {
        let path = format!("{version}/publishers/acme/books");
        Watching::open_at(&api, &path, &json!({"resumeToken": token})).messages()
    };
    let first = watched("v1", &Value::Null);
    assert_eq!(first[0]["bookChanges"][0]["current"]["book"]["subtitle"], Value::Null);
    let token = &first.last().expect("a message")["resumeToken"];
    assert_eq!(watched("v1", token), Vec::<Value>::new());
    let other = watched("v2", token);
    assert_eq!(other[0], json!({"isHardReset": true}));
    assert_eq!(other[1]["bookChanges"][0]["current"]["book"]["subtitle"], "Sub");
}

#[test]
fn versions_whose_resources_differ_are_refused() {
    let refused = |texts: &[&str]| {
        let (services, schemas) = given(texts);
        rules(&services, &schemas).expect_err("they do not go together")
    };
    let [older, newer] =
        [OLD, &NEW.replace("title, number: 3, maxLength: 10", "title, type: int32, number: 3")];
    let error = UnservableServices {
        service: "library.example.com".to_owned(),
        versions: ["v1".to_owned(), "v2".to_owned()],
        reasons: vec!["`Book.title` is string in v1 and int32 in v2".to_owned()],
    };
    assert_eq!(refused(&[older, newer]), error);
    assert_eq!(refused(&[newer, older]), error);
    let third = NEW.replace("v2", "v3");
    let (services, schemas) = given(&[&third, OLD, NEW]);
    assert!(rules(&services, &schemas).is_ok(), "three versions");
}
