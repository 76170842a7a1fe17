use std::collections::{BTreeMap, BTreeSet};

use model::Phase;
use planloom_protocol::{
    Batch, Code, Description, Endpoint, Feature, Operation, Page, Problem, Progress, Resource, ResourceBody,
    ResourceId, Timeouts, Verb, Violation, openapi,
};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::schema::wrong;

fn map(value: Json) -> Map<String, Json> {
    value.as_object().cloned().unwrap()
}

fn id() -> ResourceId {
    ResourceId::new("service", "abcdefghijklmnopqrstuvwxyz")
}

fn resource() -> Resource {
    Resource {
        id: id(),
        deployment: "lineage".into(),
        deployment_name: "shop".into(),
        address: "services.web".into(),
        generation: 2,
        phase: Phase::Active,
        identity: map(json!({ "pid": 7 })),
        spec: map(json!({ "labels": {} })),
        outputs: map(json!({ "state": "running" })),
        spec_hash: "sha256:0".into(),
        message: Some("well".into()),
        etag: Some("\"1\"".into()),
    }
}

fn problem() -> Problem {
    Problem {
        resource_usable: Some(false),
        op: Some("1".into()),
        ..Problem::new(Code::InvalidSpec, "no").at("/a", "why")
    }
}

fn operation() -> Operation {
    Operation {
        op: "1".into(),
        verb: Verb::Create,
        id: id(),
        done: true,
        progress: Some(progress()),
        resource: Some(Box::new(resource())),
        problem: Some(Box::new(problem())),
    }
}

fn progress() -> Progress {
    Progress { percent: Some(50), message: "half".into() }
}

fn body() -> ResourceBody {
    let spec = map(json!({ "a": [1, null] }));
    ResourceBody {
        deployment: "lineage".into(),
        deployment_name: "shop".into(),
        address: "services.web".into(),
        generation: 1,
        spec,
    }
}

fn description() -> Description {
    Description {
        protocol: 1,
        name: "process".into(),
        version: "0.1.0".into(),
        instance: "0123456789abcdef".into(),
        features: Feature::ALL.iter().map(|it| it.as_str().into()).collect(),
        types: BTreeMap::from([("service".to_owned(), Json::Null), ("x".to_owned(), json!({ "doc": "" }))]),
        accepts: BTreeMap::from([(
            "service".to_owned(),
            BTreeMap::from([("/payload/runtime".to_owned(), vec!["process".to_owned()])]),
        )]),
        max_in_flight: 4,
        timeouts: Timeouts { create: 1, update: 2, destroy: 3 },
    }
}

/// A value of each type with every field set, by the name of its schema.
fn examples() -> BTreeMap<&'static str, Json> {
    fn json(value: impl Serialize) -> Json {
        serde_json::to_value(value).unwrap()
    }
    let violation = Violation { pointer: "/a".into(), detail: "why".into() };
    BTreeMap::from([
        ("ResourceId", json(id())),
        ("Ids", json!({ "ids": [id()] })),
        ("ResourceBody", json(body())),
        ("Resource", json(resource())),
        ("Batch", json(Batch { items: vec![resource()], missing: vec![id()] })),
        ("Page", json(Page { items: vec![resource()], next: Some("service/x".into()) })),
        ("Progress", json(progress())),
        ("Operation", json(operation())),
        ("Violation", json(violation)),
        ("Problem", json(problem())),
        ("Timeouts", json(description().timeouts)),
        ("Description", json(description())),
        ("Document", openapi(&description())),
    ])
}

#[test]
fn every_type_is_of_its_schema_field_by_field() {
    let document = openapi(&description());
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let examples = examples();
    assert_eq!(
        schemas.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        examples.keys().copied().collect()
    );
    for (name, example) in &examples {
        assert_eq!(wrong(&document, &schemas[*name], example), None, "{name}");
        let Some(properties) = schemas[*name].get("properties").and_then(Json::as_object) else { continue };
        let described: BTreeSet<_> = properties.keys().collect();
        let written: BTreeSet<_> = example.as_object().unwrap().keys().collect();
        assert_eq!(described, written, "{name}");
    }
}

