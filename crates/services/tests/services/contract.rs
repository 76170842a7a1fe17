//! The OpenAPI document is the contract of the server: each operation is found at its path, as the method that it describes.

use std::{fs, path::PathBuf};

use api::Router;
use planloom_services::Questions as _;
use serde_json::Value;
use workspace::{
    File, Workspace,
    view::{GeneratedArtifact, Role},
};

/// The specification with all types of fields and all forms of methods.
const EVERYTHING: &str = "../generate/tests/generate/everything.yaml";

fn workspace(text: String) -> Workspace {
    let mut workspace = Workspace::with(&[&planloom_services::REGISTRATION]);
    workspace.load(Box::new(planloom_services::Services));
    let files = vec![File { name: "everything.yaml".into(), text, package: None }];
    workspace.set_files_as(Role::Specification, files);
    workspace
}

/// An id for a variable of a path; that of `SecretKey` may contain `/`.
fn id(variable: &str) -> &str {
    if variable == "secret_key" { "a%2Fb" } else { "abc" }
}

fn filled(path: &str) -> String {
    let mut filled = String::new();
    let mut rest = path;
    while let Some((head, tail)) = rest.split_once('{') {
        let (variable, after) = tail.split_once('}').expect("the end of a variable");
        filled += head;
        filled += id(variable);
        rest = after;
    }
    filled + rest
}

#[test]
fn every_operation_is_a_method_of_the_server() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(EVERYTHING);
    let mut workspace = workspace(fs::read_to_string(path).expect("the specification"));
    let generated = workspace.generated(GeneratedArtifact::OpenApi);
    let file = generated.files.first().expect("a document");
    let document: Value = serde_json::from_str(&file.text).expect("JSON");
    let services = workspace.services();
    let router = Router::new(&services);
    let mut count = 0;
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (verb, operation) in operations.as_object().expect("operations") {
            let verb = http::Method::from_bytes(verb.to_uppercase().as_bytes()).expect("a method");
            let path = filled(path);
            let found = router.find(&verb, &path).unwrap_or_else(|miss| panic!("{verb} {path}: {miss:?}"));
            let api = &services.services[found.service].apis[found.api];
            let name = format!("example.everything.v1.{}/{}", api.name, api.methods[found.method].name);
            assert_eq!(operation["x-rpc"], name, "{verb} {path}");
            count += 1;
        }
    }
    assert_eq!(count, 80);
}
