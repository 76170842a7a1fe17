//! The answer to a deletion with `validateOnly`.

use serde_json::{Value, json};

/// The name of the schema of previews. Names of messages begin with a capital letter and have no `-`.
pub(super) const SCHEMA: &str = "deletion-preview";

/// The schema: what `integrity::DeletionPreview` is as JSON.
pub(super) fn schema() -> Value {
    let list = |item: &Value, text: &str| json!({"type": "array", "items": item, "description": text});
    let (named, effects) = (named(), effects());
    let blocker = object(&json!({"target": named, "referrer": named, "field": {"type": "string"}}));
    let mut step = effects.clone();
    step["resource"] = named.clone();
    let stuck = object(&json!({"resource": named, "blocked_by": list(&blocker, "What forbids it.")}));
    let mut properties = json!({
        "roots": list(&named, "What is to be deleted."),
        "not_found": list(&named, "Those of them that do not exist; the deletion is refused if there are any."),
        "blocked_by": list(&blocker, "What forbids it; the deletion is refused if there is anything."),
        "transaction": object(&effects),
        "waves": list(&list(&object(&step), "What can happen at the same time."), "What follows."),
        "stuck": list(&stuck, "What should follow, but is blocked."),
        "still_deleting": list(&named, "The resources that stay `DELETING`."),
        "warnings": list(&json!({"type": "object"}), "What is doubtful."),
        "graph": graph(&named),
    });
    let required: Vec<String> =
        properties.as_object().into_iter().flat_map(|it| it.keys().cloned()).collect();
    properties["hidden"] = hidden();
    json!({
        "description": "What a deletion would do: in its transaction, and afterwards in waves.",
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

/// An object that has all these properties and no others.
fn object(properties: &Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(|it| it.keys()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn named() -> Value {
    let kind = json!({"type": "string", "description": "Its kind: `service/Kind`."});
    let name = json!({"type": "string", "description": "Its name; empty where the caller may not see it."});
    object(&json!({"kind": kind, "name": name}))
}

fn effects() -> Value {
    let named = named();
    let cleared = object(&json!({"referrer": named, "field": {"type": "string"}, "target": named}));
    json!({
        "removed": {"type": "array", "items": named},
        "deleting": {"type": "array", "items": named},
        "cleared": {"type": "array", "items": cleared},
    })
}

fn graph(named: &Value) -> Value {
    let mut node = named["properties"].clone();
    node["role"] = json!({"enum": ["root", "removed", "deleting", "stuck", "blocker", "cleared"]});
    node["wave"] = json!({"type": ["integer", "null"], "minimum": 0});
    let text = json!({"type": "string"});
    let edge = object(&json!({"from": named, "to": named, "field": text, "behavior": text}));
    object(&json!({
        "nodes": {"type": "array", "items": object(&node)},
        "edges": {"type": "array", "items": edge},
    }))
}

fn hidden() -> Value {
    let count = json!({"type": "integer", "minimum": 0});
    let mut hidden = object(&json!({"resources": count, "blockers": count, "message": {"type": "string"}}));
    hidden["description"] =
        json!("What is left out because the caller may not see it; absent if nothing is.");
    hidden
}
