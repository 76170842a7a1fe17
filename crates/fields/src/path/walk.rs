use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::{FieldPath, Segment};
use crate::{Violation, codes, compare::compare_values, error::quoted};

/// A value that a path leads to, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    /// Its JSON pointer (RFC 6901): `/spec/containers/2/name`.
    pub pointer: String,
    /// The value.
    pub value: &'a Value,
}

impl FieldPath {
    /// The value at the path, through objects only; `None` if it is absent, or if the path passes through a list or `*`.
    pub fn get<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        self.segments().iter().try_fold(value, |value, segment| segment.of(value.as_object()?))
    }

    /// All values at the path, through lists, and through maps where the path has `*`, in the order of the value.
    /// A list at the end is one value, unless the path ends with `*`.
    pub fn get_all<'a>(&self, value: &'a Value) -> Vec<Found<'a>> {
        let mut found = Vec::new();
        let mut pointer = String::new();
        visit(self.segments(), value, &mut pointer, &mut |pointer, value| {
            found.push(Found { pointer: pointer.to_owned(), value });
        });
        found
    }

    /// Calls `f` with every value that [`Self::get_all`] finds, without their places.
    pub(crate) fn for_each<'a>(&self, value: &'a Value, f: &mut impl FnMut(&'a Value)) {
        each(self.segments(), value, f);
    }

    /// Sets the value, allocates the objects above it that are missing or null, and gives the value before. A new field
    /// gets its name in JSON; a new entry of a map its key, if the path is [resolved](Self::typed).
    ///
    /// # Errors
    /// `fields/no-object` if a value above it is neither an object nor null; nothing is changed then.
    pub fn set(&self, value: &mut Value, new: Value) -> Result<Option<Value>, Violation> {
        let place = self.allocate(value)?;
        Ok(Some(std::mem::replace(place, new)).filter(|it| !it.is_null()))
    }

    fn allocate<'a>(&self, value: &'a mut Value) -> Result<&'a mut Value, Violation> {
        self.check_objects(value)?;
        let mut place = value;
        for segment in self.segments() {
            if place.is_null() {
                *place = Value::Object(Map::new());
            }
            let Value::Object(object) = place else {
                return Err(self.no_object());
            };
            let Segment::Name { json, .. } = segment else {
                return Err(self.no_object());
            };
            let key = segment.spelling(object).unwrap_or(json).to_owned();
            place = object.entry(key).or_insert(Value::Null);
        }
        Ok(place)
    }

    /// Checks that all values above the place are objects, or absent, so that setting it changes all or nothing.
    fn check_objects(&self, value: &Value) -> Result<(), Violation> {
        let mut place = Some(value);
        for segment in self.segments() {
            match (place, segment) {
                (None | Some(Value::Null), Segment::Name { .. }) => place = None,
                (Some(Value::Object(object)), Segment::Name { .. }) => place = segment.of(object),
                (_, _) => return Err(self.no_object()),
            }
        }
        Ok(())
    }

    fn no_object(&self) -> Violation {
        let message = format!("{} passes through a value that is not an object", quoted(&self.to_string()));
        Violation::new(codes::NO_OBJECT, "", message, "set the whole list, or a field of an object")
    }

    /// Removes the value, in every element of the lists that the path passes through. Objects above it remain.
    pub fn clear(&self, value: &mut Value) {
        clear(self.segments(), value);
    }

    /// True if the value is absent, null, or a default of proto3: zero, false, an empty text, list or object.
    pub fn is_default(&self, value: &Value) -> bool {
        let mut all = true;
        self.for_each(value, &mut |it| all &= is_default_value(it));
        all
    }

    /// Compares the values at the path in two messages by their JSON types: null and absent first, then truth
    /// values, numbers, texts, lists, objects.
    pub fn compare(&self, left: &Value, right: &Value) -> Ordering {
        let of = |value| self.get_all(value).into_iter().map(|it| it.value).collect::<Vec<_>>();
        let (left, right) = (of(left), of(right));
        let both = left.iter().zip(&right).map(|(left, right)| compare_values(left, right));
        both.fold(Ordering::Equal, Ordering::then).then(left.len().cmp(&right.len()))
    }
}

