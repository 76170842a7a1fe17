use serde_json::Value;

use super::{Problem, wrong_type};
use crate::{
    FieldMask, Number, codes,
    compare::decode_base64,
    error::quoted,
    schema::{Scalar, WellKnown},
    time::{parse_duration, parse_timestamp},
};

/// The problem of a value of a scalar type, if it has one.
pub(crate) fn check_scalar(scalar: Scalar, value: &Value) -> Option<Problem> {
    match scalar {
        Scalar::Bool => (!value.is_boolean()).then(|| wrong_type(value, "true or false")),
        Scalar::String => (!value.is_string()).then(|| wrong_type(value, "a text")),
        Scalar::Bytes => {
            let is_valid = value.as_str().is_some_and(|it| decode_base64(it).is_some());
            (!is_valid).then(|| wrong_type(value, "a text in base64"))
        }
        Scalar::Double | Scalar::Float => check_float(scalar, value),
        Scalar::Int32 => check_int(value, i32::MIN.into(), i32::MAX.into()),
        Scalar::Int64 => check_int(value, i64::MIN.into(), i64::MAX.into()),
        Scalar::Uint32 => check_int(value, 0, u32::MAX.into()),
        Scalar::Uint64 => check_int(value, 0, u64::MAX.into()),
    }
}

/// The number that a value is, written as a number or as a text.
pub(crate) fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(it) => Some(Number::from_json(it)),
        Value::String(it) => Number::parse(it),
        _ => None,
    }
}

fn check_int(value: &Value, least: i128, most: i128) -> Option<Problem> {
    match number(value) {
        Some(Number::Int(it)) if (least..=most).contains(&it) => None,
        Some(it) if !it.as_f64().is_finite() => Some(wrong_type(value, "an integer")),
        Some(Number::Float(it)) if it.fract() != 0.0 => Some(wrong_type(value, "an integer")),
        Some(it) => Some(out_of_range(it, format!("{least} to {most}"))),
        None => Some(wrong_type(value, "an integer")),
    }
}

fn check_float(scalar: Scalar, value: &Value) -> Option<Problem> {
    let Some(number) = number(value) else {
        return Some(wrong_type(value, "a number, or \"NaN\", \"Infinity\" or \"-Infinity\""));
    };
    let most = if scalar == Scalar::Float { f64::from(f32::MAX) } else { f64::MAX };
    let is_word = value.as_str().is_some_and(|it| it.ends_with(['N', 'y']));
    (!is_word && number.as_f64().abs() > most).then(|| out_of_range(number, format!("-{most:e} to {most:e}")))
}

fn out_of_range(number: Number, range: String) -> Problem {
    let message = format!("{number} is out of the range {range}");
    (codes::OUT_OF_RANGE, message, "use a number of this range".to_owned())
}

/// The problem of a key of a map, if it has one.
pub(super) fn check_key(scalar: Scalar, key: &str) -> Option<Problem> {
    match scalar {
        Scalar::String | Scalar::Bytes | Scalar::Double | Scalar::Float => None,
        Scalar::Bool => {
            let message = || format!("expected the key `true` or `false`, but it is {}", quoted(key));
            (!matches!(key, "true" | "false"))
                .then(|| (codes::WRONG_TYPE, message(), "rename the key".to_owned()))
        }
        Scalar::Int32 | Scalar::Int64 | Scalar::Uint32 | Scalar::Uint64 => {
            check_scalar(scalar, &Value::from(key))
        }
    }
}

/// The problem of a value of a message of `google.protobuf`, if it has one.
pub(super) fn check_well_known(known: WellKnown, value: &Value) -> Option<Problem> {
    let text = |is_valid: fn(&str) -> bool, expected| {
        (!value.as_str().is_some_and(is_valid)).then(|| wrong_type(value, expected))
    };
    match known {
        WellKnown::Timestamp => {
            text(|it| parse_timestamp(it).is_some(), "an instant such as \"2026-01-31T12:00:00Z\"")
        }
        WellKnown::Duration => {
            text(|it| parse_duration(it).is_some(), "a duration in seconds such as \"1.5s\"")
        }
        WellKnown::FieldMask => {
            text(|it| FieldMask::parse_json(it).is_ok(), "paths in lowerCamelCase with commas")
        }
        WellKnown::Struct => (!value.is_object()).then(|| wrong_type(value, "an object")),
        WellKnown::Value => None,
        WellKnown::ListValue => (!value.is_array()).then(|| wrong_type(value, "a list")),
        WellKnown::Empty => {
            let is_empty = value.as_object().is_some_and(serde_json::Map::is_empty);
            (!is_empty).then(|| wrong_type(value, "an object without fields"))
        }
        WellKnown::Any => {
            let has_type = value.get("@type").is_some_and(Value::is_string);
            (!has_type).then(|| wrong_type(value, "an object with `@type`"))
        }
        WellKnown::Wrapper(scalar) => check_scalar(scalar, value),
    }
}
