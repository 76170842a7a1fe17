//! Values and trees as JSON, secrets left out.

use model::{Data, Value};
use serde_json::{Number, Value as Json};
use syntax::{Node, NodeData};

pub(crate) use model::HIDDEN;

/// A tree as JSON, keys in its order.
pub(crate) fn node_to_json(node: &Node) -> Json {
    match &node.data {
        NodeData::Null => Json::Null,
        NodeData::Bool(it) => Json::Bool(*it),
        NodeData::Int(it) => int_to_json(*it),
        NodeData::Float(it) => float_to_json(*it),
        NodeData::String(text, _) => Json::String(text.to_string()),
        NodeData::Sequence(items) => Json::Array(items.iter().map(node_to_json).collect()),
        NodeData::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            Json::Object(entries.map(|it| (it.key.to_string(), node_to_json(&it.value))).collect())
        }
    }
}

/// A value as JSON: an unknown part as its expression, secrets as null.
pub(crate) fn value_to_json(value: &Value) -> Json {
    value_with(value, &Json::Null)
}

/// The same for people to see: secrets as [`HIDDEN`].
pub(crate) fn shown_to_json(value: &Value) -> Json {
    value_with(value, &HIDDEN.into())
}

fn value_with(value: &Value, secret: &Json) -> Json {
    if value.sensitive {
        return secret.clone();
    }
    let inner = |value: &Value| value_with(value, secret);
    match &value.data {
        Data::Null => Json::Null,
        Data::Bool(it) => Json::Bool(*it),
        Data::Int(it) => int_to_json(*it),
        Data::Float(it) => float_to_json(*it),
        Data::String(text) => Json::String(text.to_string()),
        Data::List(items) => Json::Array(items.iter().map(inner).collect()),
        Data::Map(map) => Json::Object(map.iter().map(|(key, it)| (key.to_string(), inner(it))).collect()),
        Data::Unknown(expression) => Json::String(expression.to_string()),
    }
}

/// Whole numbers that JavaScript cannot hold exactly are written as text everywhere.
fn int_to_json(number: i64) -> Json {
    if number.unsigned_abs() < 1 << 53 {
        Json::Number(number.into())
    } else {
        Json::String(number.to_string())
    }
}

/// JSON has no infinities: they are written as YAML does. A float without fraction reads back as a whole number in
/// JavaScript, so it is written as one everywhere.
fn float_to_json(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        return Json::Number((number as i64).into());
    }
    match Number::from_f64(number) {
        Some(number) => Json::Number(number),
        None if number.is_nan() => Json::String(".nan".into()),
        None if number < 0.0 => Json::String("-.inf".into()),
        None => Json::String(".inf".into()),
    }
}
