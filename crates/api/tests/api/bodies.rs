//! Each route of a service with each kind of wrong body: all are refused with their place, and nothing is changed.

use std::{rc::Rc, sync::Arc};

use fields::schema::{Cardinality, Field, FieldType, Message, Scalar, Schema, WellKnown};
use planloom_api::Api;
use serde_json::{Value, json};
use spec::{Method, Services};
use store::Store;

use crate::{
    requests::{Ticks, build_with, send},
    routes::path,
    support::services,
};

const SERVICE: &str = include_str!("../../../../tests/served-api/library.yaml");

/// Texts that are no JSON, or JSON that no request may be.
const NO_REQUESTS: [&str; 14] = [
    "[]",
    "[{}]",
    "\"text\"",
    "5",
    "true",
    "{",
    "{\"name\":}",
    "{'name': 1}",
    "{} {}",
    "{\"a\": NaN}",
    "{\"a\": 1e999}",
    "{\"a\": \"\\ud800\"}",
    "{\"a\": 1, \"a\": 2}",
    "{\"a\": \"\u{0}\"}",
];

/// A message that a `.proto` file would give: that of the action.
fn given() -> Schema {
    let field = |name: &str, scalar| Field::new(name, FieldType::Scalar(scalar));
    let fields = vec![
        field("name", Scalar::String),
        field("borrower", Scalar::String),
        field("days", Scalar::Int32),
        Field { cardinality: Cardinality::Repeated, ..field("notes", Scalar::String) },
    ];
    let message = Message { fields, ..Message::default() };
    Schema { messages: [("LendBookRequest".into(), message)].into(), ..Schema::default() }
}

