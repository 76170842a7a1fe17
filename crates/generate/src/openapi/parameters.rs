//! Parameters of operations: ids in the path, fields in the query, conditions in headers.

use fields::schema::{Cardinality, Field, FieldType, WellKnown};
use serde_json::{Map, Value, json};
use spec::StandardMethod;

use super::{
    REFS,
    operation::{Body, Operation},
    path::Variable,
};
use crate::schemas::{Schemas, is_required};

pub(super) fn of(operation: Operation<'_>) -> Vec<Value> {
    let path = operation.template.variables.iter().map(variable);
    let query = query(operation).into_iter().chain(cas(operation)).chain(validate_only(operation));
    path.chain(query).chain(if_match(operation)).chain(if_none_match(operation)).collect()
}

fn variable(it: &Variable) -> Value {
    let mut schema = json!({"type": "string"});
    if let (Some(schema), Some(pattern)) = (schema.as_object_mut(), &it.pattern) {
        schema.insert("pattern".to_owned(), json!(pattern));
    }
    let collection =
        if it.collection.is_empty() { String::new() } else { format!(" in `{}`", it.collection) };
    let slash = if it.slash { "; a `/` in it is written as `%2F`" } else { "" };
    json!({
        "name": it.name, "in": "path", "required": true, "schema": schema,
        "description": format!("The id{collection}{slash}."),
    })
}

/// The fields of the request that are neither in the path nor in the body.
fn query(operation: Operation<'_>) -> Vec<Value> {
    let (Some(request), body) = (operation.request(), operation.body()) else { return Vec::new() };
    let bound = operation.bound();
    let fields = request.fields.iter().filter(|it| match body {
        Body::Whole => false,
        Body::Field(name) => *it.name != *name,
        Body::None => true,
    });
    let schemas = Schemas { schema: operation.definition.schema, refs: REFS, requires: false };
    fields.filter(|it| !bound.contains(&*it.name) && is_simple(it)).map(|it| parameter(it, schemas)).collect()
}

/// True if a query can have a field: a text or a number, or a list of them.
fn is_simple(field: &Field) -> bool {
    let is_text = match &field.ty {
        FieldType::Scalar(_) | FieldType::Enum(_) => true,
        FieldType::WellKnown(known) => matches!(
            known,
            WellKnown::Timestamp | WellKnown::Duration | WellKnown::FieldMask | WellKnown::Wrapper(_)
        ),
        FieldType::Message(_) | FieldType::Foreign(_) => false,
    };
    is_text && !matches!(field.cardinality, Cardinality::Map(_))
}

fn parameter(field: &Field, schemas: Schemas<'_>) -> Value {
    let mut parameter = Map::new();
    let mut set = |key: &str, value: Value| drop(parameter.insert(key.to_owned(), value));
    set("name", json!(field.json_name()));
    set("in", json!("query"));
    if is_required(field) {
        set("required", json!(true));
    }
    if let Some(text) = description(field) {
        set("description", json!(text));
    }
    set("schema", schemas.field(field));
    if field.cardinality == Cardinality::Repeated {
        set("style", json!("form"));
        set("explode", json!(true));
    }
    Value::Object(parameter)
}

fn description(field: &Field) -> Option<&str> {
    let standard = match &*field.name {
        "page_size" => "The greatest number of resources in the answer; 0 leaves it to the server.",
        "page_token" => "The token of a page, from the answer to a request with the same filter and order.",
        "order_by" => "Fields with `asc` or `desc`, separated by commas: `displayName desc`.",
        "filter" => "A condition that the resources fulfil.",
        "field_mask" => "The fields of the answer, separated by commas, besides those of the view.",
        "view" => "A set of fields of the answer.",
        "include_paging_info" => "The answer has the offset and the number of all resources.",
        "phrase" => "Words to search for.",
        "names" => "The names of the resources.",
        "update_mask" => {
            "The fields to change, separated by commas; without it, the body replaces the resource."
        }
        "allow_missing" => {
            "A resource that does not exist is no error: an update creates it, a deletion does nothing."
        }
        _ => "",
    };
    match (field.doc.is_empty(), standard.is_empty()) {
        (false, _) => Some(&field.doc),
        (true, false) => Some(standard),
        (true, true) => None,
    }
}

/// The state that a resource must have to be updated: JSON in the query.
fn cas(operation: Operation<'_>) -> Option<Value> {
    let is_update = operation.method.standard == Some(StandardMethod::Update);
    let field = operation.request().and_then(|it| it.field("cas")).filter(|_| is_update)?;
    let schemas = Schemas { schema: operation.definition.schema, refs: REFS, requires: false };
    let text = "The values that the fields of a mask must have; others are answered with 412.";
    Some(json!({
        "name": "cas", "in": "query", "description": text,
        "content": {"application/json": {"schema": schemas.field(field)}},
    }))
}

/// A deletion can be tried: it is no field of Goten's request.
fn validate_only(operation: Operation<'_>) -> Option<Value> {
    let text = "Deletes nothing: the answer says what the deletion would do.";
    (operation.method.standard == Some(StandardMethod::Delete)).then(|| {
        json!({
            "name": "validateOnly", "in": "query", "description": text, "schema": {"type": "boolean"},
        })
    })
}

/// Methods that change a resource take its version.
fn if_match(operation: Operation<'_>) -> Option<Value> {
    let changes = matches!(operation.method.standard, Some(StandardMethod::Update | StandardMethod::Delete));
    let text = "The `metadata.resourceVersion` that the resource must have, in double quotes, as in `ETag`. Another version is \
                answered with 412.";
    changes.then(|| {
        json!({
            "name": "If-Match", "in": "header", "description": text,
            "schema": {"type": "string", "pattern": "^(?:\\*|\"[^\"]*\")$"},
        })
    })
}

/// A method that reads a resource takes the versions that the client has.
fn if_none_match(operation: Operation<'_>) -> Option<Value> {
    let text = "The versions of the resource that the client has, as in `ETag`, separated by commas, or `*` for any. If the \
                resource has one of them, the answer is 304, without a body.";
    operation.is_versioned_read().then(|| {
        json!({"name": "If-None-Match", "in": "header", "description": text, "schema": {"type": "string"}})
    })
}
