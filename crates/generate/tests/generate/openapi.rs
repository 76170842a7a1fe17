//! The OpenAPI document: which operations it has, and their parts. `tests/npm/generated.mjs` validates the documents.

use std::collections::BTreeSet;

use planloom_generate as generate;
use serde_json::{Value, json};

use crate::support::{EVERYTHING, all, data, real, service};

fn everything() -> Value {
    generate::openapi(service(EVERYTHING, &[]).definition())
}

fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    paths.iter().flat_map(|(path, it)| {
        it.as_object().expect("operations").iter().map(move |(verb, it)| (path.as_str(), verb.as_str(), it))
    })
}

/// `path:project query:filter header:If-Match`
fn parameters(operation: &Value) -> String {
    let name =
        |it: &Value| format!("{}:{}", it["in"].as_str().expect("in"), it["name"].as_str().expect("a name"));
    operation["parameters"].as_array().into_iter().flatten().map(name).collect::<Vec<_>>().join(" ")
}

fn statuses(operation: &Value) -> String {
    operation["responses"].as_object().expect("responses").keys().cloned().collect::<Vec<_>>().join(" ")
}

#[test]
fn methods_have_their_parameters_and_problems() {
    let document = everything();
    let masks = "query:fieldMask query:view";
    let page = "query:pageSize query:pageToken query:orderBy query:filter query:fieldMask query:view";
    let sample = "path:project path:sample";
    let base = "200 400 401 403 404 429 500 503";
    let writes = "200 400 401 403 404 409 412 429 500 503";
    let replaces = "200 400 401 403 404 409 412 413 415 429 500 503";
    let streams = "200 400 401 403 404 406 413 415 429 500 503";
    let rows = [
        (
            "get",
            "/v1/projects/{project}/samples/{sample}",
            format!("{sample} {masks} header:If-None-Match"),
            "200 304 400 401 403 404 429 500 503",
        ),
        ("get", "/v1/samples:batchGet", format!("query:names {masks}"), "200 400 401 403 429 500 503"),
        (
            "get",
            "/v1/projects/{project}/samples",
            format!("path:project {page} query:includePagingInfo"),
            base,
        ),
        ("get", "/v1/samples", format!("{page} query:includePagingInfo"), base),
        ("get", "/v1/projects/{project}/samples:search", format!("path:project {page} query:phrase"), base),
        (
            "get",
            "/v1/projects/{project}/regions/{region}/secretKeys",
            "path:project path:region query:orderBy query:filter query:fieldMask query:view".to_owned(),
            base,
        ),
        (
            "post",
            "/v1/projects/{project}/samples",
            "path:project".to_owned(),
            "200 400 401 403 404 409 413 415 429 500 503",
        ),
        (
            "put",
            "/v1/projects/{project}/samples/{sample}",
            format!("{sample} query:updateMask query:allowMissing query:cas header:If-Match"),
            replaces,
        ),
        (
            "delete",
            "/v1/projects/{project}/samples/{sample}",
            format!("{sample} query:allowMissing query:validateOnly header:If-Match"),
            writes,
        ),
        ("post", "/v1/projects/{project}/samples/{sample}:watch", sample.to_owned(), streams),
        ("post", "/v1/samples:watch", String::new(), streams),
        (
            "post",
            "/v1/projects/{project}/samples/{sample}:rotate",
            sample.to_owned(),
            "200 400 401 403 404 409 413 415 429 500 501 502 503",
        ),
        (
            "get",
            "/v1/projects/{project}/samples:query",
            "path:project".to_owned(),
            "200 400 401 403 404 429 500 501 502 503",
        ),
        ("post", "/v1:healthCheck", String::new(), "200 400 401 403 413 415 429 500 501 502 503"),
        (
            "delete",
            "/v1/projects/{project}/things/{thing}:purge",
            "path:project path:thing".to_owned(),
            "200 400 401 403 409 429 500 501 502 503",
        ),
    ];
    for (verb, path, expected, codes) in rows {
        let operation = &document["paths"][path][verb];
        assert!(operation.is_object(), "{verb} {path}");
        assert_eq!(
            (parameters(operation), statuses(operation)),
            (expected, codes.to_owned()),
            "{verb} {path}"
        );
    }
}

#[test]
fn a_read_of_a_version_that_the_client_has_is_answered_without_a_body() {
    let document = everything();
    let not_modified =
        &document["paths"]["/v1/projects/{project}/samples/{sample}"]["get"]["responses"]["304"];
    assert_eq!(
        (&not_modified["content"], &not_modified["headers"]["ETag"]["schema"]["type"]),
        (&Value::Null, &json!("string"))
    );
    let with_it = operations(&document).filter(|(.., it)| statuses(it).contains("304"));
    let verbs: Vec<&str> = with_it.map(|(_, verb, _)| verb).collect();
    assert!(!verbs.is_empty() && verbs.iter().all(|it| *it == "get"), "{verbs:?}");
}

