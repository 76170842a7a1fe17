use diag::nearest;

use super::{FieldPath, Segment};
use crate::{MessageType, ParseError, codes, error::quoted, message_type::is_map, schema::Field};

/// A path of which each segment is known, and the field at its end.
#[derive(Clone, Debug)]
pub(crate) struct Typed<'a> {
    pub(crate) path: FieldPath,
    /// The field at the end; one value of it if `is_element`.
    pub(crate) field: &'a Field,
    /// The path ends with an entry of a map, or with an element of a list, of the field.
    pub(crate) is_element: bool,
    /// The last segment whose value is a list that the path passes through, or that is `*`: it has several values.
    pub(crate) many_at: Option<usize>,
    /// The last segment that is the key of a map.
    pub(crate) key_at: Option<usize>,
}

impl Typed<'_> {
    /// True if the path ends with a whole map.
    pub(crate) fn field_is_map(&self) -> bool {
        is_map(self.field) && !self.is_element
    }
}

impl FieldPath {
    /// The path with the names that the message's fields have, and with its keys known as keys.
    ///
    /// # Errors
    /// `fields/unknown-field` if there is no such field; the byte is that of the path's canonical text.
    pub fn typed(&self, of: MessageType<'_>) -> Result<Self, ParseError> {
        self.resolve(of).map(|it| it.path)
    }

    /// The field at the end of the path; that of the map or list, for one of its entries or elements.
    ///
    /// # Errors
    /// As [`Self::typed`].
    pub fn field<'a>(&self, of: MessageType<'a>) -> Result<&'a Field, ParseError> {
        self.resolve(of).map(|it| it.field)
    }

    pub(crate) fn resolve<'a>(&self, of: MessageType<'a>) -> Result<Typed<'a>, ParseError> {
        let mut segments = Vec::with_capacity(self.len());
        let mut message = Some(of);
        let mut end: Option<(&Field, bool)> = None;
        let (mut many_at, mut key_at) = (None, None);
        for (index, segment) in self.segments().iter().enumerate() {
            if let Some((field, false)) = end
                && takes_key(field, segment)
            {
                let at = if matches!(segment, Segment::Each) { &mut many_at } else { &mut key_at };
                *at = Some(index);
                segments.push(entry(segment));
                end = Some((field, true));
                continue;
            }
            let Some(field) = message.and_then(|it| it.field(segment.text())) else {
                return Err(unknown(&segments, segment, message));
            };
            if end.is_some_and(|(before, is_element)| is_repeated(before) && !is_element) {
                many_at = Some(index - 1);
            }
            segments.push(Segment::field(&field.name));
            message = message.and_then(|it| it.of_field(field));
            end = Some((field, false));
        }
        match end {
            Some((field, is_element)) => {
                Ok(Typed { path: Self::new(segments), field, is_element, many_at, key_at })
            }
            None => Err(unknown(&[], &Segment::key(""), Some(of))),
        }
    }
}

/// The error that there is no such field behind others. `of` is the message at their end; `None` if their end has no fields.
fn unknown(before: &[Segment], segment: &Segment, of: Option<MessageType<'_>>) -> ParseError {
    let path = FieldPath::new(before.iter().cloned()).to_string();
    let byte = if before.is_empty() { 0 } else { path.len() + 1 };
    let (name, known) = (segment.text(), of.iter().flat_map(|it| &it.message().fields).map(|it| &*it.name));
    let message = match of {
        Some(of) => format!("there is no field {} in {}", quoted(name), quoted(of.name())),
        None => format!("there is no field {}: {} has no fields", quoted(name), quoted(&path)),
    };
    let help = match (nearest(name, known), of) {
        (Some(near), _) => format!("did you mean {}?", quoted(near)),
        (None, Some(_)) => "use a field of the message, in snake_case".to_owned(),
        (None, None) => format!("use {} itself", quoted(&path)),
    };
    ParseError::new(codes::UNKNOWN_FIELD, byte, message, help)
}

fn takes_key(field: &Field, segment: &Segment) -> bool {
    is_map(field) || matches!(segment, Segment::Each) && is_repeated(field)
}

fn entry(segment: &Segment) -> Segment {
    match segment {
        Segment::Name { text, .. } => Segment::key(text),
        Segment::Each => Segment::Each,
    }
}

fn is_repeated(field: &Field) -> bool {
    use crate::schema::Cardinality::{Map, One, Optional, Repeated};
    match field.cardinality {
        Repeated | Map(_) => true,
        One | Optional => false,
    }
}
