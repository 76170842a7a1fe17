use diag::Span;

use super::EditError;
use crate::{Node, NodeData, lines};

/// A node and its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<'t> {
    pub(super) node: &'t Node,
    pub(super) holder: Parent<'t>,
    /// It is inside brackets.
    pub(super) in_flow: bool,
}

/// The parent of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parent<'t> {
    Root,
    Entry { mapping: &'t Node, idx: usize },
    Item { sequence: &'t Node, idx: usize },
}

impl Slot<'_> {
    /// The place of its key.
    pub(super) fn key(&self) -> Option<Span> {
        let Parent::Entry { mapping, idx } = self.holder else { return None };
        mapping.as_mapping()?.entries.get(idx).map(|entry| entry.key_span)
    }
}

/// The deepest node on the path, and what is left of the path.
pub(super) fn find<'t, 'p>(
    root: &'t Node,
    text: &str,
    path: &'p [String],
) -> Result<(Slot<'t>, &'p [String]), EditError> {
    let mut slot = Slot { node: root, holder: Parent::Root, in_flow: false };
    for (depth, segment) in path.iter().enumerate() {
        let holder = slot.node;
        let in_flow = slot.in_flow || is_flow(holder, text);
        let next = match &holder.data {
            NodeData::Mapping(mapping) => mapping
                .entries
                .iter()
                .position(|entry| *entry.key == **segment)
                .map(|idx| (&mapping.entries[idx].value, Parent::Entry { mapping: holder, idx })),
            NodeData::Sequence(items) => segment.parse().ok().and_then(|idx: usize| {
                items.get(idx).map(|node| (node, Parent::Item { sequence: holder, idx }))
            }),
            NodeData::Null => None,
            _ => return Err(EditError::NoSuchPlace),
        };
        match next {
            Some((node, holder)) => slot = Slot { node, holder, in_flow },
            None => return Ok((slot, &path[depth..])),
        }
    }
    Ok((slot, &[]))
}

/// True if a collection is written in brackets.
pub(super) fn is_flow(node: &Node, text: &str) -> bool {
    node.is_collection() && matches!(text.as_bytes().get(node.span.start as usize), Some(b'[' | b'{'))
}

/// The number of characters before byte `at` on its line.
pub(super) fn column(text: &str, at: usize) -> usize {
    text[lines::start(text, at)..at].chars().count()
}

/// The end of an entry's or item's text, its line's rest not included.
pub(super) fn end(node: &Node, key: Option<Span>) -> usize {
    key.map_or(0, |key| key.end).max(node.span.end) as usize
}

/// The place at which the value of a key, or the content of an item, may start: behind the `:` or `-` and the properties.
/// `from` is the end of the key, or the dash.
pub(super) fn behind_indicator(text: &str, from: usize, limit: usize) -> usize {
    let mut trivia = crate::trivia::Trivia::new(diag::FileId(0), text);
    trivia.jump(from);
    trivia.skip_blank();
    if matches!(trivia.byte(), b':' | b'-') {
        trivia.jump(trivia.at() + 1);
    } else {
        return from;
    }
    let mut end = trivia.at();
    for _ in 0..2 {
        trivia.skip_blank();
        if !matches!(trivia.byte(), b'&' | b'!') || trivia.at() >= limit.max(end + 1) {
            break;
        }
        trivia.properties(1);
        end = trivia.at();
    }
    end
}