#[test]
fn bodies_are_resources_or_the_rest_of_the_request() {
    let document = everything();
    let body = |verb: &str, path: &str| document["paths"][path][verb]["requestBody"].clone();
    let sample = json!({"$ref": "#/components/schemas/Sample"});
    let created = &body("post", "/v1/samples")["content"]["application/json"]["schema"];
    assert_eq!(created["allOf"][0], sample);
    // `text` says that it is required, `mail` has a rule that "" does not fulfil, and `count` may be 0.
    let required = created["allOf"][1]["required"].as_array().expect("names");
    let is_required = |name: &str| required.contains(&json!(name));
    assert_eq!(["text", "mail", "count", "name"].map(is_required), [true, true, false, false]);
    for (verb, path) in [
        ("put", "/v1/samples/{sample}"),
        ("put", "/v1/projects/{project}/samples/{sample}"),
        ("put", "/v1/samples/{sample}:put"),
    ] {
        let body = body(verb, path);
        assert_eq!(
            (&body["required"], &body["content"]["application/json"]["schema"]),
            (&json!(true), &sample),
            "{verb} {path}"
        );
    }
    for path in ["/v1/samples:watch", "/v1/projects/{project}/samples:watch"] {
        let body = body("post", path);
        let schema = &body["content"]["application/json"]["schema"];
        assert_eq!(body["required"], json!(false), "{path}");
        let names: Vec<&String> = schema["properties"].as_object().expect("properties").keys().collect();
        assert_eq!(
            names,
            [
                "type",
                "pageSize",
                "pageToken",
                "orderBy",
                "resumeToken",
                "startingTime",
                "filter",
                "fieldMask",
                "view",
                "maxChunkSize"
            ],
            "{path}"
        );
    }
    let upload = body("post", "/v1/samples:upload");
    assert_eq!(upload["content"]["application/x-ndjson"]["schema"]["type"], "array");
    assert_eq!(body("get", "/v1/samples"), Value::Null);
}

#[test]
fn streams_are_lines_or_events() {
    let document = everything();
    let content = &document["paths"]["/v1/samples:watch"]["post"]["responses"]["200"]["content"];
    let message = json!({"$ref": "#/components/schemas/WatchSamplesResponse"});
    assert_eq!(content["application/x-ndjson"]["schema"]["items"], message);
    let event = &content["text/event-stream"]["schema"]["items"]["properties"]["data"];
    assert_eq!(event["contentSchema"], message);
    assert!(content["application/json"].is_null());
}

#[test]
fn methods_with_one_route_are_described_once() {
    let document = everything();
    assert_eq!(document["paths"]["/v1:healthCheck"]["post"]["x-same-route"], json!(["HealthService.Same"]));
}

/// Every `$ref` leads to something, every variable of a path is a parameter, and no id of an operation occurs twice.
#[test]
fn documents_are_consistent() {
    let mut counts = (0, 0);
    for (name, service) in all() {
        let document = generate::openapi(service.definition());
        let mut ids = BTreeSet::new();
        for (path, verb, operation) in operations(&document) {
            counts.0 += 1;
            assert!(ids.insert(operation["operationId"].as_str()), "{name} {verb} {path}");
            let variables: Vec<&str> =
                path.split('{').skip(1).filter_map(|it| it.split('}').next()).collect();
            let own =
                operation["parameters"].as_array().into_iter().flatten().filter(|it| it["in"] == "path");
            assert_eq!(
                own.map(|it| it["name"].as_str().expect("a name")).collect::<Vec<_>>(),
                variables,
                "{name} {path}"
            );
        }
        for reference in references(&document) {
            counts.1 += 1;
            let pointer = reference.strip_prefix('#').expect("in the document");
            assert!(document.pointer(pointer).is_some(), "{name} {reference}");
        }
    }
    assert!(counts.0 >= 80 && counts.1 > 500, "{counts:?}");
}

fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(map) => map
            .get("$ref")
            .and_then(Value::as_str)
            .into_iter()
            .chain(map.values().flat_map(references))
            .collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// A route of the specification is an operation, unless another method of the service has it already: audit has two methods
/// with one route (source: Goten's tools).
#[test]
fn every_route_of_real_services_is_an_operation() {
    let Some(folder) = data() else { return };
    let rows = [
        ("applications-v1", 35, 0),
        ("ai-v1", 147, 0),
        ("audit-v1", 21, 1),
        ("limits-v1", 120, 0),
        ("logging-v1", 47, 0),
        ("ztp-v1", 35, 0),
    ];
    for (name, count, shared) in rows {
        let service = real(&folder, name);
        let document = generate::openapi(service.definition());
        let same = operations(&document).filter(|(.., it)| it.get("x-same-route").is_some()).count();
        assert_eq!((operations(&document).count(), same), (count, shared), "{name}");
    }
}
