//! Values as JSON with secrets in clear: for adapters and in memory only, never to be kept or shown.

use model::{Data, Map, Origin, Value};
use serde_json::{Map as JsonMap, Number, Value as Json};
use state::to_value;

/// A value as it is sent to adapters. Unknown values become null; the caller has made sure that there are
/// none.
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

/// A float without a fraction is written as an integer, because many readers expect one.
fn number(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        return Json::Number((number as i64).into());
    }
    Number::from_f64(number).map_or(Json::Null, Json::Number)
}

/// A map that an adapter reported, as a value.
pub(crate) fn value_map(map: &JsonMap<String, Json>, origin: Origin) -> Value {
    let map = map.iter().map(|(key, it)| (key.as_str().into(), to_value(it, origin))).collect();
    Value::new(Data::Map(map), origin)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value(data: Data) -> Value {
        Value::new(data, Origin::Recorded)
    }

    #[test]
    fn numbers_are_whole_where_that_is_exact() {
        for (float, expected) in [
            (1.0, json!(1)),
            (-3.0, json!(-3)),
            (1.5, json!(1.5)),
            (-0.25, json!(-0.25)),
            (9_007_199_254_740_991.0, json!(9_007_199_254_740_991_i64)),
            (-9_007_199_254_740_991.0, json!(-9_007_199_254_740_991_i64)),
            (9_007_199_254_740_992.0, json!(9_007_199_254_740_992.0)),
            (-9_007_199_254_740_992.0, json!(-9_007_199_254_740_992.0)),
            (1e300, json!(1e300)),
            (f64::INFINITY, Json::Null),
            (f64::NAN, Json::Null),
        ] {
            assert_eq!(clear(&value(Data::Float(float))), expected, "{float}");
        }
    }

    #[test]
    fn adapters_get_secrets_in_clear() {
        let kept = json!({"null": null, "yes": true, "two": 2, "list": ["a", {"in": [false]}], "text": "t"});
        let mut map = value_map(kept.as_object().expect("a map"), Origin::Observed);
        assert_eq!((clear(&map), map.origin), (kept, Origin::Observed));
        map.sensitive = true;
        assert_eq!(clear(&map)["text"], "t");
        assert_eq!(clear(&value(Data::Unknown(model::Expression { parts: Vec::new() }))), Json::Null);
    }
}
