//! The OpenAPI document of each endpoint.

use planloom_protocol::{Description, Endpoint, openapi};
use serde_json::{Value as Json, json};

fn document() -> Json {
    let description: Description =
        serde_json::from_value(json!({"protocol": 1, "name": "process", "types": {}})).unwrap();
    openapi(&description)
}

/// The parameters besides the path; `!` marks required ones.
fn sent(operation: &Json) -> String {
    let parameters = operation["parameters"].as_array().unwrap();
    let mut all: Vec<String> = parameters
        .iter()
        .filter(|it| it["in"] != "path" && it["name"] != "adapter-protocol")
        .map(|it| {
            format!("{}{}", it["name"].as_str().unwrap(), if it["required"] == true { "!" } else { "" })
        })
        .collect();
    if let Some(body) = operation.get("requestBody") {
        all.push(schema(body));
    }
    all.join(" ")
}

/// The successful responses, with an ETag as `201 Resource+`, without as `201 Resource`.
fn answered(operation: &Json) -> String {
    let responses = operation["responses"].as_object().unwrap();
    let well = responses.iter().filter(|(status, _)| status.starts_with('2')).map(|(status, it)| {
        let tag = if it["headers"].get("ETag").is_some() { "+" } else { "" };
        format!("{status} {}{tag}", schema(it)).trim().to_owned()
    });
    let mut well: Vec<String> = well.collect();
    well.sort();
    well.join(", ")
}

fn schema(of: &Json) -> String {
    let content = of["content"].as_object().and_then(|it| it.values().next());
    let to = content.and_then(|it| it["schema"]["$ref"].as_str()).unwrap_or_default();
    to.rsplit('/').next().unwrap_or_default().to_owned()
}

fn check(endpoint: Endpoint, expected: [&str; 3]) {
    let document = document();
    let method = endpoint.method().as_str().to_lowercase();
    let operation = &document["paths"][endpoint.path()][&method];
    let documented =
        [operation["summary"].as_str().unwrap().to_owned(), sent(operation), answered(operation)];
    assert_eq!(documented, expected, "{endpoint:?}");
}

#[test]
fn each_endpoint_documents_requests_and_responses() {
    use Endpoint as E;
    check(E::Describe, ["The adapter and the kinds that it supports", "", "200 Description"]);
    check(E::OpenApi, ["This document", "", "200 Document"]);
    check(E::Read, ["Read a resource", "", "200 Resource+"]);
    check(
        E::Create,
        ["Create a resource", "idempotency-key! ResourceBody", "200 Resource+, 201 Resource+, 202 Operation"],
    );
    check(
        E::Update,
        [
            "Change a resource in place",
            "idempotency-key! if-match ResourceBody",
            "200 Resource+, 202 Operation",
        ],
    );
    check(E::Destroy, ["Destroy a resource", "idempotency-key! if-match deployment", "202 Operation, 204"]);
    check(E::BatchRead, ["Read several resources", "Ids", "200 Batch"]);
    check(
        E::List,
        ["List the resources of a deployment", "deployment deployment_name except page", "200 Page"],
    );
    check(E::Operation, ["Read the progress of an operation", "prefer", "200 Operation"]);
    check(E::Cancel, ["Cancel an operation", "", "204"]);
}

/// The codes are listed, so that a reader finds them.
#[test]
fn each_status_names_its_problems() {
    let document = document();
    let responses = &document["paths"]["/v1/resources/{kind}/{id}"]["delete"]["responses"];
    let named: Vec<(&str, &str)> = responses
        .as_object()
        .unwrap()
        .iter()
        .filter(|(status, _)| status.starts_with('4'))
        .map(|(status, it)| (status.as_str(), it["description"].as_str().unwrap()))
        .collect();
    assert_eq!(
        named,
        [
            ("400", "`key_missing`, `bad_request`"),
            ("401", "`unauthorized`"),
            ("403", "`forbidden`, `other_lineage`"),
            ("404", "`not_found`"),
            ("409", "`exists_differently`, `rebuild_required`, `operation_pending`, `not_cancellable`"),
            ("410", "`gone`"),
            ("412", "`stale`, `unsupported_protocol`"),
            ("429", "`busy`"),
        ]
    );
}
