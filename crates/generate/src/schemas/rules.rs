//! Rules of fields as keywords of JSON Schema. Rules that it has no keyword for are left out.

use std::sync::Arc;

use fields::schema::{Cardinality, Comparison, Field, FieldType, Format, Rule, Scalar};
use serde_json::{Map, Value, json};

use crate::regex;

/// The schema of a field from that of one of its values.
pub(super) fn with_cardinality(field: &Field, value: Value, requires: bool) -> Value {
    let is_one = matches!(field.cardinality, Cardinality::One | Cardinality::Optional);
    let of_values = |it: &&Rule| is_one || !matches!(it, Rule::Required | Rule::Items(..) | Rule::Unique);
    let own: Vec<&Rule> = field.rules.iter().filter(of_values).flat_map(each).collect();
    let value = with_rules(value, &own, field, requires);
    match field.cardinality {
        Cardinality::One | Cardinality::Optional => value,
        Cardinality::Repeated => list(field, value, requires),
        Cardinality::Map(key) => map(field, key, value, requires),
    }
}

/// A rule of each element is one of the values.
fn each(rule: &Rule) -> Option<&Rule> {
    match rule {
        Rule::Each(inner) => Some(inner),
        Rule::EachKey(_) => None,
        other => Some(other),
    }
}

fn list(field: &Field, items: Value, requires: bool) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), json!("array")), ("items".to_owned(), items)]);
    for rule in &field.rules {
        match rule {
            Rule::Items(comparison, count) => sizes(&mut schema, *comparison, *count, "minItems", "maxItems"),
            Rule::Unique => drop(schema.insert("uniqueItems".to_owned(), json!(true))),
            Rule::Required if requires => drop(schema.entry("minItems").or_insert(json!(1))),
            _ => {}
        }
    }
    Value::Object(schema)
}

fn map(field: &Field, key: Scalar, values: Value, requires: bool) -> Value {
    let mut schema =
        Map::from_iter([("type".to_owned(), json!("object")), ("additionalProperties".to_owned(), values)]);
    let keys: Vec<&Rule> = field.rules.iter().filter_map(of_key).collect();
    let mut names = with_rules(json!({}), &keys, field, requires);
    if let (Some(names), Some(pattern)) = (names.as_object_mut(), key_pattern(key)) {
        names.insert("pattern".to_owned(), json!(pattern));
    }
    if names != json!({}) {
        schema.insert("propertyNames".to_owned(), names);
    }
    for rule in &field.rules {
        match rule {
            Rule::Items(comparison, count) => {
                sizes(&mut schema, *comparison, *count, "minProperties", "maxProperties");
            }
            Rule::Required if requires => drop(schema.entry("minProperties").or_insert(json!(1))),
            _ => {}
        }
    }
    Value::Object(schema)
}

fn of_key(rule: &Rule) -> Option<&Rule> {
    match rule {
        Rule::EachKey(inner) => Some(inner),
        _ => None,
    }
}

/// Keys of maps are texts in JSON, whatever their type.
fn key_pattern(key: Scalar) -> Option<&'static str> {
    match key {
        Scalar::Int32 | Scalar::Int64 => Some("^-?[0-9]{1,19}$"),
        Scalar::Uint32 | Scalar::Uint64 => Some("^[0-9]{1,20}$"),
        Scalar::Bool => Some("^(?:true|false)$"),
        Scalar::String | Scalar::Bytes | Scalar::Double | Scalar::Float => None,
    }
}

/// A value with its rules. Of a number that has names too, they belong to the number.
fn with_rules(mut value: Value, rules: &[&Rule], field: &Field, requires: bool) -> Value {
    let number = value.pointer_mut("/anyOf/0").and_then(Value::as_object_mut);
    if let Some(number) = number {
        rules.iter().for_each(|it| add(number, it, field, requires));
    } else if let Some(object) = value.as_object_mut() {
        rules.iter().for_each(|it| add(object, it, field, requires));
    }
    value
}

