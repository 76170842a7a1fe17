use std::{collections::HashMap, sync::Arc};

use syntax::{Entry, Mapping, Node, NodeData};

use crate::{
    discard::discarded,
    fold::Outcome,
    merge::{MergeContext, Merger},
    source::Piece,
};

/// Maps with fewer keys than this are searched from the front.
const INDEXED: usize = 16;

/// The pieces that the sources write under one key.
struct Slot<'a> {
    first: &'a Entry,
    source: usize,
    /// All pieces, as soon as there are several.
    pieces: Vec<Piece<'a>>,
}

impl<'a> Slot<'a> {
    fn new(source: usize, entry: &'a Entry) -> Self {
        Self { first: entry, source, pieces: Vec::new() }
    }

    fn add(&mut self, source: usize, entry: &'a Entry) {
        if self.pieces.is_empty() {
            self.pieces.push(piece(self.source, self.first));
        }
        self.pieces.push(piece(source, entry));
    }
}

const fn piece(source: usize, entry: &Entry) -> Piece<'_> {
    Piece { source, node: &entry.value, key: Some(entry.key_span) }
}

impl<'a> Merger<'a> {
    /// Merges maps key by key. Keys keep the order in which they first occur, so that a layer that overrides a value does not
    /// move it. The merge behavior of the field may leave keys out.
    pub(crate) fn maps(&mut self, live: &[Piece<'a>], context: MergeContext<'_>) -> Node {
        let slots = slots(live);
        let behavior = context.schema.merge_options().behavior;
        let mut entries = Vec::with_capacity(slots.len());
        for slot in &slots {
            let only = piece(slot.source, slot.first);
            let pieces = if slot.pieces.is_empty() { std::slice::from_ref(&only) } else { &slot.pieces };
            let discarded = discarded(behavior, live, pieces);
            if slot.pieces.is_empty() && discarded == 0 && self.is_plain(&only) {
                entries.push(slot.first.clone());
                continue;
            }
            let key = &slot.first.key;
            let context = MergeContext { discarded, ..context.key(key) };
            entries.extend(self.under(key, |merger| merger.entry(key, pieces, context)));
        }
        Node::new(NodeData::Mapping(Arc::new(Mapping { entries })), live[0].node.span)
    }

    fn entry(&mut self, key: &Arc<str>, pieces: &[Piece<'a>], context: MergeContext<'_>) -> Option<Entry> {
        match self.node(pieces, context) {
            Outcome::Kept { node, key: key_span } => {
                Some(Entry { key: key.clone(), key_span: key_span.unwrap_or(node.span), value: node })
            }
            Outcome::Removed(history) => {
                self.record(history);
                None
            }
            Outcome::Nothing => None,
        }
    }
}

fn slots<'a>(live: &[Piece<'a>]) -> Vec<Slot<'a>> {
    let maps = || live.iter().filter_map(|piece| Some((piece.source, piece.node.as_mapping()?)));
    let most = maps().map(|(_, map)| map.entries.len()).max().unwrap_or(0);
    let mut slots: Vec<Slot<'a>> = Vec::with_capacity(most);
    let mut index: HashMap<&str, usize> = HashMap::new();
    for (source, map) in maps() {
        // A map has each key once, so only what earlier ones wrote is looked through.
        let known = slots.len();
        if known >= INDEXED {
            index.extend(slots.iter().enumerate().skip(index.len()).map(|(at, slot)| (&*slot.first.key, at)));
        }
        for entry in &map.entries {
            let found = match known {
                ..INDEXED => slots[..known].iter().position(|slot| slot.first.key == entry.key),
                _ => index.get(&*entry.key).copied(),
            };
            match found {
                Some(at) => slots[at].add(source, entry),
                None => slots.push(Slot::new(source, entry)),
            }
        }
    }
    slots
}
