use std::sync::Arc;

use model::{Data, Origin, Value, map_of};
use serde_json::{Map as JsonMap, Number, Value as Json};

use super::{KEY, is_written_mark};

/// The key for a number that JSON cannot represent.
const FLOAT: &str = "$float";

/// Reads a recorded value. Marks are sensitive.
pub fn to_value(json: &Json, origin: Origin) -> Value {
    let data = match json {
        Json::Null => Data::Null,
        Json::Bool(it) => Data::Bool(*it),
        Json::Number(it) => match it.as_i64() {
            Some(int) => Data::Int(int),
            None => Data::Float(it.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Data::String(text.as_str().into()),
        Json::Array(items) => Data::List(items.iter().map(|it| to_value(it, origin)).collect()),
        Json::Object(map) => object(map, origin),
    };
    Value { data, origin, sensitive: is_written_mark(json) }
}

fn object(map: &JsonMap<String, Json>, origin: Origin) -> Data {
    if let Some((key, value)) = only(map.iter())
        && let Some(rest) = key.strip_prefix('$')
    {
        if key == FLOAT
            && let Some(float) = value.as_str().and_then(float)
        {
            return Data::Float(float);
        }
        if is_reserved(rest) {
            return Data::Map(map_of([(Arc::from(rest), to_value(value, origin))]));
        }
    }
    Data::Map(map_of(map.iter().map(|(key, it)| (Arc::from(key.as_str()), to_value(it, origin)))))
}

/// Data as JSON; `inner` converts the values in it.
///
/// A map of a descriptor whose only key would be read as a reserved one gets one more `$`.
pub(super) fn encode(data: &Data, inner: &dyn Fn(&Value) -> Json) -> Json {
    match data {
        Data::Null => Json::Null,
        Data::Bool(it) => Json::Bool(*it),
        Data::Int(it) => (*it).into(),
        Data::Float(it) => Number::from_f64(*it).map_or_else(|| unusual(*it), Json::Number),
        Data::String(text) => Json::String(text.to_string()),
        Data::List(items) => Json::Array(items.iter().map(inner).collect()),
        Data::Map(map) => {
            let escape = if only(map.keys()).is_some_and(|key| is_reserved(key)) { "$" } else { "" };
            Json::Object(map.iter().map(|(key, it)| (format!("{escape}{key}"), inner(it))).collect())
        }
        Data::Unknown(expression) => Json::String(expression.to_string()),
    }
}

/// The input for the digest of a mark: equal values have the same text.
pub(super) fn plain(value: &Value) -> Json {
    match &value.data {
        Data::Float(it) if it.fract() == 0.0 && it.abs() < 9_007_199_254_740_992.0 => (*it as i64).into(),
        data => encode(data, &plain),
    }
}

/// `$sensitive` and `$float`, with any number of `$`.
fn is_reserved(key: &str) -> bool {
    let name = key.trim_start_matches('$');
    name.len() < key.len() && [KEY, FLOAT].iter().any(|it| it[1..] == *name)
}

fn unusual(number: f64) -> Json {
    let text = if number.is_nan() {
        ".nan"
    } else if number < 0.0 {
        "-.inf"
    } else {
        ".inf"
    };
    Json::Object(JsonMap::from_iter([(FLOAT.to_owned(), text.into())]))
}

fn float(text: &str) -> Option<f64> {
    match text {
        ".nan" => Some(f64::NAN),
        ".inf" => Some(f64::INFINITY),
        "-.inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}
