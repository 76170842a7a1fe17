use serde_json::{Map, Value};

use crate::{MessageType, message_type::is_map, schema::Field};

/// A message without the fields that its type does not have: those of a version in which it had more. Open messages keep
/// theirs.
#[must_use]
pub fn without_unknown(value: &Value, of: MessageType<'_>) -> Value {
    let Value::Object(object) = value else { return value.clone() };
    let kept = object.iter().filter_map(|(key, value)| match of.field(key) {
        Some(field) => Some((key.clone(), field_value(field, value, of))),
        None => of.message().open.then(|| (key.clone(), value.clone())),
    });
    Value::Object(kept.collect::<Map<_, _>>())
}

fn field_value(field: &Field, value: &Value, of: MessageType<'_>) -> Value {
    let Some(inner) = of.of_field(field) else { return value.clone() };
    match value {
        Value::Array(items) => items.iter().map(|it| without_unknown(it, inner)).collect(),
        Value::Object(map) if is_map(field) => {
            let values = map.iter().map(|(key, it)| (key.clone(), without_unknown(it, inner)));
            Value::Object(values.collect())
        }
        value => without_unknown(value, inner),
    }
}

/// Gives a message the fields that another type has and its own does not, as they are stored: who writes the one version of a
/// resource does not know those of the other. A message that is left out is cleared as a whole, if its own type has something
/// of it; the elements of a list keep theirs if nothing that its own type has of them has changed.
pub fn keep_others(stored: &Value, value: &mut Value, own: MessageType<'_>, other: MessageType<'_>) {
    let (Value::Object(stored), Value::Object(value)) = (stored, value) else { return };
    for field in &other.message().fields {
        let name = field.json_name();
        let Some(kept) = stored.get(&name) else { continue };
        match own.field(&field.name) {
            None if is_replaced(field, value, other) => {}
            None => drop(value.entry(name).or_insert_with(|| field_value(field, kept, other))),
            Some(same) => {
                if let (Some(own), Some(other)) = (own.of_field(same), other.of_field(field)) {
                    keep_inside(field, kept, value, own, other);
                }
            }
        }
    }
}

/// True if another field is set of a group of which one can be.
fn is_replaced(field: &Field, value: &Map<String, Value>, of: MessageType<'_>) -> bool {
    let group = of.message().fields.iter().filter(|it| it.oneof.is_some() && it.oneof == field.oneof);
    group.filter(|it| it.name != field.name).any(|it| value.contains_key(&it.json_name()))
}

/// The same for the messages that a field of both has.
fn keep_inside(
    field: &Field,
    stored: &Value,
    value: &mut Map<String, Value>,
    own: MessageType<'_>,
    other: MessageType<'_>,
) {
    match (stored, value.get_mut(&field.json_name())) {
        (Value::Object(stored), Some(Value::Object(values))) if is_map(field) => {
            let both = values.iter_mut().filter_map(|(key, it)| Some((stored.get(key)?, it)));
            both.for_each(|(stored, it)| keep_others(stored, it, own, other));
        }
        (Value::Array(stored), Some(Value::Array(values))) => keep_elements(stored, values, own, other),
        (_, Some(value)) => keep_others(stored, value, own, other),
        (Value::Object(_), None) if !is_map(field) => {
            if without_unknown(stored, own) == Value::Object(Map::new()) {
                value.insert(field.json_name(), without_unknown(stored, other));
            }
        }
        (_, None) => {}
    }
}

