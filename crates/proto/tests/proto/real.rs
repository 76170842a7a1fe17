//! Files of real services say what the real toolchain reads in them.

use planloom_proto::{Package, Protos, Resource, TypedFields};
use serde_json::{Value, json};

use crate::support::{expected, folder, read_all};

/// The options of a resource that are compared. Both forms of the files lack `ntt.annotations.*`, so `audit` and `iam_checks`
/// are compared in a test of their own.
const RESOURCE: [&str; 21] = [
    "name",
    "type",
    "patterns",
    "plural_annotation",
    "collection",
    "parents",
    "scope_attributes",
    "id_pattern",
    "creation_id_pattern",
    "on_parent_deleted_behavior",
    "async_deletion",
    "disable_standard_access",
    "disable_db_constraints",
    "pager",
    "sync_type",
    "views",
    "search",
    "indices",
    "cache",
    "has_name",
    "has_metadata",
];

/// Each resource that was read, with what is expected of it.
fn resources<'a>(protos: &'a Protos, expected: &'a [Value]) -> Vec<(&'a str, &'a Resource, &'a Value)> {
    let mut pairs = Vec::new();
    for (name, package) in &protos.packages {
        for resource in &package.resources {
            pairs.push((&**name, resource, find(expected, name, "resources", &resource.name)));
        }
    }
    pairs
}

fn find<'a>(expected: &'a [Value], package: &str, list: &str, name: &str) -> &'a Value {
    let service = expected.iter().find(|it| it["package"] == package).expect("a package");
    let mut elements = service[list].as_array().expect("a list").iter();
    elements.find(|it| it["name"] == name).unwrap_or_else(|| panic!("{package} {name}"))
}

#[test]
fn options_of_resources_are_those_of_the_real_toolchain() {
    let (Some(files), Some(expected)) = (folder("protos/annotated", ".proto"), expected()) else { return };
    let (protos, found) = read_all(&files);
    assert_eq!(found, [""; 0]);
    let pairs = resources(&protos, &expected);
    assert_eq!(pairs.len(), 11);
    for (_, resource, expected) in pairs {
        assert!(resource.is_annotated);
        let actual = serde_json::to_value(resource).expect("JSON");
        for key in RESOURCE.into_iter().chain(["is_policy_holder"]) {
            assert_eq!(actual[key], expected[key], "{} {key}", resource.name);
        }
    }
}

/// Files as they are published have no options of Goten.
#[test]
fn types_and_patterns_of_published_resources_are_those_of_the_real_toolchain() {
    let (Some(files), Some(meta)) =
        (folder("protos/published", ".proto"), folder("goten-sdk/meta-service/proto/v1", ".proto"))
    else {
        return;
    };
    let (protos, found) = read_all(&[files, meta].concat());
    assert_eq!(found, [""; 0]);
    let expected = expected().expect("documents");
    let pairs = resources(&protos, &expected);
    assert_eq!(pairs.len(), 11 + 4);
    for (_, resource, expected) in pairs {
        assert!(!resource.is_annotated);
        let actual = serde_json::to_value(resource).expect("JSON");
        for key in ["name", "type", "patterns", "has_name", "has_metadata"] {
            assert_eq!(actual[key], expected[key], "{} {key}", resource.name);
        }
    }
}

/// References and names that are below messages of files that are not given (`common.proto` of the services ai, alerting and
/// limits), so that they cannot be read.
const UNREAD: [&str; 12] = [
    "Conversation turns[].config.connectors.connector",
    "Conversation turns[].available_tools_by_source[].connector.connector_name",
    "Conversation failed_turns[].config.connectors.connector",
    "Conversation failed_turns[].available_tools_by_source[].connector.connector_name",
    "Conversation replaced_turn_groups[].turns[].config.connectors.connector",
    "Conversation replaced_turn_groups[].turns[].available_tools_by_source[].connector.connector_name",
    "Policy spec.resource_identity.alerting_resource",
    "AcceptedPlan regional_plan_overrides[].plan",
    "AcceptedPlan extensions[].resource",
    "AcceptedPlan allowances[].resource",
    "PlanAssignmentRequest request.assign.extensions[].resource",
    "PlanAssignmentRequest request.extend.additions[].resource",
];

#[test]
fn references_and_names_are_those_of_the_real_toolchain() {
    let (Some(files), Some(expected)) = (folder("protos/annotated", ".proto"), expected()) else { return };
    let (protos, _) = read_all(&files);
    let (mut compared, mut unread) = (0, Vec::new());
    for (package, resource, expected) in resources(&protos, &expected) {
        let typed = protos.typed_fields(package, &resource.name);
        assert!(!typed.is_cut);
        for (key, actual) in [("references", json!(typed.references)), ("names", json!(typed.names))] {
            let expected = expected[key].as_array().expect("a list").iter().cloned();
            let (below, known): (Vec<_>, Vec<_>) = expected.partition(|it| is_below_unread(it, &typed));
            compared += known.len();
            assert_eq!(actual, Value::from(known), "{} {key}", resource.name);
            unread.extend(
                below.iter().map(|it| format!("{} {}", resource.name, it["path"].as_str().expect("a path"))),
            );
        }
    }
    assert_eq!((compared, &*unread), (28, &UNREAD.map(str::to_owned)[..]));
}

fn is_below_unread(entry: &Value, typed: &TypedFields) -> bool {
    let path = entry["path"].as_str().expect("a path");
    let is_below = |unread: &str| path.strip_prefix(unread).is_some_and(|it| it.starts_with(['.', '[', '{']));
    typed.unread.iter().any(|it| is_below(&it.path))
}

#[test]
fn methods_are_those_of_the_real_toolchain() {
    let Some(expected) = expected() else { return };
    let mut count = 0;
    for form in ["annotated", "published"] {
        let Some(files) = folder(&format!("protos/{form}"), ".proto") else { return };
        let (protos, _) = read_all(&files);
        for (name, package) in &protos.packages {
            count += methods(name, package, &expected, form == "annotated");
        }
    }
    let Some(files) = folder("goten-sdk/meta-service/proto/v1", ".proto") else { return };
    let (protos, found) = read_all(&files);
    assert_eq!(found, [""; 0]);
    count += methods("goten.meta.v1", &protos.packages["goten.meta.v1"], &expected, false);
    assert_eq!(count, 9 + 9 + 37);
}

/// Compares the methods of a package; files as they are published have only the HTTP rules.
fn methods(name: &str, package: &Package, expected: &[Value], has_options: bool) -> usize {
    let mut count = 0;
    for api in &package.apis {
        let expected = find(expected, name, "apis", &api.name);
        let methods = expected["methods"].as_array().expect("methods");
        assert_eq!(expected["default_host"], *api.default_host);
        assert_eq!(methods.len(), api.methods.len());
        for (method, expected) in api.methods.iter().zip(methods) {
            let actual = serde_json::to_value(method).expect("JSON");
            let actual = actual.as_object().expect("an object").iter();
            let is_compared = |key: &str| has_options || SYNTAX.contains(&key);
            for (key, value) in actual.filter(|it| is_compared(it.0)) {
                assert_eq!(*value, expected[key], "{name} {} {key}", method.name);
            }
            count += 1;
        }
    }
    count
}

/// The values that a method has without options of Goten.
const SYNTAX: [&str; 6] = ["name", "request", "response", "client_streaming", "server_streaming", "http"];