fn add(schema: &mut Map<String, Value>, rule: &Rule, field: &Field, requires: bool) {
    let is_text = matches!(field.ty, FieldType::Scalar(Scalar::String));
    let is_number = schema.get("type").is_some_and(|it| it == "integer" || it == "number");
    let mut set = |key: &str, value: Value| drop(schema.insert(key.to_owned(), value));
    match rule {
        Rule::Required if is_text && requires => set("minLength", json!(1)),
        Rule::Number(comparison, limit) if is_number => {
            let (key, value) = limit_of(*comparison, *limit);
            set(key, value);
        }
        Rule::Text(text) => set("const", json!(text)),
        Rule::Length(comparison, count) => sizes(schema, *comparison, *count, "minLength", "maxLength"),
        Rule::OneOf(texts) => set("enum", json!(texts)),
        Rule::NoneOf(texts) => set("not", json!({"enum": texts})),
        Rule::Prefix(prefix) => pattern(schema, &format!("^{}", escaped(prefix))),
        Rule::Suffix(suffix) => pattern(schema, &format!("{}$", escaped(suffix))),
        Rule::Format(format) => with_format(schema, format),
        _ => {}
    }
}

/// A whole limit is written without a point.
fn limit_of(comparison: Comparison, limit: f64) -> (&'static str, Value) {
    let key = match comparison {
        Comparison::Less => "exclusiveMaximum",
        Comparison::AtMost => "maximum",
        Comparison::Equal => "const",
        Comparison::AtLeast => "minimum",
        Comparison::Greater => "exclusiveMinimum",
    };
    #[expect(clippy::cast_possible_truncation, reason = "only whole numbers that `i64` has exactly")]
    let value = match limit.fract() == 0.0 && limit.abs() < 9e15 {
        true => json!(limit as i64),
        false => json!(limit),
    };
    (key, value)
}

fn sizes(schema: &mut Map<String, Value>, comparison: Comparison, count: u64, min: &str, max: &str) {
    let mut set = |key: &str, value: u64| drop(schema.insert(key.to_owned(), json!(value)));
    match comparison {
        Comparison::Less => set(max, count.saturating_sub(1)),
        Comparison::AtMost => set(max, count),
        Comparison::Equal => {
            set(min, count);
            set(max, count);
        }
        Comparison::AtLeast => set(min, count),
        Comparison::Greater => set(min, count.saturating_add(1)),
    }
}

/// A pattern besides the one that is there.
fn pattern(schema: &mut Map<String, Value>, pattern: &str) {
    match schema.contains_key("pattern") {
        false => drop(schema.insert("pattern".to_owned(), json!(pattern))),
        true => {
            let all = schema.entry("allOf").or_insert_with(|| json!([]));
            if let Some(all) = all.as_array_mut() {
                all.push(json!({"pattern": pattern}));
            }
        }
    }
}

fn with_format(schema: &mut Map<String, Value>, format: &Format) {
    let name = match format {
        Format::Regex(regex) => {
            if let Some(whole) = regex::whole(regex) {
                pattern(schema, &whole);
            }
            return;
        }
        Format::Email => "email",
        Format::Hostname => "hostname",
        Format::Ipv4 => "ipv4",
        Format::Ipv6 => "ipv6",
        Format::Uri => "uri",
        Format::UriReference => "uri-reference",
        Format::Uuid => "uuid",
        Format::Address => return any_of(schema, &["hostname", "ipv4", "ipv6"]),
        Format::Ip => return any_of(schema, &["ipv4", "ipv6"]),
        Format::Pem => return pattern(schema, "^-----BEGIN "),
    };
    schema.insert("format".to_owned(), json!(name));
}

fn any_of(schema: &mut Map<String, Value>, formats: &[&str]) {
    let formats: Vec<Value> = formats.iter().map(|it| json!({"format": it})).collect();
    schema.insert("anyOf".to_owned(), Value::Array(formats));
}

/// A text in which no character has a meaning in a regular expression.
fn escaped(text: &Arc<str>) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if r".*+?^$|()[]{}/\".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
