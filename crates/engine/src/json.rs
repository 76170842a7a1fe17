//! Values as JSON, secrets in clear: for adapters and for memory only, never for what is kept or shown.

use model::{Data, Map, Origin, Value};
use serde_json::{Map as JsonMap, Number, Value as Json};
use state::to_value;

/// A value as adapters get it. What is not known is null; the caller has made sure that there is none.
pub(crate) fn clear(value: &Value) -> Json {
    match &value.data {
        Data::Null | Data::Unknown(_) => Json::Null,
        Data::Bool(it) => Json::Bool(*it),
        Data::Int(it) => Json::Number((*it).into()),
        Data::Float(it) => number(*it),
        Data::String(text) => Json::String(text.to_string()),
        Data::List(items) => Json::Array(items.iter().map(clear).collect()),
        Data::Map(map) => Json::Object(clear_map(map)),
    }
}

pub(crate) fn clear_map(map: &Map) -> JsonMap<String, Json> {
    map.iter().map(|(key, it)| (key.to_string(), clear(it))).collect()
}

/// A float without fraction is a whole number to many readers, so it is written as one.
fn number(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        return Json::Number((number as i64).into());
    }
    Number::from_f64(number).map_or(Json::Null, Json::Number)
}

/// What an adapter says, as a value.
pub(crate) fn value_map(map: &JsonMap<String, Json>, origin: Origin) -> Value {
    let map = map.iter().map(|(key, it)| (key.as_str().into(), to_value(it, origin))).collect();
    Value::new(Data::Map(map), origin)
}
