use std::{ops::Range, sync::Arc};

use diag::Span;
use model::{Data, Origin, Value, map_of};
use syntax::{Node, NodeData, Style};

/// A node as a value with its origin.
pub(crate) fn value(node: &Node) -> Value {
    read(node, &Origin::Written)
}

/// A node as a default value.
pub(crate) fn default(node: &Node) -> Value {
    read(node, &Origin::Default)
}

fn read(node: &Node, origin: &dyn Fn(Span) -> Origin) -> Value {
    let data = match &node.data {
        NodeData::Null => Data::Null,
        NodeData::Bool(it) => Data::Bool(*it),
        NodeData::Int(it) => Data::Int(*it),
        // Values never contain NaN, which is not equal to itself.
        NodeData::Float(it) if it.is_nan() => Data::String(".nan".into()),
        NodeData::Float(it) => Data::Float(*it),
        NodeData::String(text, _) => Data::String(Arc::clone(text)),
        NodeData::Sequence(items) => Data::List(items.iter().map(|it| read(it, origin)).collect()),
        NodeData::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            Data::Map(map_of(entries.map(|it| (Arc::clone(&it.key), read(&it.value, origin)))))
        }
    };
    Value::new(data, origin(node.span))
}

/// A text that was derived from the node at `span`.
pub(crate) fn inferred(text: impl Into<Arc<str>>, span: Span) -> Value {
    Value::new(Data::String(text.into()), Origin::Inferred(span))
}

/// A scalar as text, for names that YAML reads as numbers.
pub(crate) fn scalar(node: &Node) -> Option<Arc<str>> {
    match &node.data {
        NodeData::String(text, _) => Some(Arc::clone(text)),
        NodeData::Bool(it) => Some(it.to_string().into()),
        NodeData::Int(it) => Some(it.to_string().into()),
        NodeData::Float(it) => Some(it.to_string().into()),
        NodeData::Null | NodeData::Sequence(_) | NodeData::Mapping(_) => None,
    }
}

/// True if a text is filled in later: it contains `((…))`.
pub(crate) fn is_open(text: &str) -> bool {
    text.split_once("((").is_some_and(|(_, rest)| rest.contains("))"))
}

/// The place of bytes of a text, if the text is written literally.
pub(crate) fn piece(node: &Node, bytes: &Range<usize>) -> Span {
    let NodeData::String(text, style) = &node.data else { return node.span };
    let quotes = match style {
        Style::Plain => 0,
        Style::SingleQuoted | Style::DoubleQuoted => 1,
        Style::Literal | Style::Folded => return node.span,
    };
    let (span, len) = (node.span, text.len() as u32);
    if span.end - span.start != len + 2 * quotes || text.contains(['\\', '"', '\'', '\n']) {
        return node.span;
    }
    let start = span.start + quotes;
    Span::new(span.file, start + bytes.start as u32, start + bytes.end as u32)
}
