use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::FieldMask;
use crate::{
    FieldPath, MessageType, case::field_name, message_type::is_map, path::Segment, schema::lower_camel,
};

impl FieldMask {
    /// The smallest mask of fields in which two values differ: [copying](Self::copy) it from `new` onto `old` gives `new`.
    /// A list is one field. With a type, keys of maps are known as keys.
    pub fn diff(old: &Value, new: &Value, of: Option<MessageType<'_>>) -> Self {
        let mut paths = BTreeSet::new();
        diff(&FieldPath::default(), (old, new), Container::Message(of), &mut paths);
        Self::of(paths)
    }
}

/// The kind of an object.
#[derive(Clone, Copy)]
enum Container<'a> {
    Message(Option<MessageType<'a>>),
    Map(Option<MessageType<'a>>),
}

impl<'a> Container<'a> {
    /// The segment of an entry, and the kind of the entry.
    fn entry(self, key: &str) -> (Segment, Self) {
        match self {
            Self::Map(values) => (Segment::key(key), Self::Message(values)),
            Self::Message(None) => (Segment::field(&field_name(key)), self),
            Self::Message(Some(of)) => match of.field(key) {
                Some(field) if is_map(field) => (Segment::field(&field.name), Self::Map(of.of_field(field))),
                Some(field) => (Segment::field(&field.name), Self::Message(of.of_field(field))),
                None => (Segment::key(key), Self::Message(None)),
            },
        }
    }

    /// The identity of a field, which is the same for both spellings; keys of maps have only one.
    fn identity(self, key: &str) -> String {
        match self {
            Self::Map(_) => key.to_owned(),
            Self::Message(_) => lower_camel(key),
        }
    }
}

fn diff(path: &FieldPath, (old, new): (&Value, &Value), of: Container<'_>, paths: &mut BTreeSet<FieldPath>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(old), Value::Object(new)) => {
            let Some(keys) = keys(old, new, of) else {
                paths.insert(path.clone());
                return;
            };
            for key in keys {
                let (segment, inside) = of.entry(key);
                let path = path.with(segment);
                match (old.get(key), new.get(key)) {
                    (Some(old), Some(new)) => diff(&path, (old, new), inside, paths),
                    (None, None) => {}
                    (None, Some(_)) | (Some(_), None) => drop(paths.insert(path)),
                }
            }
        }
        (_, _) => drop(paths.insert(path.clone())),
    }
}

/// The keys of both; `None` if a field has two spellings, and a path would not say which of them is meant.
fn keys<'a>(
    old: &'a Map<String, Value>,
    new: &'a Map<String, Value>,
    of: Container<'_>,
) -> Option<BTreeSet<&'a str>> {
    let mut spellings: BTreeMap<String, &str> = BTreeMap::new();
    for key in old.keys().chain(new.keys()) {
        if *spellings.entry(of.identity(key)).or_insert(key) != key {
            return None;
        }
    }
    Some(spellings.into_values().collect())
}
