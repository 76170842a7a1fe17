//! Types of values in JSON, by the rules of proto3.

use std::sync::Arc;

use fields::schema::{Enum, Field, FieldType, Scalar, Schema, WellKnown};
use serde_json::{Value, json};

/// The schema of one value of a field, without its rules.
pub(super) fn of_value(field: &Field, schema: &Schema, refs: &str) -> Value {
    match &field.ty {
        FieldType::Scalar(scalar) => of_scalar(*scalar),
        FieldType::WellKnown(known) => of_well_known(*known),
        FieldType::Message(name) | FieldType::Foreign(name) | FieldType::Enum(name) if has(schema, name) => {
            json!({"$ref": format!("{refs}{name}")})
        }
        FieldType::Message(name) => json!({"type": "object", "x-message": name}),
        FieldType::Enum(name) => json!({"type": "string", "x-enum": name}),
        // A message or an enumeration.
        FieldType::Foreign(name) => json!({"x-type": name}),
    }
}

fn has(schema: &Schema, name: &Arc<str>) -> bool {
    schema.messages.contains_key(name) || schema.enums.contains_key(name)
}

/// Values are names. An enumeration without values, which was reported, admits any.
pub(super) fn of_enum(it: &Enum) -> Value {
    let names: Vec<&str> = it.values.iter().map(|(name, _)| &**name).collect();
    let mut schema = json!({"type": "string"});
    if let Some(object) = schema.as_object_mut() {
        if !it.doc.is_empty() {
            object.insert("description".to_owned(), json!(it.doc));
        }
        if !names.is_empty() {
            object.insert("enum".to_owned(), json!(names));
        }
    }
    schema
}

fn of_scalar(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Double => float("double"),
        Scalar::Float => float("float"),
        Scalar::Int32 => {
            json!({"type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX})
        }
        Scalar::Uint32 => json!({"type": "integer", "format": "uint32", "minimum": 0, "maximum": u32::MAX}),
        Scalar::Int64 => json!({"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"}),
        Scalar::Uint64 => json!({"type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$"}),
        Scalar::Bool => json!({"type": "boolean"}),
        Scalar::String => json!({"type": "string"}),
        Scalar::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
    }
}

/// A number, or the name of a value that no number of JSON has.
fn float(format: &str) -> Value {
    json!({"anyOf": [{"type": "number", "format": format}, {"enum": ["NaN", "Infinity", "-Infinity"]}]})
}

fn of_well_known(known: WellKnown) -> Value {
    match known {
        WellKnown::Timestamp => json!({"type": "string", "format": "date-time"}),
        WellKnown::Duration => json!({"type": "string", "pattern": "^-?[0-9]+(?:\\.[0-9]{1,9})?s$"}),
        WellKnown::FieldMask => json!({"type": "string"}),
        WellKnown::Struct => json!({"type": "object"}),
        WellKnown::Value => json!({}),
        WellKnown::ListValue => json!({"type": "array"}),
        WellKnown::Empty => json!({"type": "object", "additionalProperties": false}),
        WellKnown::Any => {
            json!({"type": "object", "properties": {"@type": {"type": "string"}}, "required": ["@type"]})
        }
        WellKnown::Wrapper(scalar) => json!({"anyOf": [of_scalar(scalar), {"type": "null"}]}),
    }
}
