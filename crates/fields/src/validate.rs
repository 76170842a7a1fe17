//! Validation of a value against its type: the JSON mapping of proto3, and the rules of fields.

mod format;
mod rules;
mod scalar;

use std::collections::BTreeMap;

use diag::Code;
use diag::Speller;
use serde_json::{Map, Value};
use store::Millis;

pub(crate) use scalar::check_scalar;
use scalar::{check_key, check_well_known};

use crate::{
    FieldMask, Filter, MessageType, OrderBy, ParseError, Violation, codes,
    compare::{Absent, ValueType},
    error::quoted,
    path::{Segment, token},
    schema::{Cardinality, Field, FieldType, Meaning, Message, Scalar, Schema},
};

/// The deepest nesting of messages.
const DEEPEST: usize = 100;

/// The most violations that are listed.
const MOST: usize = 1000;

/// The mistakes in a message, in the order of its fields; after 1000 violations the rest is not checked.
///
/// Values have the JSON form of proto3: names in `lowerCamelCase` or `snake_case`, integers as numbers or texts and within
/// their range, enumerations by name or number, base64 in either alphabet, instants and durations as the forms of
/// `google.protobuf` are, one field of a oneof at most; null is absent. Rules (`goten.annotations.validation_rules`) apply to
/// the values of proto3: an absent scalar is its default, an absent list is empty; other absent fields are only required or
/// not. Fields whose text is a filter, an order or a mask are parsed.
///
/// `now` is the instant for rules that compare with it, which are not checked without.
///
/// Codes: `fields/wrong-type`, `fields/out-of-range`, `fields/unknown-field`, `fields/duplicate-field`,
/// `fields/unknown-enum-value`, `fields/oneof`, `fields/too-deep`, `fields/required`, `fields/rule-…`, and those of filters,
/// orders and masks.
pub fn validate(value: &Value, of: MessageType<'_>, now: Option<Millis>) -> Vec<Violation> {
    violations(value, of, now, false)
}

/// The keys of a message, and of the messages in it, that are no fields or name one twice: the part of [`validate`] that holds
/// for values that are not used as well.
pub fn check_names(value: &Value, of: MessageType<'_>) -> Vec<Violation> {
    violations(value, of, None, true)
}

fn violations(value: &Value, of: MessageType<'_>, now: Option<Millis>, only_names: bool) -> Vec<Violation> {
    let mut validation =
        Validation { now, only_names, violations: Vec::new(), speller: Speller::default(), depth: 0 };
    validation.message(value, of, &mut String::new());
    validation.violations
}

/// The codes of mistakes in the names of fields.
const OF_NAMES: [Code; 2] = [codes::UNKNOWN_FIELD, codes::DUPLICATE_FIELD];

struct Validation {
    now: Option<Millis>,
    only_names: bool,
    violations: Vec<Violation>,
    speller: Speller,
    depth: usize,
}

/// A problem of a value without its place: code, message, help.
pub(crate) type Problem = (Code, String, String);

