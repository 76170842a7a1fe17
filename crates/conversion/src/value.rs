use fields::{FieldPath, normalize};
use serde_json::{Map, Value};

use crate::{
    Conversion, Direction,
    field_conversion::{FieldConversion, FieldPair, FixedField, ValueCount},
    message_conversion::{AddedField, MessageConversion},
};

/// A value that the new version has no place for: a field of the old version that is always the same.
#[derive(Clone, Debug, PartialEq)]
pub struct LostValue {
    /// Its place in the resource, as a JSON pointer.
    pub pointer: String,
    /// The value that the field always has.
    pub constant: Value,
}

/// The conversion of values in one direction.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a> {
    conversion: &'a Conversion,
    direction: Direction,
}

impl<'a> Values<'a> {
    pub(crate) const fn of(conversion: &'a Conversion, direction: Direction) -> Self {
        Self { conversion, direction }
    }

    /// A message of the other version. What is no message stays as it is, so that it is reported where it is checked.
    pub(crate) fn message(self, at: usize, value: &Value) -> Result<Value, LostValue> {
        let (Some(of), Value::Object(object)) = (self.conversion.messages.get(at), value) else {
            return Ok(value.clone());
        };
        let mut converted = Value::Object(self.undeclared(of, object));
        if self.direction == Direction::ToNew {
            of.constants.iter().try_for_each(|it| check_constant(it, value))?;
        }
        for pair in &of.pairs {
            self.pair(pair, value, &mut converted)?;
        }
        let fixed = if self.direction == Direction::ToNew { &of.defaults } else { &of.constants };
        for field in fixed {
            set(&field.path, &mut converted, field.value.clone());
        }
        Ok(converted)
    }

    /// The fields that are not declared in either version.
    fn undeclared(self, of: &MessageConversion, object: &Map<String, Value>) -> Map<String, Value> {
        let is_declared = |key: &str| {
            let own = |pair: &FieldPair| {
                pair.paths(self.direction).0.names().next().is_some_and(|it| is_spelled(it, key))
            };
            of.pairs.iter().any(own)
        };
        let kept = object.iter().filter(|(key, _)| of.is_open && !is_declared(key));
        kept.map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    fn pair(self, pair: &FieldPair, value: &Value, converted: &mut Value) -> Result<(), LostValue> {
        let (from, to) = pair.paths(self.direction);
        let field = match from.get(value) {
            Some(field) => Some(self.field(pair, field).map_err(|it| it.below(from))?),
            None => self.absent(pair),
        };
        if let Some(field) = field {
            add(to, converted, field);
        }
        Ok(())
    }

    /// The value of a field that is absent, if that is not the default of the other one.
    fn absent(self, pair: &FieldPair) -> Option<Value> {
        match (&pair.values, pair.count) {
            (FieldConversion::Values(values), ValueCount::One) => values.absent(self.direction),
            (
                FieldConversion::Values(_)
                | FieldConversion::Same
                | FieldConversion::Name(_)
                | FieldConversion::Message(_),
                _,
            ) => None,
        }
    }

    /// All values of a field.
    fn field(self, pair: &FieldPair, value: &Value) -> Result<Value, LostValue> {
        match (pair.count, value) {
            (ValueCount::List, Value::Array(items)) => {
                let item = |(at, it): (usize, &Value)| {
                    self.one(&pair.values, it).map_err(|error| error.at(&at.to_string()))
                };
                items.iter().enumerate().map(item).collect()
            }
            (ValueCount::Map, Value::Object(entries)) => {
                let entry = |(key, it): (&String, &Value)| {
                    Ok((key.clone(), self.one(&pair.values, it).map_err(|error| error.at(key))?))
                };
                entries.iter().map(entry).collect::<Result<Map<_, _>, _>>().map(Value::Object)
            }
            (ValueCount::One | ValueCount::AtMostOne | ValueCount::List | ValueCount::Map, _) => {
                self.one(&pair.values, value)
            }
        }
    }

    fn one(self, conversion: &FieldConversion, value: &Value) -> Result<Value, LostValue> {
        Ok(match conversion {
            FieldConversion::Same => value.clone(),
            FieldConversion::Name(kind) => {
                let names = self.conversion.kinds.get(*kind).map(|it| &it.names);
                // A name that is not valid, or that the other version does not see, comes back as it was.
                let name =
                    names.zip(value.as_str()).and_then(|(names, text)| names.name(self.direction, text));
                name.map_or_else(|| value.clone(), Value::String)
            }
            FieldConversion::Values(values) => values.value(self.direction, value),
            FieldConversion::Message(message) => return self.message(*message, value),
        })
    }

    /// Gives a changed message of the new version what the old one does not have.
    pub(crate) fn keep(self, at: usize, stored: &Value, changed: &mut Value) {
        let Some(of) = self.conversion.messages.get(at) else { return };
        of.added.iter().for_each(|it| keep_field(it, stored, changed));
        for pair in &of.pairs {
            if let (FieldConversion::Message(inner), Some(before)) = (&pair.values, pair.new.get(stored)) {
                self.keep_inside((pair, *inner), before, changed);
            }
        }
    }

    fn keep_inside(self, (pair, inner): (&FieldPair, usize), stored: &Value, changed: &mut Value) {
        let Some(mut now) = pair.new.get(changed).cloned() else {
            // A message of which the old version has nothing was not cleared by who left it out.
            let is_single = matches!(pair.count, ValueCount::One | ValueCount::AtMostOne);
            let is_unknown = || self.message(inner, stored) == Ok(Value::Object(Map::new()));
            if is_single && !stored.is_null() && is_unknown() {
                set(&pair.new, changed, stored.clone());
            }
            return;
        };
        match (stored, &mut now) {
            (Value::Array(before), Value::Array(items)) => self.keep_elements(inner, before, items),
            (Value::Object(before), Value::Object(entries)) if pair.count == ValueCount::Map => {
                for (key, entry) in entries.iter_mut() {
                    before.get(key).into_iter().for_each(|it| self.keep(inner, it, entry));
                }
            }
            (before, now) => self.keep(inner, before, now),
        }
        set(&pair.new, changed, now);
    }

    /// Elements have no names: one is the same if the old version shows it as it was, at its place or elsewhere.
    fn keep_elements(self, inner: usize, stored: &[Value], items: &mut [Value]) {
        let schema = self.conversion.schemas.get(self.conversion.new);
        let name = self.conversion.messages.get(inner).map(|it| &*it.new);
        let of = schema.zip(name).and_then(|(schema, name)| fields::MessageType::new(schema, name));
        let shown = |it: &Value| {
            let it = of.map_or_else(|| it.clone(), |of| normalize(it, of));
            self.message(inner, &it).ok()
        };
        let before: Vec<_> = stored.iter().map(|it| (shown(it), it)).collect();
        for (at, item) in items.iter_mut().enumerate() {
            let now = shown(item);
            let same = before
                .get(at)
                .filter(|(it, _)| *it == now)
                .or_else(|| before.iter().find(|(it, _)| *it == now));
            if let Some((_, stored)) = same {
                self.keep(inner, stored, item);
            }
        }
    }
}

impl LostValue {
    fn at(self, step: &str) -> Self {
        Self { pointer: format!("/{}{}", step.replace('~', "~0").replace('/', "~1"), self.pointer), ..self }
    }

