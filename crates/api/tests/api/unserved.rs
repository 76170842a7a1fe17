//! References to kinds of imported services, which are not served.

use std::{rc::Rc, sync::Arc};

use fields::schema::Schema;
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use planloom_api::{Api, Settings, UnservedPolicy, rules, unserved_references};
use serde_json::{Value, json};
use store::{Store, testing::ManualClock};

use crate::{requests::send, support::services};

const LIBRARY: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
imports: [people.example.com]
resources:
- name: Publisher
- name: Book
  fields:
  - {path: publisher, type: reference, resource: Publisher, targetDeleteBehavior: BLOCK}
  - {path: author, type: reference, resource: people.example.com/Person, targetDeleteBehavior: BLOCK}
  - {path: reader, type: reference, resource: people.example.com/Person, targetDeleteBehavior: ALLOW_DANGLING}
  - {path: title, type: string}
";
const PEOPLE: &str = "
name: people.example.com
proto: {package: {name: example.people, currentVersion: v1}}
resources:
- name: Person
";

fn library(unserved: UnservedPolicy) -> Rc<Api> {
    let services = Arc::new(services(&[(LIBRARY, false), (PEOPLE, true)]));
    let schema = |at: usize| spec::schema(&services, at, &Schema::default()).0;
    let schemas: Vec<Schema> = (0..services.services.len()).map(schema).collect();
    let rules = rules(&services, &schemas).expect("one version");
    let plugins = Plugins::new(MetadataPlugin::new(|| "uuid".to_owned()));
    let store = Store::in_memory(Arc::new(ManualClock::default()));
    let transactions = Transactions::new(store, rules, plugins, Flags::default());
    let settings = Settings { unserved, ..Settings::default() };
    Rc::new(Api::new(services, Arc::new(schemas), transactions, Rc::new(|| 7)).with_settings(settings))
}

/// Status, marked references, and body of the response.
fn answered(api: &Rc<Api>, request: &str, body: &Value) -> (u16, String, Value) {
    let response = send(api, request, &body.to_string());
    let marked = response.headers().get("planloom-unchecked-references");
    let marked = marked.map_or("", |it| it.to_str().expect("a text")).to_owned();
    (response.status().as_u16(), marked, serde_json::from_slice(response.body()).unwrap_or_default())
}

#[test]
fn they_are_listed_by_field() {
    let api = library(UnservedPolicy::Refuse);
    let found = api.unserved_references().iter();
    let found: Vec<_> = found.map(|it| (it.path.text().to_string(), it.target.to_string())).collect();
    assert_eq!(found, [("author".to_owned(), "people.example.com/Person".to_owned())]);
    let both = services(&[(LIBRARY, false), (PEOPLE, false)]);
    let schemas: Vec<_> =
        (0..both.services.len()).map(|it| spec::schema(&both, it, &Schema::default()).0).collect();
    assert_eq!(unserved_references(&both, &schemas), [], "both are served");
}

#[test]
fn a_write_that_sets_one_is_refused_and_names_its_place() {
    let api = library(UnservedPolicy::Refuse);
    let book = json!({"name": "books/one", "author": "people/ann"});
    let (status, marked, problem) = answered(&api, "POST /v1/books", &book);
    assert_eq!((status, &*marked), (409, ""), "{problem}");
    let violation = &problem["violations"][0];
    assert_eq!(
        (&violation["field"], &violation["code"]),
        (&json!("author"), &json!("api/unserved-reference"))
    );
    let expected =
        "`people/ann` is of the kind `people.example.com/Person`, which this server does not serve";
    assert_eq!(violation["message"], expected);
    let without = json!({"name": "books/one", "reader": "people/ann"});
    assert_eq!(answered(&api, "POST /v1/books", &without).0, 200, "it may dangle");
    assert_eq!(answered(&api, "PUT /v1/books/one", &json!({"author": "people/ann"})).0, 409);
    assert_eq!(
        answered(&api, "PUT /v1/books/two?allowMissing=true", &json!({"author": "people/ann"})).0,
        409
    );
}

#[test]
fn a_write_that_sets_one_is_marked_where_it_is_accepted() {
    let api = library(UnservedPolicy::Accept);
    let (one, two) = (json!({"author": "people/ann"}), json!({"author": "people/bob"}));
    let named = json!({"name": "books/one", "author": "people/ann"});
    for (request, body, expected) in [
        ("POST /v1/books", &named, "author"),
        ("PUT /v1/books/one", &json!({"author": "people/ann", "title": "t"}), ""),
        ("PUT /v1/books/one", &two, "author"),
        ("PUT /v1/books/one", &json!({}), ""),
        ("PUT /v1/books/two?allowMissing=true", &one, "author"),
    ] {
        let (status, marked, body) = answered(&api, request, body);
        assert_eq!((status, &*marked), (200, expected), "{request}: {body}");
    }
}
