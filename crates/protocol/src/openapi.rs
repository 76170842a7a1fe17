//! The OpenAPI 3.1 document that an adapter serves, for people and for generators of clients.

mod responses;
mod schemas;

use serde_json::{Map, Value as Json, json};

use crate::{Description, Endpoint, IDEMPOTENCY_KEY, PROTOCOL_HEADER, VERSION, headers::JSON};
use responses::responses;
use schemas::schemas;

/// The document of an adapter. Its paths are those of [`Endpoint::ALL`], its schemas those of this crate's
/// types.
pub fn openapi(description: &Description) -> Json {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("{} (adapter protocol {VERSION})", description.name),
            "version": if description.version.is_empty() { "0" } else { &description.version },
            "description": "Creates, updates and destroys resources of some kinds. The caller chooses each resource's id, so every call \
                can be sent again safely. Errors are problems by RFC 9457.",
        },
        "security": [{ "token": [] }],
        "paths": paths(description),
        "components": {
            "schemas": schemas(),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn paths(description: &Description) -> Json {
    let mut paths = Map::new();
    for endpoint in Endpoint::ALL {
        let path = paths.entry(endpoint.path()).or_insert_with(|| Json::Object(Map::new()));
        if let Json::Object(methods) = path {
            let method = endpoint.method().as_str().to_ascii_lowercase();
            methods.insert(method, operation(endpoint, description));
        }
    }
    paths.into()
}

fn operation(endpoint: Endpoint, description: &Description) -> Json {
    let mut operation = json!({
        "operationId": endpoint.as_str(),
        "summary": summary(endpoint),
        "parameters": parameters(endpoint, description),
        "responses": responses(endpoint),
    });
    if let Some(schema) = body(endpoint) {
        operation["requestBody"] = json!({ "required": true, "content": content(JSON, schema) });
    }
    operation
}

const fn summary(endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Describe => "The adapter and the kinds that it supports",
        Endpoint::OpenApi => "This document",
        Endpoint::Read => "Read a resource",
        Endpoint::Create => "Create a resource",
        Endpoint::Update => "Change a resource in place",
        Endpoint::Destroy => "Destroy a resource",
        Endpoint::BatchRead => "Read several resources",
        Endpoint::List => "List the resources of a deployment",
        Endpoint::Operation => "Read the progress of an operation",
        Endpoint::Cancel => "Cancel an operation",
    }
}

const fn body(endpoint: Endpoint) -> Option<&'static str> {
    match endpoint {
        Endpoint::Create | Endpoint::Update => Some("ResourceBody"),
        Endpoint::BatchRead => Some("Ids"),
        _ => None,
    }
}

fn parameters(endpoint: Endpoint, description: &Description) -> Vec<Json> {
    let mut all = in_path(endpoint, description);
    let text = || json!({ "type": "string" });
    let mut add = |place: &str, name: &str, required: bool, schema: Json, doc: &str| {
        all.push(
            json!({ "in": place, "name": name, "required": required, "schema": schema, "description": doc }),
        );
    };
    let version = json!({ "type": "string", "const": VERSION.to_string() });
    add("header", PROTOCOL_HEADER.as_str(), false, version, "The protocol's major version.");
    if matches!(endpoint, Endpoint::Create | Endpoint::Update | Endpoint::Destroy) {
        add("header", IDEMPOTENCY_KEY.as_str(), true, text(), "The same for each retry of the same call.");
    }
    if matches!(endpoint, Endpoint::Update | Endpoint::Destroy) {
        add("header", "if-match", false, text(), "Only while the resource still has this ETag.");
    }
    if endpoint == Endpoint::Operation {
        add("header", "prefer", false, text(), "`wait=20` answers once it is done, or after 20 seconds.");
    }
    if endpoint == Endpoint::Destroy {
        add("query", "deployment", false, text(), "Only where it belongs to the deployment of this lineage.");
    }
    if endpoint == Endpoint::List {
        add("query", "deployment", false, text(), "The deployment's lineage; this or `deployment_name`.");
        add("query", "deployment_name", false, text(), "The name of deployments (feature `lineage`).");
        add("query", "except", false, text(), "With `deployment_name`: the lineage that is excluded.");
        add("query", "page", false, text(), "`next` of the previous page.");
    }
    all
}

fn in_path(endpoint: Endpoint, description: &Description) -> Vec<Json> {
    let named =
        |name: &str, schema: Json| json!({ "in": "path", "name": name, "required": true, "schema": schema });
    match endpoint {
        Endpoint::Read | Endpoint::Create | Endpoint::Update | Endpoint::Destroy => {
            let kinds: Vec<&String> = description.types.keys().collect();
            let kind = if kinds.is_empty() {
                json!({ "type": "string" })
            } else {
                json!({ "type": "string", "enum": kinds })
            };
            vec![named("kind", kind), named("id", json!({ "type": "string", "minLength": 1 }))]
        }
        Endpoint::Operation | Endpoint::Cancel => {
            vec![named("op", json!({ "type": "string", "minLength": 1 }))]
        }
        _ => Vec::new(),
    }
}

fn content(media: &str, schema: &str) -> Json {
    json!({ media: { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}
