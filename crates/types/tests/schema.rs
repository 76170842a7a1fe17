//! The exported JSON Schema, judged by a validator that others wrote.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use planloom_types::{Types, json_schema};
use serde_json::{Value as Json, json};

/// Reads `{"schema": …, "documents": […]}` and writes one list of messages for each document.
const VALIDATOR: &str = "
import json, sys
from jsonschema import Draft202012Validator as V
given = json.load(sys.stdin)
V.check_schema(given['schema'])
validator = V(given['schema'])
json.dump([[e.message for e in validator.iter_errors(d)] for d in given['documents']], sys.stdout)
";

/// The messages of the validator for each document; `None` where Python or `jsonschema` is not installed.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn validate(documents: &[Json]) -> Option<Vec<Vec<String>>> {
    let has_validator =
        Command::new("python3").args(["-c", "import jsonschema"]).stderr(Stdio::null()).status();
    if !has_validator.is_ok_and(|status| status.success()) {
        eprintln!("skipped: Python with `jsonschema` is not installed");
        return None;
    }
    let schema: Json = serde_json::from_str(&json_schema(&Types::builtin())).expect("the schema is JSON");
    let mut python = Command::new("python3");
    let mut python =
        python.args(["-c", VALIDATOR]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python");
    let input = json!({"schema": schema, "documents": documents}).to_string();
    python.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("python reads");
    let output = python.wait_with_output().expect("python ends");
    Some(serde_json::from_slice(&output.stdout).expect("python answers with JSON"))
}

fn service(fields: Json) -> Json {
    let mut service = json!({"payload": "p"});
    service.as_object_mut().expect("a map").extend(fields.as_object().expect("a map").clone());
    json!({"payloads": {"p": {"runtime": "vm"}}, "services": {"web": service}})
}

#[test]
fn good_documents_are_accepted() {
    let documents = [
        json!({}),
        json!({"meta": {"name": "shop", "homepage": "x"}, "schema": "s", "x-note": [1]}),
        json!({"version": "0.0.1", "nodes": {"web": {"payload": "p", "entrypoint": [["/a"]]}}}),
        service(json!({"instances": 2, "labels": {"tier": 1}, "depends_on": ["db"], "x-team": "data"})),
        service(
            json!({"http_proxy": {"ports": ["80", "8080:80", 80, {"remote_port": 80}]}, "ip": ["10.0.0.2"]}),
        ),
        service(json!({"init": ["/a", "b"]})),
        service(json!({"init": [["/a"], {"run": ["/a"]}, {"run": {"args": ["/a"], "env": {"A": "b"}}}]})),
        service(json!({"init": [{"cmd": "run", "params": {"args": ["/a"]}}]})),
        service(json!({"instances": "${payloads.p.params.n}", "ip": "${payloads.p.params.ips}"})),
        json!({"payloads": {"p": {"runtime": "vm", "constraints": ["a>1"], "params": {"own": 1}}}}),
        json!({"payloads": {"p": {"runtime": "vm", "constraints": {"golem.inf.cpu.cores": 2}}}}),
        json!({"networks": {"lan": {"ip": "10.0.0.1/24"}, "old": {"mask": "10.0.0.1/24"}, "none": {}}}),
    ];
    let Some(found) = validate(&documents) else { return };
    for (document, messages) in documents.iter().zip(&found) {
        assert!(messages.is_empty(), "{document} {messages:?}");
    }
    assert_eq!(found.len(), documents.len());
}

#[test]
fn bad_documents_are_refused() {
    let documents = [
        json!([]),
        json!({"volumes": {}}),
        json!({"payloads": {"p": {"params": {}}}}),
        json!({"services": {"web": {}}}),
        service(json!({"replicas": 2})),
        service(json!({"instances": -1})),
        service(json!({"instances": "two"})),
        service(json!({"ip": "10.0.0.2"})),
        service(json!({"ip": ["ten"]})),
        service(json!({"labels": ["a"]})),
        service(json!({"http_proxy": {"ports": ["80/tcp"]}})),
        service(json!({"http_proxy": {"ports": [0]}})),
        service(json!({"http_proxy": {}})),
        service(json!({"init": "/a"})),
        service(json!({"depends_on": "db"})),
        json!({"networks": {"lan": {"ip": "lan"}}}),
        json!({"meta": {"name": ["a"]}}),
    ];
    let Some(found) = validate(&documents) else { return };
    for (document, messages) in documents.iter().zip(&found) {
        assert!(!messages.is_empty(), "{document}");
    }
    assert_eq!(found.len(), documents.len());
}

#[test]
fn it_says_what_the_definitions_say() {
    let schema: Json = serde_json::from_str(&json_schema(&Types::builtin())).expect("the schema is JSON");
    let at = |pointer: &str| schema.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(at("/$schema"), "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(at("/additionalProperties"), false);
    assert_eq!(at("/properties/nodes/deprecated"), true);
    assert_eq!(at("/$defs/network/properties/ip/default"), "192.168.0.0/24");
    assert_eq!(at("/$defs/network/properties/network_id/readOnly"), true);
    assert_eq!(at("/$defs/payload/properties/params/anyOf/0/additionalProperties"), true);
    assert_eq!(at("/$defs/meta/additionalProperties"), true);
    let kinds = Types::builtin().kinds;
    for kind in &kinds {
        for field in &kind.fields {
            let pointer = format!("/$defs/{}/properties/{}/description", kind.kind, field.name);
            assert_eq!(at(&pointer), *field.doc, "{pointer}");
        }
    }
}