fn keep_elements(stored: &[Value], values: &mut [Value], own: MessageType<'_>, other: MessageType<'_>) {
    let mut left: Vec<(Value, &Value)> = stored.iter().map(|it| (without_unknown(it, own), it)).collect();
    for value in values {
        if let Some(at) = left.iter().position(|(known, _)| known == value) {
            keep_others(left.remove(at).1, value, own, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection, option, prelude::*, sample::select};
    use serde_json::json;

    use super::*;
    use crate::{schema::Schema, testing::service};

    /// The service in a version without some fields: its messages, and their fields.
    fn without(fields: &[(&str, &str)]) -> Schema {
        let mut schema = service();
        for (message, field) in fields {
            let message = schema.messages.get_mut(*message).expect("a message");
            message.fields.retain(|it| &*it.name != *field);
        }
        schema
    }

    const REMOVED: [(&str, &str); 5] = [
        ("Pod", "size"),
        ("Pod", "target_name"),
        ("Container", "image"),
        ("Port", "host_name"),
        ("Spec", "node_name"),
    ];

    #[test]
    fn fields_of_the_other_type_are_kept() {
        let (own, all) = (without(&REMOVED), service());
        for (stored, sent, expected) in [
            (json!({"size": "12"}), json!({"displayName": "y"}), json!({"displayName": "y", "size": "12"})),
            (json!({"displayName": "x", "size": "12"}), json!({}), json!({"size": "12"})),
            (
                json!({"spec": {"containers": [{"name": "a", "image": "i"}, {"name": "b", "image": "j"}]}}),
                json!({"spec": {"containers": [{"name": "b"}, {"name": "c"}]}}),
                json!({"spec": {"containers": [{"name": "b", "image": "j"}, {"name": "c"}]}}),
            ),
            // Of equal elements, each keeps its own.
            (
                json!({"spec": {"containers": [{"name": "a", "image": "i"}, {"name": "a", "image": "j"}]}}),
                json!({"spec": {"containers": [{"name": "a"}, {"name": "a"}, {"name": "a"}]}}),
                json!({"spec": {"containers": [{"name": "a", "image": "i"}, {"name": "a", "image": "j"}, {"name": "a"}]}}),
            ),
            (
                json!({"ports": {"x": {"number": 1, "hostName": "h"}, "y": {"hostName": "i"}}}),
                json!({"ports": {"x": {"number": 2}}}),
                json!({"ports": {"x": {"number": 2, "hostName": "h"}}}),
            ),
            (json!({"spec": {"nodeName": "n"}}), json!({}), json!({"spec": {"nodeName": "n"}})),
            (json!({"spec": {"nodeName": "n", "containers": [{"name": "a"}]}}), json!({}), json!({})),
            (json!({"targetName": "t"}), json!({"ready": true}), json!({"targetName": "t", "ready": true})),
            // One of a group only.
            (json!({"targetName": "t"}), json!({"targetPort": {}}), json!({"targetPort": {}})),
            (json!({"former": 1, "size": "1"}), json!({}), json!({"size": "1"})),
            (json!("text"), json!({}), json!({})),
        ] {
            let [own, all] = [&own, &all].map(|it| MessageType::new(it, "Pod").expect("a message"));
            let mut value = sent.clone();
            keep_others(&stored, &mut value, own, all);
            assert_eq!(value, expected, "{stored} {sent}");
        }
    }

    /// An object with some of these fields.
    fn object(fields: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
        let entries = fields
            .into_iter()
            .map(|(name, value)| option::of(value.prop_map(move |it| (name.to_owned(), it))));
        let entries: Vec<_> = entries.collect();
        entries.prop_map(|it| Value::Object(it.into_iter().flatten().collect())).boxed()
    }

    fn any_pod() -> BoxedStrategy<Value> {
        let text = || select(vec!["x", "y"]).prop_map(Value::from).boxed();
        let list = |it: BoxedStrategy<Value>| collection::vec(it, 0..4).prop_map(Value::from).boxed();
        let inner = object(vec![("nodeName", text())]);
        let container = object(vec![("name", text()), ("image", text()), ("spec", inner)]);
        let port = object(vec![("number", (0..3).prop_map(Value::from).boxed()), ("hostName", text())]);
        let spec = object(vec![("nodeName", text()), ("containers", list(container))]);
        let ports = object(vec![("x", port.clone()), ("y", port.clone())]);
        let fields = vec![
            ("displayName", text()),
            ("size", text()),
            ("former", text()),
            ("spec", spec),
            ("ports", ports),
            ("targetPort", port),
        ];
        object(fields)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_was_read_and_is_sent_back_changes_nothing(stored in any_pod()) {
            let (own, all) = (without(&REMOVED), service());
            let [own, all] = [&own, &all].map(|it| MessageType::new(it, "Pod").expect("a message"));
            let mut value = without_unknown(&stored, own);
            keep_others(&stored, &mut value, own, all);
            prop_assert_eq!(value, without_unknown(&stored, all));
        }
    }
}
