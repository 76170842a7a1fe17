use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use crate::{
    FieldMask, MessageType, Number,
    compare::{Absent, Key, ValueType, decode_base64},
    path::Segment,
    schema::{Cardinality, Field, FieldType, Scalar, WellKnown},
    time::{parse_duration, parse_timestamp, print_duration, print_timestamp},
    validate::check_scalar,
};

/// The canonical JSON of a message, as proto3 prints it: names in `lowerCamelCase` in the order of the schema, `int64` and
/// `uint64` as texts and other numbers as numbers, enumerations by name, base64 with padding, instants in UTC; fields that are
/// null or have their default are left out, but for those of a oneof and those that are `optional`.
///
/// Invalid values stay as they are, and unknown fields stay at the end, so nothing is lost before it can be
/// reported. Normalizing twice changes nothing more.
#[must_use]
pub fn normalize(value: &Value, of: MessageType<'_>) -> Value {
    let Value::Object(object) = value else {
        return value.clone();
    };
    let mut normal = Map::new();
    for field in &of.message().fields {
        let segment = Segment::field(&field.name);
        if let Some(value) = segment.of(object)
            && let Some(value) = field_value(field, of, value)
        {
            normal.insert(field.json_name(), value);
        }
    }
    for (key, value) in object.iter().filter(|(key, _)| is_rest(object, of, key)) {
        normal.insert(key.clone(), value.clone());
    }
    Value::Object(normal)
}

/// True if a key is not one that a field was read from: not known, or the second spelling of a field.
fn is_rest(object: &Map<String, Value>, of: MessageType<'_>, key: &str) -> bool {
    let spelling = of.field(key).and_then(|it| Segment::field(&it.name).spelling(object).map(|it| it == key));
    spelling != Some(true)
}

/// The value of a field; `None` if it is left out.
fn field_value(field: &Field, of: MessageType<'_>, value: &Value) -> Option<Value> {
    let ty = ValueType::of(field, of);
    match (field.cardinality, value) {
        (Cardinality::Repeated, Value::Array(list)) => {
            (!list.is_empty()).then(|| list.iter().map(|it| one(field, of, it)).collect())
        }
        (Cardinality::Map(_), Value::Object(map)) => {
            let values = map.iter().map(|(key, it)| (key.clone(), one(field, of, it)));
            (!map.is_empty()).then(|| Value::Object(values.collect()))
        }
        (Cardinality::One | Cardinality::Optional, Value::Null) if is_value(field) => Some(Value::Null),
        (_, Value::Null) => None,
        (Cardinality::Repeated | Cardinality::Map(_), _) => Some(value.clone()),
        (Cardinality::One | Cardinality::Optional, _) => {
            let is_default =
                Absent::of(field) == Absent::Default && Key::of(ty, value) == Key::default_of(ty);
            (!is_default).then(|| one(field, of, value))
        }
    }
}

/// Null is a value of `google.protobuf.Value`.
const fn is_value(field: &Field) -> bool {
    matches!(field.ty, FieldType::WellKnown(WellKnown::Value))
}

fn one(field: &Field, of: MessageType<'_>, value: &Value) -> Value {
    let normal = match &field.ty {
        FieldType::Message(_) => of.of_field(field).map(|of| normalize(value, of)),
        FieldType::Scalar(it) | FieldType::WellKnown(WellKnown::Wrapper(it)) => scalar(*it, value),
        FieldType::Enum(_) => enum_name(ValueType::of(field, of), value),
        FieldType::WellKnown(it) => value.as_str().and_then(|text| well_known(*it, text)),
        FieldType::Foreign(_) => None,
    };
    normal.unwrap_or_else(|| value.clone())
}

fn well_known(known: WellKnown, text: &str) -> Option<Value> {
    Some(Value::from(match known {
        WellKnown::Timestamp => print_timestamp(parse_timestamp(text)?),
        WellKnown::Duration => print_duration(parse_duration(text)?),
        WellKnown::FieldMask => FieldMask::parse_json(text).ok()?.to_json(),
        WellKnown::Struct
        | WellKnown::Value
        | WellKnown::ListValue
        | WellKnown::Empty
        | WellKnown::Any
        | WellKnown::Wrapper(_) => return None,
    }))
}

/// The scalar, if it is valid.
fn scalar(scalar: Scalar, value: &Value) -> Option<Value> {
    if check_scalar(scalar, value).is_some() {
        return None;
    }
    let number = || match value {
        Value::String(it) => Number::parse(it),
        Value::Number(it) => Some(Number::from_json(it)),
        _ => None,
    };
    match (scalar, value) {
        (Scalar::Bool | Scalar::String, _) => None,
        (Scalar::Bytes, _) => Some(Value::from(STANDARD.encode(decode_base64(value.as_str()?)?))),
        (Scalar::Int64 | Scalar::Uint64, _) => Some(Value::from(number()?.to_string())),
        (Scalar::Int32 | Scalar::Uint32, _) => int(number()?),
        (Scalar::Double | Scalar::Float, _) => float(number()?.as_f64()),
    }
}

fn int(number: Number) -> Option<Value> {
    match number {
        Number::Int(it) => i64::try_from(it).ok().map(Value::from),
        Number::Float(_) => None,
    }
}

/// Doubles that are integers are written as such; infinite values and NaN are texts.
fn float(value: f64) -> Option<Value> {
    match Number::from_f64(value) {
        Number::Int(it) => int(Number::Int(it)),
        Number::Float(it) if it.is_finite() => Some(Value::from(it)),
        it @ Number::Float(_) => Some(Value::from(it.to_string())),
    }
}

fn enum_name(ty: ValueType<'_>, value: &Value) -> Option<Value> {
    let (ValueType::Enum(definition), Value::Number(number)) = (ty, value) else {
        return None;
    };
    let number = Number::from_json(number);
    let name = definition.values.iter().find(|(_, it)| Number::Int((*it).into()) == number)?;
    Some(Value::from(&*name.0))
}