pub(crate) fn wrong_type(value: &Value, expected: &str) -> Problem {
    let message = format!("expected {expected}, but it is {}", kind(value));
    (codes::WRONG_TYPE, message, format!("set it to {expected}"))
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "a truth value".to_owned(),
        Value::Number(it) => format!("the number {it}"),
        Value::String(it) => format!("the text {}", quoted(it)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

impl Validation {
    fn report(&mut self, pointer: &str, (code, message, help): Problem) {
        if self.violations.len() < MOST && (!self.only_names || OF_NAMES.contains(&code)) {
            self.violations.push(Violation::new(code, pointer, message, help));
        }
    }

    fn message(&mut self, value: &Value, of: MessageType<'_>, pointer: &mut String) {
        let Value::Object(object) = value else {
            return self.report(pointer, wrong_type(value, "an object"));
        };
        if self.depth == DEEPEST {
            let message = format!("messages are nested more than {DEEPEST} levels deep");
            return self.report(pointer, (codes::TOO_DEEP, message, "nest fewer messages".to_owned()));
        }
        self.depth += 1;
        self.unknown(object, of, pointer);
        self.oneofs(object, of, pointer);
        for field in &of.message().fields {
            let segment = Segment::field(&field.name);
            let key = segment.spelling(object).map_or_else(|| field.json_name(), str::to_owned);
            let place = Place { field, of };
            self.at(pointer, &key, |it, pointer| {
                it.field(place, segment.of(object).unwrap_or(&Value::Null), pointer)
            });
        }
        self.depth -= 1;
    }

    /// Checks the value below a key.
    fn at(&mut self, pointer: &mut String, key: &str, check: impl FnOnce(&mut Self, &mut String)) {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&token(key));
        check(self, pointer);
        pointer.truncate(length);
    }

    fn unknown(&mut self, object: &Map<String, Value>, of: MessageType<'_>, pointer: &mut String) {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        for key in object.keys() {
            match of.field(key) {
                Some(field) => {
                    if let Some(other) = seen.insert(&field.name, key) {
                        let message = format!("{} and {} are the same field", quoted(other), quoted(key));
                        let problem =
                            (codes::DUPLICATE_FIELD, message, format!("keep {}", quoted(&field.json_name())));
                        self.at(pointer, key, |it, pointer| it.report(pointer, problem));
                    }
                }
                None if of.message().open => {}
                None => self.unknown_field(key, of, pointer),
            }
        }
    }

    fn unknown_field(&mut self, key: &str, of: MessageType<'_>, pointer: &mut String) {
        let names: Vec<String> = of.message().fields.iter().map(Field::json_name).collect();
        let help = match self.speller.nearest(key, names.iter().map(String::as_str)) {
            Some(name) => format!("use {}, or remove it", quoted(name)),
            None => "remove it".to_owned(),
        };
        let problem = (codes::UNKNOWN_FIELD, format!("there is no field {}", quoted(key)), help);
        self.at(pointer, key, |it, pointer| it.report(pointer, problem));
    }

    fn oneofs(&mut self, object: &Map<String, Value>, of: MessageType<'_>, pointer: &mut String) {
        let mut set: BTreeMap<&str, &Field> = BTreeMap::new();
        for field in &of.message().fields {
            let segment = Segment::field(&field.name);
            let (Some(group), Some(value)) = (&field.oneof, segment.of(object)) else {
                continue;
            };
            if value.is_null() {
                continue;
            }
            if let Some(first) = set.get(&**group) {
                let names = (quoted(&first.json_name()), quoted(&field.json_name()));
                let message = format!("only one of {} and {} can be set", names.0, names.1);
                let problem = (codes::ONEOF, message, "remove one of them".to_owned());
                let key = segment.spelling(object).unwrap_or(&field.name);
                self.at(pointer, key, |it, pointer| it.report(pointer, problem));
            } else {
                set.insert(group, field);
            }
        }
    }

    fn field(&mut self, place: Place<'_>, value: &Value, pointer: &mut String) {
        let before = self.violations.len();
        match (place.field.cardinality, value) {
            (Cardinality::Repeated | Cardinality::Map(_), Value::Null) => {}
            (Cardinality::Repeated, Value::Array(list)) => self.list(place, list, pointer),
            (Cardinality::Map(keys), Value::Object(map)) => self.map(place, keys, map, pointer),
            (Cardinality::Repeated, _) => self.report(pointer, wrong_type(value, "a list")),
            (Cardinality::Map(_), _) => self.report(pointer, wrong_type(value, "an object")),
            (Cardinality::One | Cardinality::Optional, Value::Null) => {}
            (Cardinality::One | Cardinality::Optional, _) => self.one(place, value, pointer),
        }
        // Rules are for values of the right type.
        if self.violations.len() == before {
            rules::check(place, value, self.now, pointer, &mut |pointer, problem| {
                self.report(pointer, problem)
            });
        }
    }

    fn list(&mut self, place: Place<'_>, list: &[Value], pointer: &mut String) {
        for (index, element) in list.iter().enumerate() {
            self.at(pointer, &index.to_string(), |it, pointer| it.one(place, element, pointer));
        }
    }

    fn map(&mut self, place: Place<'_>, keys: Scalar, map: &Map<String, Value>, pointer: &mut String) {
        for (key, value) in map {
            self.at(pointer, key, |it, pointer| {
                if let Some(problem) = check_key(keys, key) {
                    it.report(pointer, problem);
                }
                it.one(place, value, pointer);
            });
        }
    }

    fn one(&mut self, place: Place<'_>, value: &Value, pointer: &mut String) {
        let problem = match &place.field.ty {
            FieldType::Message(_) => match place.of.of_field(place.field) {
                Some(of) => return self.message(value, of, pointer),
                None => (!value.is_object()).then(|| wrong_type(value, "an object")),
            },
            // A message or an enumeration of another file, of which nothing is known.
            FieldType::Foreign(_) => None,
            FieldType::Scalar(scalar) => check_scalar(*scalar, value),
            FieldType::WellKnown(known) => check_well_known(*known, value),
            FieldType::Enum(name) => place.check_enum(name, value),
        };
        if let Some(problem) = problem.or_else(|| place.check_meaning(value)) {
            self.report(pointer, problem);
        }
    }
}

