//! The answer to a deletion with `validateOnly`.

use serde_json::{Map, Value, json};

/// The name of the schema of previews. Names of messages begin with a capital letter and have no `-`.
pub(super) const SCHEMA: &str = "deletion-preview";

/// Properties of an object, in order.
type Properties = Vec<(&'static str, Value)>;

/// The schema: what `integrity::DeletionPreview` is as JSON.
pub(super) fn schema() -> Value {
    let about = "What a deletion would do: in its transaction, and afterwards in waves.";
    let step = object([("resource", named())].into_iter().chain(effects()).collect());
    let wave = list(step, "What can happen at the same time.");
    let properties = vec![
        ("roots", list(named(), "What is to be deleted.")),
        (
            "not_found",
            list(named(), "Those of them that do not exist; the deletion is refused if there are any."),
        ),
        ("blocked_by", list(blocker(), "What forbids it; the deletion is refused if there is anything.")),
        ("transaction", object(effects())),
        ("waves", list(wave, "What follows.")),
        ("stuck", list(stuck(), "What should follow, but is blocked.")),
        ("still_deleting", list(named(), "The resources that stay `DELETING`.")),
        ("warnings", list(json!({"type": "object"}), "What is doubtful.")),
        ("graph", graph()),
    ];
    described(about, with_optional(object(properties), "hidden", hidden()))
}

/// An object that has all these properties and no others.
fn object(properties: Properties) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, it)| (name.to_owned(), it)).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// The object with one more property, which it may lack.
fn with_optional(mut object: Value, name: &str, property: Value) -> Value {
    if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(name.to_owned(), property);
    }
    object
}

fn described(text: &str, mut schema: Value) -> Value {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), json!(text));
    }
    schema
}

fn list(items: Value, text: &str) -> Value {
    json!({"type": "array", "items": items, "description": text})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn names() -> Properties {
    let kind = described("Its kind: `service/Kind`.", text());
    let name = described("Its name; empty where the caller may not see it.", text());
    vec![("kind", kind), ("name", name)]
}

fn named() -> Value {
    object(names())
}

fn blocker() -> Value {
    object(vec![("target", named()), ("referrer", named()), ("field", text())])
}

fn stuck() -> Value {
    object(vec![("resource", named()), ("blocked_by", list(blocker(), "What forbids it."))])
}

fn effects() -> Properties {
    let cleared = object(vec![("referrer", named()), ("field", text()), ("target", named())]);
    vec![
        ("removed", list(named(), "The resources that are removed.")),
        ("deleting", list(named(), "The resources that become `DELETING`.")),
        ("cleared", list(cleared, "The references that are cleared.")),
    ]
}

fn graph() -> Value {
    let role = json!({"enum": ["root", "removed", "deleting", "stuck", "blocker", "cleared"]});
    let wave = json!({"type": ["integer", "null"], "minimum": 0});
    let node = object(names().into_iter().chain([("role", role), ("wave", wave)]).collect());
    let edge = object(vec![("from", named()), ("to", named()), ("field", text()), ("behavior", text())]);
    object(vec![
        ("nodes", list(node, "The resources that it is about.")),
        ("edges", list(edge, "How they depend on each other.")),
    ])
}

fn hidden() -> Value {
    let count = || json!({"type": "integer", "minimum": 0});
    let hidden = object(vec![("resources", count()), ("blockers", count()), ("message", text())]);
    described("What is left out because the caller may not see it; absent if nothing is.", hidden)
}
