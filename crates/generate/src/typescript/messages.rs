//! Messages as interfaces, enumerations as unions of their names.

use fields::schema::{Cardinality, Enum, Field, FieldType, Message, Scalar, WellKnown};

use super::{comment, names::Names};
use crate::schemas::is_required;

pub(super) fn of_enum(name: &str, it: &Enum) -> String {
    let values: Vec<String> = it.values.iter().map(|(value, _)| quoted(value)).collect();
    let union = if values.is_empty() { "string".to_owned() } else { values.join(" | ") };
    format!("{}export type {name} = {union};\n", comment("", &it.doc))
}

pub(super) fn of_message(name: &str, message: &Message, names: &Names) -> String {
    let mut text = format!("{}export interface {name} {{\n", comment("", &message.doc));
    let is_request = name.ends_with("Request");
    for field in &message.fields {
        text += &of_field(field, is_request, names);
    }
    if message.open {
        text.push_str("  [key: string]: unknown;\n");
    }
    text + "}\n"
}

fn of_field(field: &Field, is_request: bool, names: &Names) -> String {
    let readonly = if field.output_only { "readonly " } else { "" };
    let optional = if is_request && is_required(field) { "" } else { "?" };
    let name = property(&field.json_name());
    let words = words(field);
    format!("{}  {readonly}{name}{optional}: {};\n", comment("  ", &words), of_values(field, names))
}

fn words(field: &Field) -> String {
    match &field.oneof {
        Some(oneof) => {
            let line = format!("At most one field of `{}` is set.", fields::schema::lower_camel(oneof));
            format!("{}\n{line}", field.doc)
        }
        None => field.doc.to_string(),
    }
}

fn of_values(field: &Field, names: &Names) -> String {
    let value = of_value(&field.ty, names);
    match field.cardinality {
        Cardinality::One | Cardinality::Optional => value,
        Cardinality::Repeated if value.contains(" | ") => format!("({value})[]"),
        Cardinality::Repeated => format!("{value}[]"),
        Cardinality::Map(_) => format!("{{ [key: string]: {value} }}"),
    }
}

fn of_value(ty: &FieldType, names: &Names) -> String {
    match ty {
        FieldType::Scalar(scalar) => of_scalar(*scalar).to_owned(),
        FieldType::WellKnown(known) => of_well_known(*known),
        FieldType::Message(name) => names.get(name).unwrap_or(OBJECT).to_owned(),
        FieldType::Foreign(name) => names.get(name).unwrap_or("unknown").to_owned(),
        FieldType::Enum(name) => names.get(name).unwrap_or("string").to_owned(),
    }
}

/// An object of which nothing is known.
pub(super) const OBJECT: &str = "{ [key: string]: unknown }";

const fn of_scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Double | Scalar::Float => r#"number | "NaN" | "Infinity" | "-Infinity""#,
        Scalar::Int32 | Scalar::Uint32 => "number",
        Scalar::Int64 | Scalar::Uint64 | Scalar::String | Scalar::Bytes => "string",
        Scalar::Bool => "boolean",
    }
}

fn of_well_known(known: WellKnown) -> String {
    match known {
        WellKnown::Timestamp | WellKnown::Duration | WellKnown::FieldMask => "string".to_owned(),
        WellKnown::Struct => OBJECT.to_owned(),
        WellKnown::Value => "unknown".to_owned(),
        WellKnown::ListValue => "unknown[]".to_owned(),
        WellKnown::Empty => "{ [key: string]: never }".to_owned(),
        WellKnown::Any => r#"{ "@type": string; [key: string]: unknown }"#.to_owned(),
        WellKnown::Wrapper(scalar) => format!("{} | null", of_scalar(scalar)),
    }
}

/// The name of a property, in quotes where it is not an identifier.
fn property(name: &str) -> String {
    let is_identifier = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    if is_identifier { name.to_owned() } else { quoted(name) }
}

/// A text as JSON has it, which TypeScript reads alike.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
