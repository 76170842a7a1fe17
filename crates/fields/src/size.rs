use serde_json::Value;

/// The length of a value as JSON, in bytes; a little more where it has to be escaped. Nothing is written for that.
pub fn json_size(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Bool(_) => 5,
        Value::Number(_) => 20,
        Value::String(text) => text_size(text),
        Value::Array(items) => items.iter().map(|it| json_size(it) + 1).sum::<usize>() + 2,
        Value::Object(object) => {
            object.iter().map(|(key, it)| text_size(key) + json_size(it) + 2).sum::<usize>() + 2
        }
    }
}

fn text_size(text: &str) -> usize {
    // The shortest escapes have two bytes, those of control characters six.
    let escaped = text.bytes().map(|it| match it {
        b'"' | b'\\' => 1,
        0..0x20 => 5,
        _ => 0,
    });
    text.len() + 2 + escaped.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_value_is_longer_than_its_size() {
        for value in [
            json!(null),
            json!([true, false, -1, 1.5e300, u64::MAX]),
            json!({"a": {"b\n": ["\u{1}\"\\ü🚀", ""]}, "": {}}),
        ] {
            let (length, size) = (value.to_string().len(), json_size(&value));
            assert!(length <= size && size < length * 2 + 40, "{value}: {length} {size}");
        }
    }
}
