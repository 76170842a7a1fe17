//! Samples for unit tests.

use diag::Span;
use model::{Dependency, DesiredResource, EdgeKind, Origin, Pointer, Value};
use protocol::Resource;
use serde_json::{Map, Value as Json};
use state::to_value;

/// A value as it was recorded; marks in it are sensitive.
pub(crate) fn value(json: &Json) -> Value {
    to_value(json, Origin::Recorded)
}

/// A value that must not be shown.
pub(crate) fn sensitive(json: &Json) -> Value {
    Value { sensitive: true, ..value(json) }
}

pub(crate) fn map(json: Json) -> Map<String, Json> {
    match json {
        Json::Object(map) => map,
        other => panic!("{other} is no map"),
    }
}

/// A desired resource with these dependencies.
pub(crate) fn desired(address: &str, kind: &str, spec: &Json, needs: &[&str]) -> DesiredResource {
    let dependency = |to: &&str| Dependency {
        to: to.parse().expect("an address"),
        kind: EdgeKind::DependsOn,
        path: Pointer::root(),
        takes: None,
        span: Span::default(),
    };
    DesiredResource {
        address: address.parse().expect("an address"),
        kind: kind.into(),
        spec: value(spec),
        templates: [].into(),
        declared: Span::default(),
        dependencies: needs.iter().map(dependency).collect(),
        links: Vec::new(),
        packages: Vec::new(),
    }
}

/// The service `one` as an adapter reports it, with additional fields.
pub(crate) fn sample_resource(more: Json) -> Resource {
    let mut resource = map(serde_json::json!({"kind": "service", "id": "one", "phase": "active"}));
    resource.extend(map(more));
    serde_json::from_value(Json::Object(resource)).expect("a resource")
}
