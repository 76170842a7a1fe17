//! JSON Schema of the format of specifications.

mod action;
mod field;
mod resource;
mod storage;

use serde_json::{Map, Value, json};

/// The JSON Schema (2020-12) of specifications, Goten's *api-skeleton* with the keys that Planloom adds: `onParentDeleted`,
/// `asyncDeletion`, `fields`, `views`, `indices` and `cache` of resources. Editors complete and check specifications with it.
///
/// It has every key that the reader has, and no other. The reader checks what depends on other files or other values.
pub fn specification_schema() -> Value {
    let mut schema = object(
        "A service: its resources and their methods.",
        &["name", "proto"],
        &[
            ("name", text("The service: a domain such as `secrets.example.com`.")),
            ("proto", proto()),
            (
                "imports",
                texts("The services whose resources are parents or are referred to, without versions."),
            ),
            ("disableMultiRegion", flag("The service has no regions.")),
            ("resources", list("The resources.", reference("resource"))),
            ("apis", list("Groups of methods that belong to no resource.", reference("api"))),
        ],
    );
    let definitions = [
        ("resource", resource::schema()),
        ("action", action::schema()),
        ("paths", action::paths()),
        ("field", field::schema()),
        ("deleteBehavior", field::delete_behavior()),
        ("api", api()),
    ];
    if let Some(object) = schema.as_object_mut() {
        let head = [
            ("$schema", json!("https://json-schema.org/draft/2020-12/schema")),
            ("title", json!("Service specification")),
        ];
        let rest = std::mem::take(object);
        object.extend(head.map(|(key, value)| (key.to_owned(), value)));
        object.extend(rest);
        let definitions = definitions.map(|(key, value)| (key.to_owned(), value));
        object.insert("$defs".to_owned(), Value::Object(Map::from_iter(definitions)));
    }
    schema
}

fn proto() -> Value {
    let package = object(
        "The package of messages.",
        &["name", "currentVersion"],
        &[
            ("name", text("The package without version: `example.secrets`.")),
            (
                "currentVersion",
                pattern("The version of this specification: `v1`.", "^v[0-9]+((alpha|beta)[0-9]*)?$"),
            ),
            ("nextVersion", text("The version that replaces it.")),
            ("goPackage", text("The package of generated Go code.")),
            ("protoImportPathPrefix", text("The folder of generated `.proto` files.")),
        ],
    );
    let service = object(
        "The header of the API.",
        &[],
        &[
            ("name", text("The short name: `Secrets`.")),
            ("defaultHost", text("The host that serves it; by default the domain of the service.")),
            ("oauthScopes", text("The scopes of its tokens.")),
            ("httpNamespacePrefix", text("The first segment of all HTTP paths.")),
        ],
    );
    object("Packages and API.", &["package"], &[("package", package), ("service", service)])
}

fn api() -> Value {
    object(
        "Methods that belong to no resource.",
        &["name"],
        &[("name", upper_camel("The name; the API is called `NAMEService`.")), ("actions", actions())],
    )
}

fn actions() -> Value {
    list("Methods besides the standard ones.", reference("action"))
}

/// A map with these keys only.
fn object(description: &str, required: &[&str], properties: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        properties.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let mut schema = json!({
        "description": description, "type": "object", "properties": properties, "additionalProperties": false,
    });
    if let (Some(schema), false) = (schema.as_object_mut(), required.is_empty()) {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

fn text(description: &str) -> Value {
    json!({"description": description, "type": "string"})
}

fn pattern(description: &str, pattern: &str) -> Value {
    json!({"description": description, "type": "string", "pattern": pattern})
}

/// A name in `UpperCamelCase`.
fn upper_camel(description: &str) -> Value {
    pattern(description, "^[A-Z][A-Za-z0-9]*$")
}

fn flag(description: &str) -> Value {
    json!({"description": description, "type": "boolean"})
}

fn count(description: &str) -> Value {
    json!({"description": description, "type": "integer", "minimum": 0})
}

fn choice<'t>(description: &str, values: impl IntoIterator<Item = &'t str>) -> Value {
    json!({"description": description, "enum": values.into_iter().collect::<Vec<_>>()})
}

fn texts(description: &str) -> Value {
    list(description, json!({"type": "string"}))
}

fn list(description: &str, items: Value) -> Value {
    json!({"description": description, "type": "array", "items": items})
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}
