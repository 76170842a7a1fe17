use fields::{MessageType, normalize};
use serde_json::Value;

/// True if a resource has everything of another one, after both are in the form of proto3. Fields that only the server sets,
/// and fields that the other one lacks, do not count.
pub fn has_all(resource: &Value, of: &Value, message: Option<MessageType<'_>>) -> bool {
    let Some(message) = message else { return contains(resource, of) };
    let mut sent = normalize(of, message);
    if let Some(object) = sent.as_object_mut() {
        for field in message.message().fields.iter().filter(|it| it.output_only) {
            object.shift_remove(&field.json_name());
        }
    }
    contains(&normalize(resource, message), &sent)
}

fn contains(value: &Value, expected: &Value) -> bool {
    match (value, expected) {
        (Value::Object(value), Value::Object(expected)) => expected.iter().all(|(key, expected)| {
            expected.is_null() || value.get(key).is_some_and(|value| contains(value, expected))
        }),
        (value, expected) => value == expected,
    }
}
