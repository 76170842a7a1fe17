//! Names of resources of any type.

use serde_json::{Map, Value};

use crate::{Conversion, Direction};

/// The name of a resource, or of a resource type with its service, in the old version; `None` for what is neither.
pub(super) fn old_name(conversion: &Conversion, text: &str) -> Option<String> {
    // Without a slash it may be any word.
    if !text.contains('/') {
        return None;
    }
    let type_name = |id| conversion.services.type_name(id);
    let of_type = conversion.kinds.iter().find(|it| type_name(it.new) == text);
    of_type
        .map(|it| type_name(it.old))
        .or_else(|| conversion.kinds().find_map(|it| it.name(Direction::ToOld, text)))
}

/// A value with the names of the old version wherever there are names: what is about resources of several types.
pub(super) fn old_names(conversion: &Conversion, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(old_name(conversion, &text).unwrap_or(text)),
        Value::Array(items) => items.into_iter().map(|it| old_names(conversion, it)).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, it)| (key, old_names(conversion, it)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        value @ (Value::Null | Value::Bool(_) | Value::Number(_)) => value,
    }
}
