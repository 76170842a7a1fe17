//! The place in the merged document of a byte in a file.

use std::sync::Arc;

use diag::Span;
use merge::Merged;
use model::Pointer;
use syntax::{Entry, Node, NodeData};
use types::{SchemaNode, Spelling, Types};

/// The element at a byte of a file.
#[derive(Clone, Debug)]
pub(crate) struct FilePlace<'d> {
    /// Keys and indices from the file's root, as written.
    pub(crate) path: Vec<Segment>,
    /// The value there.
    pub(crate) node: &'d Node,
    /// The key that leads there, if it is a map's.
    pub(crate) key_span: Option<Span>,
    /// True if the byte is in the key.
    pub(crate) on_key: bool,
}

/// One step from a file's root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Key(Arc<str>),
    /// The index in the file, and the item's bytes: in the merged list it may stand elsewhere.
    Item(usize, Span),
}

/// The node at `offset`; `None` in white space and comments outside any value.
pub(crate) fn at_offset(root: &Node, offset: u32) -> Option<FilePlace<'_>> {
    let mut place = FilePlace { path: Vec::new(), node: root, key_span: None, on_key: false };
    loop {
        match &place.node.data {
            NodeData::Mapping(mapping) => {
                let Some(entry) = mapping.entries.iter().find(|it| entry_touches(it, offset)) else { break };
                place.path.push(Segment::Key(Arc::clone(&entry.key)));
                place.key_span = Some(entry.key_span);
                place.node = &entry.value;
                place.on_key = entry.key_span.touches(offset);
                if place.on_key {
                    break;
                }
            }
            NodeData::Sequence(items) => {
                let Some((index, item)) = items.iter().enumerate().find(|(_, it)| it.span.touches(offset))
                else {
                    break;
                };
                place.path.push(Segment::Item(index, item.span));
                place.key_span = None;
                place.node = item;
            }
            _ => break,
        }
    }
    let touched = place.on_key || (!place.path.is_empty() && place.node.span.touches(offset));
    touched.then_some(place)
}

/// True if a position is in the key or behind it. Aliased values are elsewhere in the file; only the text after the key counts.
fn entry_touches(entry: &Entry, offset: u32) -> bool {
    entry.key_span.touches(offset)
        || (entry.value.span.start >= entry.key_span.end && entry.value.span.touches(offset))
}

/// The place in the merged document; `None` where the value did not get there.
pub(crate) fn in_merged(merged: &Merged, types: &Types, path: &[Segment]) -> Option<Pointer> {
    let mut pointer = Pointer::root();
    let mut node = &merged.root;
    for segment in canonical(types, path) {
        match segment {
            Segment::Key(key) => {
                node = node.get(&key)?;
                pointer = pointer.key(&key);
            }
            Segment::Item(index, span) => {
                let items = node.as_sequence()?;
                let index = items.iter().position(|it| it.span == span).unwrap_or(index);
                node = items.get(index)?;
                pointer = pointer.index(index);
            }
        }
    }
    Some(pointer)
}

/// A path with the spellings of the type definitions.
pub(crate) fn canonical(types: &Types, path: &[Segment]) -> Vec<Segment> {
    let mut result: Vec<Segment> = Vec::with_capacity(path.len());
    let mut place = SchemaNode::Root(types);
    let mut rest = path;
    while let Some((first, others)) = rest.split_first() {
        let Segment::Key(key) = first else {
            result.push(first.clone());
            place = place.item();
            rest = others;
            continue;
        };
        let (name, used) = canonical_key(place, key, others);
        place = place.key(&name);
        result.push(Segment::Key(name));
        rest = rest.get(used..).unwrap_or_default();
    }
    result
}

/// The canonical name of a key, and how many segments it was written as.
fn canonical_key(place: SchemaNode<'_>, key: &Arc<str>, others: &[Segment]) -> (Arc<str>, usize) {
    let next = match others.first() {
        Some(Segment::Key(next)) => Some(format!("{key}/{next}")),
        _ => None,
    };
    for (name, spellings) in spellings(place) {
        for spelling in spellings {
            if next.as_deref() == Some(&*spelling.path) {
                return (name, 2);
            }
            if *spelling.path == **key && spelling.only_if.is_none() {
                return (name, 1);
            }
        }
    }
    (Arc::clone(key), 1)
}

/// The names at a place with their other spellings.
fn spellings(place: SchemaNode<'_>) -> Vec<(Arc<str>, &[Spelling])> {
    match place {
        SchemaNode::Root(types) => {
            types.kinds.iter().map(|it| (Arc::clone(&it.collection), &it.spellings[..])).collect()
        }
        SchemaNode::Object(kind) => {
            kind.fields.iter().map(|it| (Arc::clone(&it.name), &it.spellings[..])).collect()
        }
        SchemaNode::Field(field) => {
            field.shape.fields().iter().map(|it| (Arc::clone(&it.name), &it.spellings[..])).collect()
        }
        _ => Vec::new(),
    }
}

/// The type definitions' view of a canonical path.
pub(crate) fn type_place<'t>(types: &'t Types, path: &[Segment]) -> SchemaNode<'t> {
    path.iter().fold(SchemaNode::Root(types), |place, segment| match segment {
        Segment::Key(key) => place.key(key),
        Segment::Item(..) => place.item(),
    })
}

/// A merged place as keys of one file: where that file uses other spellings, with those.
pub(crate) fn in_file(types: &Types, root: Option<&Node>, pointer: &Pointer) -> Vec<String> {
    let mut path: Vec<String> = Vec::new();
    let mut node = root;
    let mut place = SchemaNode::Root(types);
    for segment in pointer.segments() {
        let spelled = spelled_in(place, node, &segment);
        node = spelled.iter().fold(node, |node, key| node.and_then(|it| child(it, key)));
        path.extend(spelled);
        place = if segment.parse::<usize>().is_ok() && place.keys().is_empty() {
            place.item()
        } else {
            place.key(&segment)
        };
    }
    path
}

fn child<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    match &node.data {
        NodeData::Mapping(mapping) => mapping.get(key),
        NodeData::Sequence(items) => items.get(key.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The spelling of a key in a file's node: as it is, unless the node has only another spelling.
fn spelled_in(place: SchemaNode<'_>, node: Option<&Node>, key: &str) -> Vec<String> {
    let plain = vec![key.to_owned()];
    let Some(node) = node else { return plain };
    if child(node, key).is_some() {
        return plain;
    }
    let all = spellings(place);
    let own = all.iter().find(|(name, _)| **name == *key).map_or(&[][..], |(_, spellings)| spellings);
    let stands = |spelling: &&Spelling| {
        spelling.path.split('/').try_fold(node, |node, key| child(node, key)).is_some()
    };
    match own.iter().find(stands) {
        Some(spelling) => spelling.path.split('/').map(str::to_owned).collect(),
        None => plain,
    }
}