    fn below(self, path: &FieldPath) -> Self {
        let steps: Vec<String> = path.names().map(fields::schema::lower_camel).collect();
        steps.iter().rev().fold(self, |it, step| it.at(step))
    }
}

fn check_constant(field: &FixedField, value: &Value) -> Result<(), LostValue> {
    match field.path.get(value).filter(|it| !it.is_null() && **it != field.value) {
        None => Ok(()),
        Some(_) => {
            let lost = LostValue { pointer: String::new(), constant: field.value.clone() };
            Err(lost.below(&field.path))
        }
    }
}

fn keep_field(field: &AddedField, stored: &Value, changed: &mut Value) {
    if field.alternatives.iter().any(|it| it.get(changed).is_some()) {
        return field.path.clear(changed);
    }
    match field.path.get(stored) {
        Some(kept) => set(&field.path, changed, kept.clone()),
        None => remove(&field.path, stored, changed),
    }
}

/// Removes a field that is not stored, and the messages above it that are there for its sake alone.
fn remove(path: &FieldPath, stored: &Value, changed: &mut Value) {
    path.clear(changed);
    let names: Vec<&str> = path.names().collect();
    for length in (1..names.len()).rev() {
        let above = FieldPath::of_names(names.iter().take(length).copied());
        let is_empty = above.get(changed).and_then(Value::as_object).is_some_and(Map::is_empty);
        if is_empty && above.get(stored).is_none() {
            above.clear(changed);
        }
    }
}

/// Sets a field. Where something above it is no message, it stays so: that is reported where the value is checked.
fn set(path: &FieldPath, value: &mut Value, new: Value) {
    drop(path.set(value, new));
}

/// Sets a field. Parts of a message that come from elsewhere stay in it.
fn add(path: &FieldPath, value: &mut Value, mut new: Value) {
    if let (Some(Value::Object(parts)), Value::Object(fields)) = (path.get(value), &mut new) {
        for (name, part) in parts {
            fields.entry(name.clone()).or_insert_with(|| part.clone());
        }
    }
    set(path, value, new);
}

fn is_spelled(field: &str, key: &str) -> bool {
    field == key || fields::schema::lower_camel(field) == key
}
