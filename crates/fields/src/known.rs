use serde_json::{Map, Value};

use crate::{MessageType, message_type::is_map, schema::Field};

/// A message without the fields that its type does not have: those of a version in which it had more. Open messages keep
/// theirs.
#[must_use]
pub fn without_unknown(value: &Value, of: MessageType<'_>) -> Value {
    let Value::Object(object) = value else { return value.clone() };
    let kept = object.iter().filter_map(|(key, value)| match of.field(key) {
        Some(field) => Some((key.clone(), field_value(field, value, of))),
        None => of.message().open.then(|| (key.clone(), value.clone())),
    });
    Value::Object(kept.collect::<Map<_, _>>())
}

fn field_value(field: &Field, value: &Value, of: MessageType<'_>) -> Value {
    let Some(inner) = of.of_field(field) else { return value.clone() };
    match value {
        Value::Array(items) => items.iter().map(|it| without_unknown(it, inner)).collect(),
        Value::Object(map) if is_map(field) => {
            let values = map.iter().map(|(key, it)| (key.clone(), without_unknown(it, inner)));
            Value::Object(values.collect())
        }
        value => without_unknown(value, inner),
    }
}
