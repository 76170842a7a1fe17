//! Names of resources of any type.

use serde_json::{Map, Value};

use crate::{Conversion, Direction};

/// The name that a resource has in the old version; `None` for what is not the name of a resource that it sees.
pub(super) fn old_name(conversion: &Conversion, text: &str) -> Option<String> {
    // Without a slash it may be any word.
    let name = || conversion.kinds().find_map(|it| it.name(Direction::ToOld, text));
    text.contains('/').then(name)?
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
