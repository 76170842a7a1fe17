//! JSON Schema of resources.

use serde_json::{Map, Value, json};
use spec::Kind;

use crate::{
    Definition,
    schemas::{Schemas, reachable},
};

const REFS: &str = "#/$defs/";

/// The JSON Schema (2020-12) of the resources of a service: a document is valid if it is one of them.
pub fn json_schema(it: Definition<'_>) -> Value {
    let title = format!("Resources of {} {}", it.service.name, it.service.version);
    let kinds = it.service.kinds.iter().filter(|kind| it.message(&kind.name).is_some());
    let any: Vec<Value> = kinds.map(|kind| json!({"$ref": format!("{REFS}{}", kind.name)})).collect();
    let rule = if any.is_empty() { Map::new() } else { Map::from_iter([("anyOf".to_owned(), json!(any))]) };
    document(it, title, rule)
}

/// The JSON Schema (2020-12) of the resources of a kind; `None` if the service has no such kind.
pub fn json_schema_of(it: Definition<'_>, kind: &str) -> Option<Value> {
    let kind: &Kind = it.service.kinds.iter().find(|known| &*known.name == kind)?;
    let rule = Map::from_iter([("$ref".to_owned(), json!(format!("{REFS}{}", kind.name)))]);
    Some(document(it, format!("{} of {} {}", kind.name, it.service.name, it.service.version), rule))
}

fn document(it: Definition<'_>, title: String, rule: Map<String, Value>) -> Value {
    let schemas = Schemas { schema: it.schema, refs: REFS, requires: true };
    let mut document = Map::new();
    document.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    document.insert("title".to_owned(), json!(title));
    let root = Value::Object(rule.clone());
    document.extend(rule);
    document.insert("$defs".to_owned(), Value::Object(reachable(schemas.all(), REFS, &[&root])));
    Value::Object(document)
}
