//! Values of fields as they compare: by number, instant or byte instead of by their text in JSON.

use std::cmp::Ordering;

use base64::{
    Engine,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde_json::{Map, Value};

use crate::{
    MessageType,
    number::Number,
    schema::{Cardinality, Enum, Field, FieldType, Scalar, WellKnown},
    time::{parse_duration, parse_timestamp},
};

/// The type that determines the comparison of one value of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueType<'a> {
    /// Unknown: values compare by their JSON types.
    Untyped,
    Bool,
    Number,
    Text,
    Bytes,
    /// By number.
    Enum(&'a Enum),
    Timestamp,
    Duration,
    /// A message of the schema.
    Message,
}

impl<'a> ValueType<'a> {
    /// The type of one value of a field.
    pub(crate) fn of(field: &'a Field, of: MessageType<'a>) -> Self {
        match &field.ty {
            FieldType::Scalar(scalar) | FieldType::WellKnown(WellKnown::Wrapper(scalar)) => {
                Self::scalar(*scalar)
            }
            FieldType::Enum(name) => of.schema().enums.get(name).map_or(Self::Untyped, Self::Enum),
            FieldType::Message(_) => of.of_field(field).map_or(Self::Untyped, |_| Self::Message),
            FieldType::WellKnown(WellKnown::Timestamp) => Self::Timestamp,
            FieldType::WellKnown(WellKnown::Duration) => Self::Duration,
            FieldType::WellKnown(_) | FieldType::Foreign(_) => Self::Untyped,
        }
    }

    pub(crate) const fn scalar(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool => Self::Bool,
            Scalar::String => Self::Text,
            Scalar::Bytes => Self::Bytes,
            Scalar::Double
            | Scalar::Float
            | Scalar::Int32
            | Scalar::Int64
            | Scalar::Uint32
            | Scalar::Uint64 => Self::Number,
        }
    }
}

/// The value of a field that is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    /// Unknown, or null.
    Null,
    /// The default of a scalar.
    Default,
    /// No elements.
    Empty,
}

impl Absent {
    pub(crate) const fn of(field: &Field) -> Self {
        match (field.cardinality, &field.ty) {
            (Cardinality::Repeated | Cardinality::Map(_), _) => Self::Empty,
            (Cardinality::One, FieldType::Scalar(_) | FieldType::Enum(_)) if field.oneof.is_none() => {
                Self::Default
            }
            (Cardinality::One | Cardinality::Optional, _) => Self::Null,
        }
    }
}

/// A value as it compares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Key<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(&'a str),
    Bytes(Vec<u8>),
    /// Nanoseconds, of an instant or a duration.
    Nanos(i128),
    List(&'a [Value]),
    Object(&'a Map<String, Value>),
}

impl<'a> Key<'a> {
    /// The key of a value of a field; a value that its type does not allow is taken by its JSON type.
    pub(crate) fn of(ty: ValueType<'_>, value: &'a Value) -> Self {
        Self::typed(ty, value).unwrap_or_else(|| Self::untyped(value))
    }

    fn typed(ty: ValueType<'_>, value: &'a Value) -> Option<Self> {
        value.as_str().and_then(|it| Self::of_text(ty, it))
    }

    /// The value that a text is, if the type allows that text.
    pub(crate) fn of_text(ty: ValueType<'_>, text: &'a str) -> Option<Self> {
        match ty {
            ValueType::Number => Number::parse(text).map(Self::Number),
            ValueType::Bytes => decode_base64(text).map(Self::Bytes),
            ValueType::Timestamp => parse_timestamp(text).map(Self::Nanos),
            ValueType::Duration => parse_duration(text).map(Self::Nanos),
            ValueType::Enum(ty) => {
                let number = ty.values.iter().find(|(name, _)| **name == *text).map(|(_, number)| *number)?;
                Some(Self::Number(Number::Int(number.into())))
            }
            ValueType::Text | ValueType::Untyped => Some(Self::Text(text)),
            ValueType::Bool | ValueType::Message => None,
        }
    }

    fn untyped(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(it) => Self::Bool(*it),
            Value::Number(it) => Self::Number(Number::from_json(it)),
            Value::String(it) => Self::Text(it),
            Value::Array(it) => Self::List(it),
            Value::Object(it) => Self::Object(it),
        }
    }

    /// The value of an absent scalar or enumeration.
    pub(crate) fn default_of(ty: ValueType<'_>) -> Self {
        match ty {
            ValueType::Bool => Self::Bool(false),
            ValueType::Number => Self::Number(Number::Int(0)),
            ValueType::Text => Self::Text(""),
            ValueType::Bytes => Self::Bytes(Vec::new()),
            ValueType::Enum(ty) => {
                Self::Number(Number::Int(ty.values.first().map_or(0, |(_, number)| i128::from(*number))))
            }
            ValueType::Untyped | ValueType::Timestamp | ValueType::Duration | ValueType::Message => {
                Self::Null
            }
        }
    }

    const fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Number(_) => 2,
            Self::Text(_) => 3,
            Self::Bytes(_) => 4,
            Self::Nanos(_) => 5,
            Self::List(_) => 6,
            Self::Object(_) => 7,
        }
    }

    /// An order of all values: by kind, null first, and within a kind by value; NaN is after the other numbers.
    pub(crate) fn total(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => left.cmp(right),
            (Self::Number(left), Self::Number(right)) => left.total(*right),
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Bytes(left), Self::Bytes(right)) => left.cmp(right),
            (Self::Nanos(left), Self::Nanos(right)) => left.cmp(right),
            (Self::List(left), Self::List(right)) => compare_lists(left, right),
            (Self::Object(left), Self::Object(right)) => compare_objects(left, right),
            (_, _) => self.rank().cmp(&other.rank()),
        }
    }

    /// The order of two values that have one; `None` for different kinds, lists, objects, null and NaN.
    pub(crate) fn partial(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => left.compare(*right),
            (Self::Null | Self::List(_) | Self::Object(_), _) => None,
            (_, _) => (self.rank() == other.rank()).then(|| self.total(other)),
        }
    }
}

/// Compares values by their JSON types.
pub(crate) fn compare_values(left: &Value, right: &Value) -> Ordering {
    Key::untyped(left).total(&Key::untyped(right))
}

fn compare_lists(left: &[Value], right: &[Value]) -> Ordering {
    let both = left.iter().zip(right).map(|(left, right)| compare_values(left, right));
    both.fold(Ordering::Equal, Ordering::then).then(left.len().cmp(&right.len()))
}

/// Compares the entries in the order of their keys.
fn compare_objects(left: &Map<String, Value>, right: &Map<String, Value>) -> Ordering {
    let sorted = |object: &'_ Map<String, Value>| {
        let mut keys: Vec<String> = object.keys().cloned().collect();
        keys.sort();
        keys
    };
    let (left_keys, right_keys) = (sorted(left), sorted(right));
    let null = Value::Null;
    let both = left_keys.iter().zip(&right_keys).map(|(left_key, right_key)| {
        let values = (left.get(left_key).unwrap_or(&null), right.get(right_key).unwrap_or(&null));
        left_key.cmp(right_key).then_with(|| compare_values(values.0, values.1))
    });
    both.fold(Ordering::Equal, Ordering::then).then(left_keys.len().cmp(&right_keys.len()))
}

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);

/// Reads base64 in either alphabet, with padding or without, as proto3 does.
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let alphabet = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    GeneralPurpose::new(alphabet, LENIENT).decode(text).ok()
}