/// A field of a message.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) field: &'a Field,
    pub(crate) of: MessageType<'a>,
}

impl<'a> Place<'a> {
    pub(crate) fn ty(self) -> ValueType<'a> {
        ValueType::of(self.field, self.of)
    }

    pub(crate) fn absent(self) -> Absent {
        Absent::of(self.field)
    }

    fn check_enum(self, name: &str, value: &Value) -> Option<Problem> {
        match value {
            Value::String(text) => {
                let values = &self.of.schema().enums.get(name)?.values;
                let names = || values.iter().map(|(name, _)| &**name);
                if names().any(|it| it == text) {
                    return None;
                }
                let help = match diag::nearest(text, names()) {
                    Some(name) => format!("use {}", quoted(name)),
                    None => {
                        format!("use one of {}", names().map(quoted).take(8).collect::<Vec<_>>().join(", "))
                    }
                };
                Some((codes::UNKNOWN_ENUM_VALUE, format!("there is no value {}", quoted(text)), help))
            }
            Value::Number(_) => check_scalar(Scalar::Int32, value),
            _ => Some(wrong_type(value, "the name or number of a value")),
        }
    }

    /// Parses the texts that have a grammar. Names of resources are for those who know their patterns.
    fn check_meaning(self, value: &Value) -> Option<Problem> {
        let text = value.as_str()?;
        let error: Option<ParseError> = match self.field.meaning.as_ref()? {
            Meaning::Filter { .. } => Filter::parse(text).err(),
            Meaning::OrderBy { .. } => OrderBy::parse(text).err(),
            Meaning::FieldMask { .. } => FieldMask::parse(text).err(),
            Meaning::Name { .. }
            | Meaning::Reference { .. }
            | Meaning::ParentName { .. }
            | Meaning::Cursor { .. } => None,
        };
        error.map(|it| (it.code, format!("{} (at byte {})", it.message, it.byte), it.help))
    }
}

/// True if messages without a field are not valid, as those of clients that do not know it.
pub fn refuses_absence(field: &Field) -> bool {
    let message = Message { fields: vec![field.clone()], ..Message::default() };
    let schema = Schema { messages: [("it".into(), message)].into_iter().collect(), ..Schema::default() };
    let empty = Value::Object(serde_json::Map::new());
    MessageType::new(&schema, "it").is_some_and(|it| !validate(&empty, it, None).is_empty())
}

#[cfg(test)]
mod tests;