#[test]
fn openapi_required_fields_match_the_types() {
    fn reads(name: &str, value: &Json) -> bool {
        let text = value.to_string();
        match name {
            "ResourceId" => serde_json::from_str::<ResourceId>(&text).is_ok(),
            "ResourceBody" => serde_json::from_str::<ResourceBody>(&text).is_ok(),
            "Resource" => serde_json::from_str::<Resource>(&text).is_ok(),
            "Batch" => serde_json::from_str::<Batch>(&text).is_ok(),
            "Page" => serde_json::from_str::<Page>(&text).is_ok(),
            "Progress" => serde_json::from_str::<Progress>(&text).is_ok(),
            "Operation" => serde_json::from_str::<Operation>(&text).is_ok(),
            "Violation" => serde_json::from_str::<Violation>(&text).is_ok(),
            "Problem" => serde_json::from_str::<Problem>(&text).is_ok(),
            "Timeouts" => serde_json::from_str::<Timeouts>(&text).is_ok(),
            "Description" => serde_json::from_str::<Description>(&text).is_ok(),
            other => panic!("{other}"),
        }
    }
    let document = openapi(&description());
    let schemas = &document["components"]["schemas"];
    let mut tried = 0;
    for (name, example) in examples().iter().filter(|(name, _)| !matches!(**name, "Ids" | "Document")) {
        for field in example.as_object().unwrap().keys() {
            let mut without = example.clone();
            without.as_object_mut().unwrap().shift_remove(field);
            let fits = wrong(&document, &schemas[*name], &without).is_none();
            assert_eq!(fits, reads(name, &without), "{name} without {field}");
            let mut other = example.clone();
            other[field] = json!([[]]);
            // A schema that allows everything has no example of a wrong type.
            let is_wrong = wrong(&document, &schemas[*name], &other).is_some();
            assert!(is_wrong && !reads(name, &other), "{name} with another {field}");
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

#[test]
fn every_line_of_the_protocol_is_there_once() {
    let document = openapi(&description());
    let mut names = BTreeSet::new();
    for endpoint in Endpoint::ALL {
        let method = endpoint.method().as_str().to_lowercase();
        let operation = &document["paths"][endpoint.path()][&method];
        assert_eq!(operation["operationId"], endpoint.as_str());
        assert!(names.insert(endpoint.as_str()));
        let named = endpoint.path().matches('{').count();
        let parameters = operation["parameters"].as_array().unwrap();
        assert_eq!(parameters.iter().filter(|it| it["in"] == "path").count(), named, "{endpoint:?}");
        assert_eq!(operation["responses"]["default"]["content"].as_object().unwrap().len(), 1);
        assert!(operation["responses"].as_object().unwrap().len() > 2, "{endpoint:?}");
    }
    let methods = document["paths"].as_object().unwrap().values().map(|it| it.as_object().unwrap().len());
    assert_eq!(methods.sum::<usize>(), Endpoint::ALL.len());
}

#[test]
fn every_reference_exists_and_kinds_are_listed() {
    fn references<'d>(value: &'d Json, found: &mut Vec<&'d str>) {
        match value {
            Json::Object(fields) => fields.iter().for_each(|(name, value)| match value.as_str() {
                Some(to) if name == "$ref" => found.push(to),
                _ => references(value, found),
            }),
            Json::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let document = openapi(&description());
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 30);
    for to in found {
        assert!(document.pointer(to.trim_start_matches('#')).is_some(), "{to}");
    }
    let kind = &document["paths"]["/v1/resources/{kind}/{id}"]["get"]["parameters"][0];
    assert_eq!((&kind["name"], &kind["schema"]["enum"]), (&json!("kind"), &json!(["service", "x"])));
}

#[test]
fn the_checker_notices_what_is_wrong() {
    let document = openapi(&description());
    let schema = &document["components"]["schemas"]["Operation"];
    for (change, value) in [
        ("/verb", json!("explode")),
        ("/id", json!("")),
        ("/done", json!("yes")),
        ("/progress/percent", json!(101)),
        ("/resource/phase", json!("well")),
        ("/resource/generation", json!(-1)),
        ("/problem/violations/0/pointer", json!(1)),
    ] {
        let mut example = serde_json::to_value(operation()).unwrap();
        *example.pointer_mut(change).unwrap() = value;
        assert!(wrong(&document, schema, &example).is_some(), "{change}");
    }
}