/// True if proto3 leaves a value out of messages.
pub(crate) fn is_default_value(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(it) => !it,
        Value::Number(it) => it.as_f64() == Some(0.0),
        Value::String(it) => it.is_empty(),
        Value::Array(it) => it.is_empty(),
        Value::Object(it) => it.is_empty(),
    }
}

/// A key as a token of a JSON pointer.
pub(crate) fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn visit<'a>(
    segments: &[Segment],
    value: &'a Value,
    pointer: &mut String,
    f: &mut impl FnMut(&str, &'a Value),
) {
    let Some((segment, rest)) = segments.split_first() else {
        return f(pointer, value);
    };
    let length = pointer.len();
    let mut enter = |token: &str, rest: &[Segment], value: &'a Value| {
        pointer.push('/');
        pointer.push_str(token);
        visit(rest, value, pointer, f);
        pointer.truncate(length);
    };
    match (value, segment) {
        (Value::Array(list), Segment::Each) => {
            list.iter().enumerate().for_each(|(index, it)| enter(&index.to_string(), rest, it));
        }
        (Value::Array(list), Segment::Name { .. }) => {
            list.iter().enumerate().for_each(|(index, it)| enter(&index.to_string(), segments, it));
        }
        (Value::Object(object), Segment::Each) => {
            object.iter().for_each(|(key, it)| enter(&token(key), rest, it));
        }
        (Value::Object(object), Segment::Name { .. }) => {
            if let (Some(key), Some(value)) = (segment.spelling(object), segment.of(object)) {
                enter(&token(key), rest, value);
            }
        }
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {}
    }
}

fn each<'a>(segments: &[Segment], value: &'a Value, f: &mut impl FnMut(&'a Value)) {
    let Some((segment, rest)) = segments.split_first() else {
        return f(value);
    };
    match (value, segment) {
        (Value::Array(list), Segment::Each) => list.iter().for_each(|it| each(rest, it, f)),
        (Value::Array(list), Segment::Name { .. }) => list.iter().for_each(|it| each(segments, it, f)),
        (Value::Object(object), Segment::Each) => object.values().for_each(|it| each(rest, it, f)),
        (Value::Object(object), Segment::Name { .. }) => {
            if let Some(value) = segment.of(object) {
                each(rest, value, f);
            }
        }
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {}
    }
}

pub(crate) fn clear(segments: &[Segment], value: &mut Value) {
    let Some((segment, rest)) = segments.split_first() else {
        *value = Value::Null;
        return;
    };
    match (value, segment) {
        (Value::Array(list), Segment::Each) if rest.is_empty() => list.clear(),
        (Value::Array(list), Segment::Each) => list.iter_mut().for_each(|it| clear(rest, it)),
        (Value::Array(list), Segment::Name { .. }) => list.iter_mut().for_each(|it| clear(segments, it)),
        (Value::Object(object), Segment::Each) if rest.is_empty() => object.clear(),
        (Value::Object(object), Segment::Each) => object.values_mut().for_each(|it| clear(rest, it)),
        (Value::Object(object), Segment::Name { .. }) if rest.is_empty() => remove(segment, object),
        (Value::Object(object), Segment::Name { .. }) => {
            let inside = segment.spelling(object).and_then(|key| object.get_mut(key));
            inside.into_iter().for_each(|it| clear(rest, it));
        }
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {}
    }
}

/// Removes a field under each of its spellings; the order of the others stays.
pub(crate) fn remove(segment: &Segment, object: &mut Map<String, Value>) {
    if let Segment::Name { text, json } = segment {
        object.shift_remove(&**text);
        object.shift_remove(&**json);
    }
}
