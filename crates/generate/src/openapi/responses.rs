//! Responses of operations that succeed.

use serde_json::{Value, json};
use spec::StandardMethod;

use super::{REFS, operation::Operation, preview};

/// A JSON value a line.
pub(super) const NDJSON: &str = "application/x-ndjson";
const EVENTS: &str = "text/event-stream";

/// The answer 200.
pub(super) fn of(operation: Operation<'_>) -> Value {
    let message = message(operation);
    if operation.method.server_streaming {
        return stream(&message);
    }
    let is_resource = matches!(
        operation.method.standard,
        Some(StandardMethod::Get | StandardMethod::Create | StandardMethod::Update)
    );
    let message = match operation.method.standard {
        Some(StandardMethod::Delete) => {
            json!({"anyOf": [message, {"$ref": format!("{REFS}{}", preview::SCHEMA)}]})
        }
        _ => message,
    };
    let content = json!({"application/json": {"schema": message}});
    match is_resource && operation.has_version() {
        true => json!({"description": "The resource.", "headers": {"ETag": etag()}, "content": content}),
        false => json!({"description": description(operation), "content": content}),
    }
}

/// The answer 304, without a body.
pub(super) fn not_modified() -> Value {
    let text = "The client has this version of the resource already: `If-None-Match` lists it.";
    json!({"description": text, "headers": {"ETag": etag()}})
}

fn description(operation: Operation<'_>) -> &'static str {
    match operation.method.standard {
        Some(StandardMethod::Get | StandardMethod::Create | StandardMethod::Update) => "The resource.",
        Some(StandardMethod::Delete) => {
            "The resource is deleted, or will be; with `validateOnly`, what that would do."
        }
        Some(StandardMethod::BatchGet) => "The resources, and the names of those that do not exist.",
        Some(StandardMethod::List | StandardMethod::Search) => "A page of resources.",
        Some(StandardMethod::Watch | StandardMethod::WatchCollection) => "Changes.",
        None => "The response.",
    }
}

fn message(operation: Operation<'_>) -> Value {
    let name = &operation.method.response;
    match (operation.definition.message(name), &**name) {
        (Some(_), name) => json!({"$ref": format!("{REFS}{name}")}),
        (None, "google.protobuf.Empty") => json!({"type": "object", "additionalProperties": false}),
        (None, _) => json!({"type": "object"}),
    }
}

fn etag() -> Value {
    json!({
        "description": "The `metadata.resourceVersion` of the resource, in double quotes.",
        "schema": {"type": "string"},
    })
}

/// A stream is a list of messages, or of events whose data are messages.
fn stream(message: &Value) -> Value {
    let data = json!({"type": "string", "contentMediaType": "application/json", "contentSchema": message});
    let event = json!({
        "type": "object",
        "properties": {"data": data, "event": {"type": "string"}, "id": {"type": "string"}},
        "required": ["data"],
    });
    json!({
        "description": "A stream of messages: one a line, or one an event.",
        "content": {
            NDJSON: {"schema": {"type": "array", "items": message}},
            EVENTS: {"schema": {"type": "array", "items": event}},
        },
    })
}
