use std::{collections::BTreeMap, sync::Arc};

use diag::Span;
use merge::{History, Rule, Shadowed};
use model::Pointer;
use syntax::{Node, NodeData};

/// The history of changes by operations below a node; contains only places that they changed.
///
/// It has the shape of the tree, so that when items are inserted or removed, the histories of the later items
/// move along. Shadowed values are kept earliest first here, and reversed in the end.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    own: Option<History>,
    keys: BTreeMap<Arc<str>, Trace>,
    items: BTreeMap<usize, Trace>,
}

impl Trace {
    /// The trace of the value of a key.
    pub(crate) fn key(&mut self, key: &Arc<str>) -> &mut Self {
        self.keys.entry(Arc::clone(key)).or_default()
    }

    /// The trace of an item.
    pub(crate) fn item(&mut self, index: usize) -> &mut Self {
        self.items.entry(index).or_default()
    }

    /// Records that a key has another name now.
    pub(crate) fn renamed(&mut self, from: &str, to: &Arc<str>) {
        if let Some(trace) = self.keys.remove(from) {
            self.keys.insert(Arc::clone(to), trace);
        }
    }

    /// Records that the value was replaced.
    pub(crate) fn replaced(&mut self, old: Node, new: &Node) {
        let rule = if new.is_collection() || old.is_collection() { Rule::Replace } else { Rule::Override };
        self.became(Some(old), rule, new.span, vec![new.span]);
    }

    /// Records that the value was removed by the operation at `by`.
    pub(crate) fn removed(&mut self, old: Node, by: Span) {
        self.became(Some(old), Rule::Reset, by, Vec::new());
    }

    /// Records a value where there was none; one may have been removed before.
    pub(crate) fn added(&mut self, new: &Node) {
        if let Some(Rule::Reset) = self.own.as_ref().map(|it| it.rule) {
            self.became(None, Rule::Replace, new.span, vec![new.span]);
        }
    }

    fn became(&mut self, old: Option<Node>, rule: Rule, span: Span, parts: Vec<Span>) {
        let before = std::mem::take(self).own;
        let (was, at) = before.as_ref().map_or((Rule::Set, span), |it| (it.rule, it.span));
        let mut shadowed = before.map(|it| it.shadowed).unwrap_or_default();
        match old {
            Some(value) => shadowed.push(Shadowed { value, rule: was }),
            None => shadowed.push(reset(at)),
        }
        self.own = Some(History { rule, span, parts, shadowed });
    }

    /// Records that values are parts of this text now, which is written at `span`.
    pub(crate) fn joined(&mut self, span: Span, values: Vec<Node>) {
        let own = self.own(span, Rule::Concatenate);
        own.rule = Rule::Concatenate;
        own.parts = std::iter::once(span).chain(values.iter().map(|it| it.span)).collect();
        own.shadowed.extend(values.into_iter().map(|value| Shadowed { value, rule: Rule::Set }));
    }

    /// Records that this map or list, written at `span`, has another piece.
    pub(crate) fn extended(&mut self, span: Span, piece: Span, rule: Rule) {
        let own = self.own(span, rule);
        if own.parts.is_empty() {
            own.parts.push(span);
        }
        own.parts.push(piece);
    }

    /// Records that an item of this list, written at `span`, was removed.
    pub(crate) fn removed_item(&mut self, span: Span, index: usize, old: Node, by: Span) {
        let rule = self.items.remove(&index).and_then(|it| it.own).map_or(Rule::Set, |it| it.rule);
        self.move_items(index, |it| it - 1);
        let shadowed = &mut self.own(span, Rule::ByKey).shadowed;
        shadowed.push(Shadowed { value: old, rule });
        shadowed.push(reset(by));
    }

    /// Records that an item was inserted; those from `index` on move by one.
    pub(crate) fn put_in(&mut self, index: usize) {
        self.move_items(index, |it| it + 1);
    }

    fn move_items(&mut self, from: usize, to: impl Fn(usize) -> usize) {
        let moved = self.items.split_off(&from);
        self.items.extend(moved.into_iter().map(|(index, trace)| (to(index), trace)));
    }

    fn own(&mut self, span: Span, rule: Rule) -> &mut History {
        self.own.get_or_insert_with(|| History { rule, span, parts: Vec::new(), shadowed: Vec::new() })
    }

    /// The histories by place.
    pub(crate) fn finish(self) -> BTreeMap<Pointer, History> {
        let mut all = BTreeMap::new();
        self.collect(Pointer::root(), &mut all);
        all
    }

    fn collect(self, at: Pointer, all: &mut BTreeMap<Pointer, History>) {
        for (key, trace) in self.keys {
            trace.collect(at.key(&key), all);
        }
        for (index, trace) in self.items {
            trace.collect(at.index(index), all);
        }
        if let Some(mut own) = self.own {
            own.shadowed.reverse();
            all.insert(at, own);
        }
    }
}

/// The shadowed entry for a removal.
fn reset(by: Span) -> Shadowed {
    Shadowed { value: Node::new(NodeData::Null, by), rule: Rule::Reset }
}
