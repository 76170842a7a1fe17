use serde_json::{Value as Json, json};

use crate::{Code, Feature};

/// The types of this crate as JSON Schema 2020-12. Unknown fields are ignored everywhere, as in the types.
pub(super) fn schemas() -> Json {
    json!({
        "ResourceId": object(&["kind", "id"], json!({ "kind": text(), "id": id() })),
        "Ids": object(&["ids"], json!({ "ids": list("ResourceId") })),
        "ResourceBody": resource_body(),
        "Resource": resource(),
        "Batch": object(&["items"], json!({ "items": list("Resource"), "missing": list("ResourceId") })),
        "Page": object(&["items"], json!({ "items": list("Resource"), "next": text() })),
        "Progress": object(&[], json!({
            "percent": { "type": "integer", "minimum": 0, "maximum": 100 },
            "message": text(),
        })),
        "Operation": operation(),
        "Violation": object(&["pointer", "detail"], json!({
            "pointer": described("RFC 6901, into the spec that was sent."),
            "detail": text(),
        })),
        "Problem": problem(),
        "Timeouts": object(&[], json!({ "create": whole(), "update": whole(), "destroy": whole() })),
        "Description": description(),
        "Document": { "type": "object", "required": ["openapi"] },
    })
}

fn resource_body() -> Json {
    object(
        &["deployment", "address", "spec"],
        json!({
            "deployment": described("The deployment's lineage."),
            "deployment_name": described("The deployment's name; others may have the same."),
            "address": described("Its address there, e.g. `services.web`."),
            "generation": generation(),
            "spec": map(),
        }),
    )
}

fn resource() -> Json {
    object(
        &["kind", "id", "phase"],
        json!({
            "kind": text(),
            "id": id(),
            "deployment": described("The lineage of the deployment that it was created for."),
            "deployment_name": text(),
            "address": text(),
            "generation": generation(),
            "phase": { "type": "string", "enum": ["pending", "active", "terminated"] },
            "identity": map(),
            "spec": map(),
            "outputs": map(),
            "spec_hash": described("`sha256:` of the last requested spec, as JSON with sorted keys and no spaces."),
            "message": text(),
            "etag": text(),
        }),
    )
}

fn operation() -> Json {
    object(
        &["op", "verb", "kind", "id", "done"],
        json!({
            "op": text(),
            "verb": { "type": "string", "enum": ["create", "update", "destroy"] },
            "kind": text(),
            "id": id(),
            "done": { "type": "boolean" },
            "progress": reference("Progress"),
            "resource": reference("Resource"),
            "problem": reference("Problem"),
        }),
    )
}

fn problem() -> Json {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    object(
        &[],
        json!({
            "type": text(),
            "title": text(),
            "status": { "type": "integer", "minimum": 0, "maximum": 65535 },
            "detail": text(),
            "code": { "type": "string", "examples": codes },
            "retryable": { "type": "boolean" },
            "violations": list("Violation"),
            "resource_usable": { "type": "boolean" },
            "op": text(),
        }),
    )
}

fn description() -> Json {
    let features: Vec<&str> = Feature::ALL.iter().map(|feature| feature.as_str()).collect();
    object(
        &["protocol", "name", "types"],
        json!({
            "protocol": whole(),
            "name": text(),
            "version": text(),
            "instance": described("The id of this adapter instance; it stays the same while the adapter knows \
                              the resources it created."),
            "features": { "type": "array", "items": { "type": "string", "examples": features } },
            "types": {
                "type": "object",
                "description": "By kind: its definition (`planloom.types/1`), or null for a built-in kind \
                                without changes.",
                "additionalProperties": true,
            },
            "accepts": {
                "type": "object",
                "description": "By kind and by JSON pointer of an attribute: lists of the texts that are accepted there. \
                                Attributes that are not named are not restricted.",
                "additionalProperties": true,
            },
            "max_in_flight": whole(),
            "timeouts": reference("Timeouts"),
        }),
    )
}

fn object(required: &[&str], properties: Json) -> Json {
    json!({ "type": "object", "required": required, "properties": properties })
}

fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list(name: &str) -> Json {
    json!({ "type": "array", "items": reference(name) })
}

fn text() -> Json {
    json!({ "type": "string" })
}

fn described(doc: &str) -> Json {
    json!({ "type": "string", "description": doc })
}

fn id() -> Json {
    json!({ "type": "string", "minLength": 1, "description": "Chosen by the caller: 26 letters and digits." })
}

fn map() -> Json {
    json!({ "type": "object", "additionalProperties": true })
}

fn whole() -> Json {
    json!({ "type": "integer", "minimum": 0 })
}

fn generation() -> Json {
    json!({ "type": "integer", "minimum": 0, "description": "How often it was created, from 1." })
}
