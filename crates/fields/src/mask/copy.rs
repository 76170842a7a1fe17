use serde_json::{Map, Value};

use super::FieldMask;
use crate::path::{Segment, clear, remove};

impl FieldMask {
    /// Copies the selected fields of a value onto another; a field that the source lacks is cleared. A field below a list
    /// cannot be copied alone, because elements have no names: the whole list is.
    ///
    /// An update with a mask does this: nothing that is not selected changes.
    pub fn copy(&self, from: &Value, onto: &mut Value) {
        if self.is_full {
            onto.clone_from(from);
        }
        for path in self.paths() {
            copy(path.segments(), Some(from), onto);
        }
    }
}

fn copy(segments: &[Segment], from: Option<&Value>, onto: &mut Value) {
    let Some((segment, rest)) = segments.split_first() else {
        *onto = from.cloned().unwrap_or_default();
        return;
    };
    let source = match from {
        Some(Value::Array(list)) => {
            *onto = Value::Array(list.clone());
            return;
        }
        Some(Value::Object(object)) => segment.spelling(object).zip(segment.of(object)),
        _ => None,
    };
    match source {
        Some(source) if !has_no_value(rest, source.1) => {
            let mut object = match onto.take() {
                Value::Object(object) => object,
                _ => Map::new(),
            };
            copy_field(segment, rest, source, &mut object);
            *onto = Value::Object(object);
        }
        _ => clear(segments, onto),
    }
}

fn copy_field(
    segment: &Segment,
    rest: &[Segment],
    (key, value): (&str, &Value),
    onto: &mut Map<String, Value>,
) {
    let before = segment.of(onto).cloned();
    if segment.spelling(onto).is_some_and(|it| it != key) {
        remove(segment, onto);
    }
    let place = onto.entry(key.to_owned()).or_insert_with(|| before.unwrap_or_default());
    copy(rest, Some(value), place);
}

/// True if the source has nothing at the path, so that nothing has to be allocated for it.
fn has_no_value(segments: &[Segment], value: &Value) -> bool {
    match (segments.split_first(), value) {
        (None, _) | (Some(_), Value::Array(_)) => false,
        (Some((segment, rest)), Value::Object(object)) => {
            segment.of(object).is_none_or(|it| has_no_value(rest, it))
        }
        (Some(_), _) => true,
    }
}
