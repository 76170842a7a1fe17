use std::collections::BTreeSet;

use super::FieldMask;
use crate::{FieldPath, MessageType, message_type::is_map, schema::Message};

impl FieldMask {
    /// The fields of this mask that are not in the other one (Goten's `SubtractRaw`):
    ///
    /// - `{a, c} - {a, b} = {c}`;
    /// - `{a} - {a.b}` is every other field of the message `a`, if the schema has it. `*` is the fields of the message;
    /// - `{a.b} - {a} = {}`.
    ///
    /// The entries of a map and the fields of a message that is not known cannot be listed: of these, and without a type,
    /// the whole field remains. The result then has more fields than the difference; it never lacks one.
    #[must_use]
    pub fn subtract(&self, other: &Self, of: Option<MessageType<'_>>) -> Self {
        if other.is_full {
            return Self::default();
        }
        let mut rest = BTreeSet::new();
        if self.is_full {
            subtract(&FieldPath::default(), other, of, &mut rest);
        }
        for path in self.paths() {
            subtract(path, other, of, &mut rest);
        }
        Self::of(rest)
    }
}

fn subtract(
    path: &FieldPath,
    other: &FieldMask,
    of: Option<MessageType<'_>>,
    rest: &mut BTreeSet<FieldPath>,
) {
    if other.covers(path) {
        return;
    }
    match of
        .and_then(|of| message_at(path, of))
        .filter(|_| path.is_empty() && !other.is_empty() || other.touches(path))
    {
        Some(message) => {
            message.fields.iter().for_each(|it| subtract(&path.join(&it.name), other, of, rest));
        }
        None => drop(rest.insert(path.clone())),
    }
}

/// The message whose fields the paths below this one are.
fn message_at<'a>(path: &FieldPath, of: MessageType<'a>) -> Option<&'a Message> {
    if path.is_empty() {
        return Some(of.message());
    }
    let end = path.resolve(of).ok()?;
    if is_map(end.field) && !end.is_element {
        return None;
    }
    MessageType::of_field(of, end.field).map(MessageType::message)
}
