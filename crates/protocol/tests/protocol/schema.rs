//! The part of JSON Schema that the document uses. An unknown keyword is an error.

use serde_json::Value as Json;

/// The reason why a value does not match a schema; `None` if it does.
pub(crate) fn wrong(document: &Json, schema: &Json, value: &Json) -> Option<String> {
    let words = schema.as_object().expect("a schema is a map");
    words.iter().find_map(|(word, meant)| match word.as_str() {
        "description" | "examples" => None,
        "$ref" => {
            let target = meant.as_str().and_then(|it| document.pointer(it.strip_prefix('#')?));
            let target = target.unwrap_or_else(|| panic!("{meant} leads nowhere"));
            wrong(document, target, value)
        }
        "type" => (!is_of(meant.as_str().unwrap(), value)).then(|| format!("{value} is not {meant}")),
        "enum" => {
            let listed = meant.as_array().unwrap().contains(value);
            (!listed).then(|| format!("{value} is none of {meant}"))
        }
        "const" => (value != meant).then(|| format!("{value} is not {meant}")),
        "minimum" => (value.as_i64() < meant.as_i64()).then(|| format!("{value} is less than {meant}")),
        "maximum" => (value.as_i64() > meant.as_i64()).then(|| format!("{value} is more than {meant}")),
        "minLength" => {
            let length = value.as_str().map_or(0, |it| it.chars().count() as u64);
            (Some(length) < meant.as_u64()).then(|| format!("{value} is too short"))
        }
        "items" => value.as_array().into_iter().flatten().find_map(|item| wrong(document, meant, item)),
        "required" => {
            let mut names = meant.as_array().unwrap().iter().map(|it| it.as_str().unwrap());
            names.find(|name| value.get(name).is_none()).map(|name| format!("{value} lacks `{name}`"))
        }
        "properties" => meant.as_object().unwrap().iter().find_map(|(name, schema)| {
            wrong(document, schema, value.get(name)?).map(|why| format!("{name}: {why}"))
        }),
        "additionalProperties" => {
            assert_eq!(meant, true);
            None
        }
        other => panic!("`{other}` is not checked"),
    })
}

fn is_of(kind: &str, value: &Json) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("`{other}` is not checked"),
    }
}
