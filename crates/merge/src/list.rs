use std::{collections::HashSet, sync::Arc};

use syntax::{Node, NodeData, Tag};
use types::{MergeBehavior, MergeOptions, MergeRule, SchemaNode, Sorting};

use crate::{
    Rule, Shadowed,
    discard::discarded,
    fold::Outcome,
    groups::{self, name},
    merge::{MergeContext, Merger},
    report,
    source::Piece,
};

impl<'a> Merger<'a> {
    /// Lists put behind each other as the field's rule says, and the items that a later list removed, latest first.
    pub(crate) fn lists(&mut self, live: &[Piece<'a>], place: SchemaNode<'_>) -> (Node, Vec<Shadowed>) {
        let options = place.merge_options();
        let is_plain = options.behavior == MergeBehavior::Default && options.sorting == Sorting::None;
        let (items, mut removed) = match &options.rule {
            MergeRule::Unique if is_plain => self.appended(live, place, true),
            MergeRule::Standard | MergeRule::Replace if is_plain => self.appended(live, place, false),
            _ => self.grouped(live, place, options),
        };
        removed.reverse();
        (Node::new(NodeData::Sequence(Arc::new(items)), live[0].node.span), removed)
    }

    fn appended(
        &mut self,
        live: &[Piece<'a>],
        place: SchemaNode<'_>,
        unique: bool,
    ) -> (Vec<Node>, Vec<Shadowed>) {
        let mut items: Vec<Node> = Vec::with_capacity(live.iter().map(|it| list(it).len()).sum());
        let mut removed = Vec::new();
        for (nth, piece) in live.iter().enumerate() {
            let mut known = (unique && nth > 0).then(|| Known::new(&items));
            for node in list(piece) {
                let item = Piece { source: piece.source, node, key: None };
                if node.tag == Tag::Reset {
                    self.remove(&item, &mut items, &mut removed);
                    known = known.map(|_| Known::new(&items));
                } else if known.as_mut().is_none_or(|known| known.add(node)) {
                    items.extend(self.item(&item, items.len(), place));
                }
            }
        }
        (items, removed)
    }

    /// An item that goes into the list as it is.
    fn item(&mut self, item: &Piece<'a>, idx: usize, place: SchemaNode<'_>) -> Option<Node> {
        if self.is_plain(item) {
            return Some(item.node.clone());
        }
        let pieces = std::slice::from_ref(item);
        match self.under_item(idx, |merger| merger.node(pieces, MergeContext::new(place.item()))) {
            Outcome::Kept { node, .. } => Some(node),
            Outcome::Removed(_) | Outcome::Nothing => None,
        }
    }

    /// `!reset` before an item removes the inherited items that hold the same.
    fn remove(&mut self, item: &Piece<'_>, items: &mut Vec<Node>, removed: &mut Vec<Shadowed>) {
        let (gone, kept) = std::mem::take(items).into_iter().partition(|it| it.same_value(item.node));
        *items = kept;
        let gone: Vec<Node> = gone;
        if gone.is_empty() {
            self.diagnostics.push(report::nothing_to_reset(&self.pointer(), item));
        }
        removed.extend(gone.into_iter().map(|value| Shadowed { value, rule: Rule::Set }));
    }

    /// Items that are found in other lists, by their keys or by their value, and lists that are sorted.
    fn grouped(
        &mut self,
        live: &[Piece<'a>],
        place: SchemaNode<'_>,
        options: &MergeOptions,
    ) -> (Vec<Node>, Vec<Shadowed>) {
        let mut items: Vec<Node> = Vec::new();
        let mut removed = Vec::new();
        for group in groups::of(live, options) {
            let discarded = discarded(options.behavior, live, &group);
            let (found_by, group) = match &options.rule {
                MergeRule::ByKey(keys) => (&keys[..], group),
                MergeRule::Standard | MergeRule::Replace | MergeRule::Unique => {
                    (&[][..], groups::once(&group, discarded))
                }
            };
            let context = MergeContext { found_by, discarded, ..MergeContext::new(place.item()) };
            match self.under_item(items.len(), |merger| merger.node(&group, context)) {
                Outcome::Kept { node, .. } => items.push(node),
                Outcome::Removed(history) => removed.extend(history.shadowed.into_iter().rev()),
                Outcome::Nothing => {}
            }
        }
        (items, removed)
    }
}

/// The values that are in a list already.
#[derive(Default)]
struct Known {
    /// Kind and text of those that are one text.
    names: HashSet<(&'static str, String)>,
    others: Vec<Node>,
}

impl Known {
    fn new(items: &[Node]) -> Self {
        let mut known = Self::default();
        for item in items {
            known.add(item);
        }
        known
    }

    /// Adds a value; whether it was not there.
    fn add(&mut self, node: &Node) -> bool {
        if let Some(name) = name(node) {
            return self.names.insert((node.kind_name(), name.into_owned()));
        }
        let new = !self.others.iter().any(|it| it.same_value(node));
        if new {
            self.others.push(node.clone());
        }
        new
    }
}

fn list<'a>(piece: &Piece<'a>) -> &'a [Node] {
    piece.node.as_sequence().unwrap_or_default()
}
