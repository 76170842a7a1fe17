mod text;
mod typed;
mod walk;

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
    sync::Arc,
};

use serde_json::{Map, Value};

pub(crate) use text::{Reader, Spelling, in_backquotes};
pub use walk::Found;
pub(crate) use walk::{clear, is_default_value, remove, token};

use crate::schema::lower_camel;

/// A path to a field: `spec.node_selector`, through a map with its key (``metadata.labels.`app.org/name` ``).
///
/// Segments are separated by dots. A segment that has other characters than ASCII letters, digits, `_`, `-` and `/` is
/// written in backquotes, as AIP-161 has it for keys of maps; a backquote in it is doubled. `*` is every element of a
/// list and every entry of a map; in backquotes it is a key. Lists are passed through without a segment of their own.
///
/// Two paths are equal if they have the same segments. A path that was [resolved](Self::typed) knows which segments are
/// keys, and finds those only as they are written; others are found by the name as written, or else by its name in JSON.
#[derive(Clone, Debug, Default)]
pub struct FieldPath {
    segments: Arc<[Segment]>,
}

/// A part of a path.
#[derive(Clone, Debug)]
pub(crate) enum Segment {
    /// A field, or a key of a map.
    Name { text: Arc<str>, json: Arc<str> },
    /// Every element or entry.
    Each,
}

impl Segment {
    /// A field's name, which JSON has in `lowerCamelCase`.
    pub(crate) fn field(name: &str) -> Self {
        let text: Arc<str> = name.into();
        let json = lower_camel(name);
        let json = if json == name { text.clone() } else { json.into() };
        Self::Name { text, json }
    }

    /// A key of a map, which JSON has as it is.
    pub(crate) fn key(key: &str) -> Self {
        let text: Arc<str> = key.into();
        Self::Name { json: text.clone(), text }
    }

    /// The text, without backquotes; `*` for each.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Name { text, .. } => text,
            Self::Each => "*",
        }
    }

    /// The key that JSON has for it; `*` for each.
    pub(crate) fn json(&self) -> &str {
        match self {
            Self::Name { json, .. } => json,
            Self::Each => "*",
        }
    }

    fn identity(&self) -> (bool, &str) {
        (matches!(self, Self::Each), self.text())
    }

    /// The key by which an object has it.
    pub(crate) fn spelling<'a>(&'a self, object: &Map<String, Value>) -> Option<&'a str> {
        match self {
            Self::Name { text, .. } if object.contains_key(&**text) => Some(text),
            Self::Name { json, .. } if object.contains_key(&**json) => Some(json),
            Self::Name { .. } | Self::Each => None,
        }
    }

    /// The value that an object has of it.
    pub(crate) fn of<'a>(&self, object: &'a Map<String, Value>) -> Option<&'a Value> {
        match self {
            Self::Name { text, json } if Arc::ptr_eq(text, json) => object.get(&**text),
            Self::Name { text, json } => object.get(&**text).or_else(|| object.get(&**json)),
            Self::Each => None,
        }
    }
}

impl PartialEq for Segment {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Segment {}

impl PartialOrd for Segment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Segment {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl FieldPath {
    pub(crate) fn new(segments: impl IntoIterator<Item = Segment>) -> Self {
        Self { segments: segments.into_iter().collect() }
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The path of these fields, taken as they are, one a segment.
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(names.into_iter().map(Segment::field))
    }

    /// The segments, without backquotes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().map(Segment::text)
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// It has no segments, and is the whole value.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// True if it has every element or entry of something (`*`).
    pub fn has_wildcard(&self) -> bool {
        self.segments.contains(&Segment::Each)
    }

    /// True if it is the other path, or a path below it.
    pub fn starts_with(&self, other: &Self) -> bool {
        self.segments.starts_with(&other.segments)
    }

    /// The path of a field below it.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        self.with(Segment::field(name))
    }

    /// The path of this one, and then of another one from there.
    #[must_use]
    pub fn concat(&self, other: &Self) -> Self {
        Self::new(self.segments.iter().chain(other.segments.iter()).cloned())
    }

    /// The rest of the path below another one; `None` if it does not begin with that.
    pub fn below(&self, other: &Self) -> Option<Self> {
        Some(Self::new(self.segments.strip_prefix(&*other.segments)?.iter().cloned()))
    }

    /// The path of the first segment.
    #[must_use]
    pub fn head(&self) -> Self {
        Self::new(self.segments.iter().take(1).cloned())
    }

    /// The path of the segments after the first.
    #[must_use]
    pub fn tail(&self) -> Self {
        Self::new(self.segments.iter().skip(1).cloned())
    }

    pub(crate) fn with(&self, segment: Segment) -> Self {
        Self::new(self.segments.iter().cloned().chain([segment]))
    }
}

impl PartialEq for FieldPath {
    fn eq(&self, other: &Self) -> bool {
        self.segments == other.segments
    }
}

impl Eq for FieldPath {}

impl PartialOrd for FieldPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A path comes directly before the paths below it.
impl Ord for FieldPath {
    fn cmp(&self, other: &Self) -> Ordering {
        self.segments.cmp(&other.segments)
    }
}

impl Hash for FieldPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.segments.iter().for_each(|it| it.identity().hash(state));
    }
}

#[cfg(test)]
mod tests;
