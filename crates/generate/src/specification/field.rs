//! Fields of resources.

use fields::schema::DeleteBehavior;
use serde_json::{Value, json};

use super::{choice, count, flag, object, pattern, reference, text, texts};

const TYPES: [&str; 25] = [
    "string",
    "bool",
    "int32",
    "int64",
    "uint32",
    "uint64",
    "float",
    "double",
    "bytes",
    "timestamp",
    "duration",
    "struct",
    "value",
    "any",
    "object",
    "list",
    "map",
    "enum",
    "reference",
    "name",
    "parentName",
    "filter",
    "orderBy",
    "cursor",
    "fieldMask",
];

const FORMATS: [&str; 10] =
    ["email", "hostname", "address", "ip", "ipv4", "ipv6", "uri", "uri_ref", "uuid", "pem"];

/// The types whose texts mean something of a resource.
const MEANT: [&str; 7] = ["reference", "name", "parentName", "filter", "orderBy", "cursor", "fieldMask"];

pub(super) fn schema() -> Value {
    let limits = |what: &str| json!({"description": what, "type": "number"});
    let mut schema = object(
        "A field.",
        &["path"],
        &[
            (
                "path",
                pattern(
                    "Its path in snake_case: `spec.containers[].image`, `labels{}`.",
                    "^[a-z][a-z0-9_]*(\\[\\]|\\{\\})?(\\.[a-z][a-z0-9_]*(\\[\\]|\\{\\})?)*$",
                ),
            ),
            ("type", choice("Its type; by default string.", TYPES)),
            (
                "number",
                json!({"description": "Its number on the wire.", "type": "integer", "minimum": 1, "maximum": 536_870_911}),
            ),
            ("resource", text("The resource that its text means: `Pod`, or `service/Kind`.")),
            ("targetDeleteBehavior", reference("deleteBehavior")),
            ("values", texts("The values of an enumeration, the default first.")),
            ("merge", merge()),
            (
                "class",
                choice("Which part of the resource it belongs to.", ["spec", "state", "meta", "hidden"]),
            ),
            ("immutable", flag("It cannot be changed.")),
            ("outputOnly", flag("The server sets it.")),
            ("sensitive", flag("It is never logged, and plans do not show it.")),
            ("description", text("What it is.")),
            ("oneof", text("The group of fields of which at most one is set.")),
            ("required", flag("It is not absent and not empty.")),
            ("minLength", count("The least number of characters.")),
            ("maxLength", count("The greatest number of characters.")),
            ("minItems", count("The least number of elements or entries.")),
            ("maxItems", count("The greatest number of elements or entries.")),
            ("minimum", limits("The least number.")),
            ("maximum", limits("The greatest number.")),
            ("uniqueItems", flag("No element occurs twice.")),
            ("pattern", text("The regular expression of the whole text, in Go's syntax.")),
            ("format", choice("The form of the text.", FORMATS)),
        ],
    );
    if let Some(schema) = schema.as_object_mut() {
        schema.insert(
            "allOf".to_owned(),
            json!([
                needs(&["reference"], &["resource", "targetDeleteBehavior"]),
                needs(&MEANT, &["resource"]),
                needs(&["enum"], &["values"]),
            ]),
        );
    }
    schema
}

/// Fields of these types have these keys.
fn needs(types: &[&str], keys: &[&str]) -> Value {
    json!({
        "if": {"properties": {"type": {"enum": types}}, "required": ["type"]},
        "then": {"required": keys},
    })
}

fn merge() -> Value {
    let behaviors = [
        "DEFAULT",
        "REPLACE",
        "DISCARD_ONLY_IN_DEST",
        "DISCARD_ONLY_IN_SOURCE",
        "OPERATION_AND",
        "OPERATION_XOR",
        "APPEND",
    ];
    object(
        "How values of two messages are merged.",
        &[],
        &[
            ("identifiers", texts("The fields by which an element is found in the other list.")),
            ("behavior", choice("What happens to what only one of them has.", behaviors)),
            ("sorting", choice("The order of a merged list.", ["NO_SORTING", "ASCENDING", "DESCENDING"])),
        ],
    )
}

pub(super) fn delete_behavior() -> Value {
    choice(
        "What happens when the other resource is deleted.",
        DeleteBehavior::ALL.map(DeleteBehavior::as_str),
    )
}