fn library() -> Rc<Api> {
    let api = Rc::new(build_with(SERVICE, &given(), Store::in_memory(Arc::new(Ticks::default()))));
    for (path, body) in [
        ("authors", r#"{"name": "authors/a1"}"#),
        ("publishers", r#"{"name": "publishers/a1"}"#),
        (
            "publishers/a1/books",
            r#"{"name": "publishers/a1/books/a1", "title": "One", "author": "authors/a1"}"#,
        ),
    ] {
        assert_eq!(send(&api, &format!("POST /v1/{path}"), body).status(), 200, "{body}");
    }
    api
}

/// Everything that is stored.
fn stored(api: &Rc<Api>) -> Vec<Vec<u8>> {
    let lists = ["authors", "publishers", "publishers/-/books"];
    lists.iter().map(|it| send(api, &format!("GET /v1/{it}"), "").into_body()).collect()
}

/// Values that a field cannot have.
fn wrong_values(field: &Field, schema: &Schema) -> Vec<Value> {
    let text = || vec![json!(5), json!(true), json!({}), json!(["a"])];
    let number = || vec![json!("x"), json!(1.5), json!(true), json!({}), json!([1]), json!(1e30)];
    let one = match &field.ty {
        FieldType::Scalar(Scalar::String | Scalar::Bytes) => text(),
        FieldType::WellKnown(WellKnown::FieldMask) => text(),
        FieldType::WellKnown(WellKnown::Timestamp | WellKnown::Duration) => {
            [text(), vec![json!("soon")]].concat()
        }
        FieldType::Scalar(Scalar::Bool) => vec![json!(5), json!("maybe"), json!({}), json!([true])],
        FieldType::Scalar(Scalar::Double | Scalar::Float) => {
            vec![json!("x"), json!(true), json!({}), json!([1])]
        }
        FieldType::Scalar(_) => number(),
        FieldType::Enum(_) => vec![json!("NONE_OF_IT"), json!(true), json!(1.5), json!({}), json!(["NEW"])],
        FieldType::Message(name) if !schema.messages[name].open => {
            vec![json!(5), json!("x"), json!([]), json!({"noField": 1})]
        }
        _ => Vec::new(),
    };
    match field.cardinality {
        Cardinality::One | Cardinality::Optional => one,
        Cardinality::Repeated => one.into_iter().map(|it| json!([it])).chain([json!({}), json!(5)]).collect(),
        Cardinality::Map(_) => {
            one.into_iter().map(|it| json!({"k": it})).chain([json!([]), json!(5)]).collect()
        }
    }
}

/// The bodies that a route must refuse, each with the field that the answer has to name.
fn wrong_bodies(
    method: &Method,
    services: &Services,
    schema: &Schema,
    of_path: &[String],
) -> Vec<(String, String)> {
    let is_resource = !method.request_paths.resource_body.is_empty();
    let kind = method.kind.and_then(|it| services.kind(it)).expect("a kind");
    let message = &schema.messages[if is_resource { &kind.name } else { &method.request }];
    let mut bodies: Vec<(String, String)> =
        NO_REQUESTS.iter().map(|it| ((*it).to_owned(), String::new())).collect();
    if is_resource {
        bodies.push(("null".to_owned(), String::new()));
    }
    bodies.push((format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)), String::new()));
    bodies.push((format!("{{\"a\":{}1{}}}", "[".repeat(500), "]".repeat(500)), String::new()));
    if !message.open {
        bodies.push((r#"{"noField": 1}"#.to_owned(), "noField".to_owned()));
    }
    for field in message.fields.iter().filter(|it| !it.output_only || &*it.name == "metadata") {
        if of_path.contains(&field.json_name()) && !is_resource {
            continue;
        }
        for value in wrong_values(field, schema) {
            bodies.push((json!({field.json_name(): value}).to_string(), field.json_name()));
        }
    }
    bodies
}

#[test]
fn each_route_refuses_each_wrong_body() {
    let api = library();
    let services = services(&[(SERVICE, false)]);
    let (schema, _) = spec::schema(&services, 0, &given());
    let before = stored(&api);
    let (mut sent, mut accepted) = (0, Vec::new());
    for method in services.services[0].apis.iter().flat_map(|it| &it.methods) {
        for route in &method.routes {
            let (path, fields) = path(&route.path, method, &services);
            let of_path: Vec<String> = fields.into_iter().map(|it| it.0).collect();
            for (body, field) in wrong_bodies(method, &services, &schema, &of_path) {
                let request = format!("{} {path}", route.method);
                let response = send(&api, &request, &body);
                let problem: Value = serde_json::from_slice(response.body()).expect("JSON");
                let violations = problem["violations"].as_array().cloned().unwrap_or_default();
                let names = |it: &Value| it["field"].as_str().is_some_and(|it| it.contains(&field));
                if response.status() != 400 || !violations.iter().any(names) {
                    let body: String = body.chars().take(80).collect();
                    accepted.push(format!("{request} {body}: {} {violations:?}", response.status()));
                }
                sent += 1;
            }
        }
    }
    assert!(accepted.is_empty(), "{} of {sent}:\n{}", accepted.len(), accepted.join("\n"));
    assert!(sent > 950, "{sent} bodies");
    assert_eq!(stored(&api), before);
}

#[test]
fn requests_to_methods_of_a_specification_are_those_that_their_message_describes() {
    let api = library();
    let lend = "POST /v1/publishers/a1/books/a1:lend";
    for body in ["", "{}", r#"{"borrower": "Zoe", "days": 7, "notes": ["a"]}"#, r#"{"days": "7"}"#] {
        assert_eq!(send(&api, lend, body).status(), 501, "{body}: it is valid, and nothing executes it");
    }
    assert_eq!(send(&api, &format!("{lend}?days=7"), "{}").status(), 501, "fields of the query are texts");
    let problem = send(&api, &format!("{lend}?dayz=7"), "{}");
    let problem: Value = serde_json::from_slice(problem.body()).expect("JSON");
    assert_eq!(problem["violations"][0]["field"], "#/dayz", "{problem}");
}
