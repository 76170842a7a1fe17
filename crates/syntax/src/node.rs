use std::sync::Arc;

use diag::Span;

/// The content of one file.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The content; `None` for an empty file or one with only comments.
    pub root: Option<Node>,
    /// The comments, `#` included, in order.
    pub comments: Vec<Span>,
    /// True if the text broke off: what is here is only what could be read before an error.
    pub partial: bool,
}

/// A value with the bytes it was read from.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub data: NodeData,
    /// The bytes: a scalar with its quotes, a collection from its first to its last token. A node that came from
    /// an alias or `<<` has the bytes of what the anchor names. An empty value has the empty span after its key.
    pub span: Span,
    /// The merge tag.
    pub tag: Tag,
}

/// The value of a [`Node`].
#[derive(Clone, Debug)]
pub enum NodeData {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number that fits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text, and how it was written.
    String(Arc<str>, Style),
    /// A list.
    Sequence(Arc<Vec<Node>>),
    /// A map.
    Mapping(Arc<Mapping>),
}

/// The style in which text was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// A merge instruction of a tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tag {
    /// Nothing.
    #[default]
    None,
    /// `!reset`: remove what was inherited.
    Reset,
    /// `!override`: replace what was inherited instead of merging with it.
    Override,
}

/// A map in the order it was written; keys are unique.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// One key with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key as text (`1:` is `"1"`).
    pub key: Arc<str>,
    /// The place of the key.
    pub key_span: Span,
    /// Its value.
    pub value: Node,
}

impl Mapping {
    /// The entry of a key. Linear: build an index for large maps.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| &*entry.key == key)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }
}

impl Node {
    /// A node without a tag.
    pub const fn new(data: NodeData, span: Span) -> Self {
        Self { data, span, tag: Tag::None }
    }

    /// True if this node or one within it has a tag.
    pub fn has_tags(&self) -> bool {
        self.tag != Tag::None
            || match &self.data {
                NodeData::Sequence(items) => items.iter().any(Self::has_tags),
                NodeData::Mapping(mapping) => mapping.entries.iter().any(|it| it.value.has_tags()),
                _ => false,
            }
    }

    /// The map, if it is one.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.data {
            NodeData::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.data {
            NodeData::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if it is text.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            NodeData::String(text, _) => Some(text),
            _ => None,
        }
    }

    /// The value under a key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_mapping()?.get(key)
    }

    /// True if it holds other nodes.
    pub const fn is_collection(&self) -> bool {
        matches!(self.data, NodeData::Sequence(_) | NodeData::Mapping(_))
    }

    /// The kind of value, for messages: `map`, `list`, `text`, `whole number`, `number`, `boolean`, `null`.
    pub const fn kind_name(&self) -> &'static str {
        match self.data {
            NodeData::Null => "null",
            NodeData::Bool(_) => "boolean",
            NodeData::Int(_) => "whole number",
            NodeData::Float(_) => "number",
            NodeData::String(..) => "text",
            NodeData::Sequence(_) => "list",
            NodeData::Mapping(_) => "map",
        }
    }

    /// True if both hold the same value; spans, styles and the order of keys do not count.
    pub fn same_value(&self, other: &Node) -> bool {
        match (&self.data, &other.data) {
            (NodeData::Null, NodeData::Null) => true,
            (NodeData::Bool(a), NodeData::Bool(b)) => a == b,
            (NodeData::Int(a), NodeData::Int(b)) => a == b,
            (NodeData::Float(a), NodeData::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (NodeData::String(a, _), NodeData::String(b, _)) => a == b,
            (NodeData::Sequence(a), NodeData::Sequence(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_value(b))
            }
            (NodeData::Mapping(a), NodeData::Mapping(b)) => {
                a.entries.len() == b.entries.len()
                    && a.entries
                        .iter()
                        .all(|entry| b.get(&entry.key).is_some_and(|it| entry.value.same_value(it)))
            }
            _ => false,
        }
    }
}
