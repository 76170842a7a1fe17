//! Merging of messages, with a behaviour for each field (`goten.annotations.MergeOpts`).

mod container;
mod identity;

use serde_json::{Map, Value};

use crate::{
    MessageType,
    compare::{Absent, Key, ValueType},
    path::{Segment, remove},
    schema::{Cardinality, Field, FieldType},
};

/// Merges a message into another, as proto3 merges messages:
///
/// - A scalar, enumeration or message of `google.protobuf` that the source has replaces that of the destination. Null is
///   absent, and so is the default of a field that is not `optional`: zero, false, an empty text.
/// - Messages are merged field by field. Setting a field of a oneof clears the others of it.
/// - Lists and maps follow [`MergeBehavior`](crate::schema::MergeBehavior); one that is absent is empty, so behaviours that
///   drop what the source lacks drop everything if the source has nothing. Elements of a list are the same if their
///   `identifiers` are, or, without identifiers, if they are equal; a list then is a set whose order is kept: that of the
///   destination, then what only the source has. If elements or entries are in both, messages are merged, and others are the
///   source's. `Append` is for lists without identifiers; for other lists and for maps it is the default.
/// - A merged list is sorted, if `sorting` says so, by identifiers or by value; lists of messages without identifiers are not.
/// - Fields that the message does not have are taken from the source.
///
/// # Associativity
///
/// `a·(b·c) = (a·b)·c` holds for these, and not for others:
///
/// | behaviour | sets of scalars | maps of scalars | lists by identifier, maps of messages |
/// |---|---|---|---|
/// | `Default` | yes | yes | yes |
/// | `Replace` | yes | yes | yes |
/// | `DiscardOnlyInDestination` | yes, but for the order | yes | no |
/// | `DiscardOnlyInSource` | yes | no | no |
/// | `And` | yes | yes | yes |
/// | `Xor` | yes, but for the order | no | no |
/// | `Append` | yes | yes | yes |
///
/// An entry that all but the middle message have is where they differ: it is merged from both others on one side only.
/// A oneof with a message is not associative either: another field that is set between two of its values clears the first.
pub fn merge(onto: &mut Value, source: &Value, of: MessageType<'_>) {
    match (onto, source) {
        (_, Value::Null) => {}
        (Value::Object(onto), Value::Object(source)) => merge_message(onto, source, of),
        (onto, source) => onto.clone_from(source),
    }
}

fn merge_message(onto: &mut Map<String, Value>, source: &Map<String, Value>, of: MessageType<'_>) {
    for field in &of.message().fields {
        let place = Place { field, of, segment: Segment::field(&field.name) };
        match field.cardinality {
            Cardinality::One | Cardinality::Optional => place.merge_one(onto, source),
            Cardinality::Repeated => place.merge_list(onto, source),
            Cardinality::Map(_) => place.merge_map(onto, source),
        }
    }
    for (key, value) in source.iter().filter(|(key, _)| of.field(key).is_none()) {
        onto.insert(key.clone(), value.clone());
    }
}

/// A field of the messages that are merged.
struct Place<'a> {
    field: &'a Field,
    of: MessageType<'a>,
    segment: Segment,
}

impl Place<'_> {
    fn merge_one(&self, onto: &mut Map<String, Value>, source: &Map<String, Value>) {
        let Some(value) = self.segment.of(source).filter(|it| !self.is_unset(it)) else {
            return;
        };
        self.clear_others(onto);
        let mut merged = self.segment.of(onto).cloned().unwrap_or_default();
        self.merge_value(&mut merged, value);
        self.put(onto, source, merged);
    }

    /// Merges one value of the field, which is not null.
    fn merge_value(&self, onto: &mut Value, source: &Value) {
        match self.of.of_field(self.field) {
            Some(of) => merge(onto, source, of),
            None => onto.clone_from(source),
        }
    }

    fn is_unset(&self, value: &Value) -> bool {
        let ty = ValueType::of(self.field, self.of);
        let has_default = Absent::of(self.field) == Absent::Default;
        value.is_null() || has_default && Key::of(ty, value) == Key::default_of(ty)
    }

    /// Clears the other fields of its oneof.
    fn clear_others(&self, onto: &mut Map<String, Value>) {
        let Some(group) = &self.field.oneof else {
            return;
        };
        let fields = self.of.message().fields.iter();
        let others = fields.filter(|it| it.oneof.as_ref() == Some(group) && it.name != self.field.name);
        others.for_each(|it| remove(&Segment::field(&it.name), onto));
    }

    /// Sets the field by the name that the destination has it by, or else that of the source. An empty container is
    /// absent, unless the destination had it.
    fn put(&self, onto: &mut Map<String, Value>, source: &Map<String, Value>, value: Value) {
        if self.segment.of(onto) == Some(&value) {
            return;
        }
        if value.as_array().is_some_and(Vec::is_empty)
            || value.as_object().is_some_and(|it| it.is_empty() && self.is_map())
        {
            return remove(&self.segment, onto);
        }
        let key = self.segment.spelling(onto).or_else(|| self.segment.spelling(source));
        if let Some(key) = key.map(str::to_owned) {
            onto.insert(key, value);
        }
    }

    const fn is_map(&self) -> bool {
        matches!(self.field.cardinality, Cardinality::Map(_))
    }

    /// True if its elements are messages.
    const fn has_messages(&self) -> bool {
        matches!(self.field.ty, FieldType::Message(_))
    }
}

#[cfg(test)]
mod tests;
