use serde_json::{Map, Value};

use super::FieldMask;
use crate::path::Segment;

/// The segments of paths from some depth on.
type Tails<'a> = Vec<&'a [Segment]>;

impl FieldMask {
    /// The part of a value that is selected. Fields below a list are selected in each element; elements keep their places,
    /// as an empty object if nothing of them is selected. Objects and lists in which nothing is selected are left out.
    /// A value that is not an object has no fields, and only `*` selects it.
    ///
    /// Projecting twice is projecting once with the [intersection](Self::intersection).
    #[must_use]
    pub fn project(&self, value: &Value) -> Value {
        if self.is_full {
            return value.clone();
        }
        let tails = self.paths().map(|it| it.segments()).collect();
        match value {
            Value::Object(object) => Value::Object(fields(&tails, object)),
            _ => Value::Object(Map::new()),
        }
    }
}

fn fields(tails: &Tails<'_>, object: &Map<String, Value>) -> Map<String, Value> {
    let mut selected = Map::new();
    for (key, value) in object {
        // Two paths may be one field in two spellings: of an object that has both, each selects its own.
        let below: Tails<'_> = tails.iter().filter_map(|it| tail(it, object, key)).collect();
        if let Some(value) = part(&below, value) {
            selected.insert(key.clone(), value);
        }
    }
    selected
}

/// The rest of a path whose first segment is this entry.
fn tail<'a>(path: &'a [Segment], object: &Map<String, Value>, key: &str) -> Option<&'a [Segment]> {
    let (first, rest) = path.split_first()?;
    (first.spelling(object)? == key).then_some(rest)
}

fn part(tails: &Tails<'_>, value: &Value) -> Option<Value> {
    if tails.iter().any(|it| it.is_empty()) {
        return Some(value.clone());
    }
    match value {
        Value::Object(object) => Some(fields(tails, object)).filter(|it| !it.is_empty()).map(Value::Object),
        Value::Array(list) => elements(tails, list),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn elements(tails: &Tails<'_>, list: &[Value]) -> Option<Value> {
    let parts: Vec<Option<Value>> = list.iter().map(|it| part(tails, it)).collect();
    let any = parts.iter().any(Option::is_some);
    let keep = |it: Option<Value>| it.unwrap_or_else(|| Value::Object(Map::new()));
    any.then(|| parts.into_iter().map(keep).collect())
}
