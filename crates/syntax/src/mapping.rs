use std::sync::Arc;

use diag::{Diagnostic, Severity, Span, order};

use crate::report::Report;
use crate::{Entry, Mapping, Node, NodeData, codes};

/// A map that is being read.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    entries: Vec<Entry>,
    /// The key whose value comes next.
    key: Option<Key>,
    /// The index of `<<` among the entries.
    merge: Option<usize>,
}

/// A key without its value.
#[derive(Debug)]
pub(crate) enum Key {
    Text {
        text: Arc<str>,
        span: Span,
        plain: bool,
    },
    /// It cannot be a key; its value is left out.
    Dropped,
}

/// Up to this many entries, comparing all keys is quicker than sorting them.
const FEW: usize = 12;

impl Draft {
    pub(crate) const fn expects_key(&self) -> bool {
        self.key.is_none()
    }

    pub(crate) fn set_key(&mut self, key: Key) {
        self.key = Some(key);
    }

    pub(crate) fn set_value(&mut self, value: Node) {
        if let Some(Key::Text { text, span, plain }) = self.key.take() {
            if plain && &*text == "<<" {
                self.merge.get_or_insert(self.entries.len());
            }
            self.entries.push(Entry { key: text, key_span: span, value });
        }
    }

    pub(crate) fn replace_last(&mut self, value: Node) {
        if let Some(last) = self.entries.last_mut() {
            last.value = value;
        }
    }

    /// Gives a key whose value could not be read null.
    pub(crate) fn complete(&mut self) {
        match &self.key {
            Some(Key::Text { span, .. }) => {
                let at = Span::at(span.file, span.end);
                self.set_value(Node::new(NodeData::Null, at));
            }
            Some(Key::Dropped) => self.key = None,
            None => {}
        }
    }

    /// The map with unique keys and, if requested, `<<` written out.
    pub(crate) fn finish(mut self, write_out: bool, report: &mut Report) -> Mapping {
        self.complete();
        self.drop_duplicates(report);
        // Entries before the first `<<` are never dropped in favour of later ones, but they may be duplicates.
        let merge = self
            .merge
            .filter(|_| write_out)
            .and_then(|_| self.entries.iter().position(|entry| &*entry.key == "<<"));
        if let Some(at) = merge {
            self.merge_at(at, report);
        }
        Mapping { entries: self.entries }
    }

    fn drop_duplicates(&mut self, report: &mut Report) {
        let duplicates =
            if self.entries.len() <= FEW { self.few_duplicates() } else { self.many_duplicates() };
        for (idx, first) in &duplicates {
            let (entry, first) = (&self.entries[*idx], &self.entries[*first]);
            report.push_with(Severity::Error, entry.key_span, || duplicate(entry, first));
        }
        if !duplicates.is_empty() {
            let dropped = order::set(duplicates.into_iter().map(|(idx, _)| idx));
            let mut idx = 0;
            self.entries.retain(|_| {
                idx += 1;
                !dropped.contains(&(idx - 1))
            });
        }
    }

    /// Later entries of a key with the first one.
    fn few_duplicates(&self) -> Vec<(usize, usize)> {
        let mut duplicates = Vec::new();
        for (idx, entry) in self.entries.iter().enumerate().skip(1) {
            if let Some(first) = self.entries[..idx].iter().position(|it| it.key == entry.key) {
                duplicates.push((idx, first));
            }
        }
        duplicates
    }

    fn many_duplicates(&self) -> Vec<(usize, usize)> {
        let key = |idx: usize| &self.entries[idx].key;
        let order = order::of(self.entries.len(), &mut |a, b| key(a).cmp(key(b)));
        let mut duplicates: Vec<(usize, usize)> = Vec::new();
        for same in order.chunk_by(|a, b| self.entries[*a].key == self.entries[*b].key) {
            duplicates.extend(same[1..].iter().map(|idx| (*idx, same[0])));
        }
        order::by_key(&mut duplicates, |it| *it);
        duplicates
    }

    /// Replaces the entry `<<` by the entries of its maps that are not written here; earlier maps win.
    fn merge_at(&mut self, at: usize, report: &mut Report) {
        let merge = self.entries.remove(at);
        let mut seen = order::set(self.entries.iter().map(|entry| entry.key.clone()));
        let mut merged = Vec::new();
        let mut take = |node: &Node, report: &mut Report| match &node.data {
            NodeData::Mapping(mapping) => {
                merged.extend(mapping.entries.iter().filter(|entry| seen.insert(entry.key.clone())).cloned());
            }
            // An alias that could not be followed, and has been complained about.
            NodeData::Null => {}
            _ => report.push(not_a_map(node)),
        };
        match &merge.value.data {
            NodeData::Sequence(items) => items.iter().for_each(|item| take(item, report)),
            _ => take(&merge.value, report),
        }
        self.entries.splice(at..at, merged);
    }
}

fn duplicate(entry: &Entry, first: &Entry) -> Diagnostic {
    let found = Diagnostic::error(
        codes::DUPLICATE_KEY,
        entry.key_span,
        format!("the key `{}` is already in this map", entry.key),
    )
    .related(first.key_span, "first written here");
    if &*entry.key == "<<" {
        return found.help("merge several maps with one `<<: [*first, *second]`; this one is ignored");
    }
    found.help("keep one of the two; until then the first one is used")
}

fn not_a_map(node: &Node) -> Diagnostic {
    Diagnostic::error(codes::MERGE_KEY, node.span, format!("`<<` requires a map, not {}", article(node)))
        .help("write `<<: *anchor` where the anchor names a map, or quote the key `\"<<\"`")
}

fn article(node: &Node) -> String {
    match node.kind_name() {
        kind @ ("text" | "null") => kind.to_owned(),
        kind => format!("a {kind}"),
    }
}
