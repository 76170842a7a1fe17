use std::{cmp::Ordering, fmt::Write};

use serde_json::Value;

use super::Place;
use crate::{
    FieldPath, MessageType,
    compare::{Key, ValueType},
};

impl Place<'_> {
    /// A text that two elements have in common if they are the same.
    pub(super) fn identity(&self, element: &Value) -> String {
        let mut text = String::new();
        match self.identifiers() {
            Some((of, names)) => {
                names.iter().for_each(|name| write_key(&identifier(name, of, element), &mut text));
            }
            None => write_key(&Key::of(ValueType::of(self.field, self.of), element), &mut text),
        }
        text
    }

    /// The order of two elements by their identifiers, or else by their values.
    pub(super) fn compare(&self, left: &Value, right: &Value) -> Ordering {
        let Some((of, names)) = self.identifiers() else {
            let ty = ValueType::of(self.field, self.of);
            return Key::of(ty, left).total(&Key::of(ty, right));
        };
        let by = |name: &FieldPath| identifier(name, of, left).total(&identifier(name, of, right));
        names.iter().map(by).fold(Ordering::Equal, Ordering::then)
    }

    fn identifiers(&self) -> Option<(MessageType<'_>, Vec<FieldPath>)> {
        let of = self.of.of_field(self.field)?;
        let names = &self.field.merge.identifiers;
        (!names.is_empty()).then(|| (of, names.iter().map(|it| FieldPath::of_names(it.split('.'))).collect()))
    }
}

/// The value of an identifier, or its default.
fn identifier<'a>(name: &FieldPath, of: MessageType<'a>, element: &'a Value) -> Key<'a> {
    let ty = name.resolve(of).map_or(ValueType::Untyped, |it| ValueType::of(it.field, of));
    name.get(element).map_or_else(|| Key::default_of(ty), |it| Key::of(ty, it))
}

fn write_key(key: &Key<'_>, text: &mut String) {
    // Writing to a string cannot fail.
    let _ = match key {
        Key::Number(it) => write!(text, "{it},"),
        Key::Bytes(it) => write!(text, "b{it:?},"),
        Key::Nanos(it) => write!(text, "n{it},"),
        Key::Text(it) => write!(text, "{it:?},"),
        Key::Bool(it) => write!(text, "{it},"),
        Key::Null => write!(text, "null,"),
        Key::List(list) => {
            text.push('[');
            list.iter().for_each(|it| write_key(&Key::of(ValueType::Untyped, it), text));
            write!(text, "],")
        }
        Key::Object(object) => {
            let mut entries: Vec<_> = object.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (key, value) in entries {
                let _ = write!(text, "{key:?}:");
                write_key(&Key::of(ValueType::Untyped, value), text);
            }
            write!(text, "}},")
        }
    };
}
