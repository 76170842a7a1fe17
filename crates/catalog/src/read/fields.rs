use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Span, order};
use syntax::{Entry, Mapping, Node, NodeData};

use crate::{codes, findings::Findings, quote::quote};

/// The fields of a map, whose names are matched regardless of case, as in Go (source: operator-registry).
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    mapping: &'a Mapping,
    /// The span of the whole map.
    pub(super) span: Span,
    /// The name of the map in messages: `channel`.
    what: &'static str,
}

impl<'a> Fields<'a> {
    /// The fields of a node, which has to be a map.
    pub(super) fn of(node: &'a Node, what: &'static str, findings: &mut Findings) -> Option<Self> {
        let Some(mapping) = node.as_mapping() else {
            findings.push(wrong_kind(node, what, "a map"));
            return None;
        };
        Some(Self { mapping, span: node.span, what })
    }

    /// The same fields by another name.
    pub(super) const fn called(self, what: &'static str) -> Self {
        Self { what, ..self }
    }

    /// The value of a field, unless it is null.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        let entries = &self.mapping.entries;
        let exact = entries.iter().find(|entry| &*entry.key == key);
        let entry = exact.or_else(|| entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(key)))?;
        (!matches!(entry.value.data, NodeData::Null)).then_some(&entry.value)
    }

    /// The place of a field's value, or else of the whole.
    pub(super) fn span_of(&self, key: &str) -> Span {
        self.get(key).map_or(self.span, |node| node.span)
    }

    /// A text; `None` if it is missing or empty.
    pub(super) fn text(&self, key: &'static str, findings: &mut Findings) -> Option<&'a Arc<str>> {
        let node = self.get(key)?;
        match &node.data {
            NodeData::String(text, _) => Some(text).filter(|text| !text.is_empty()),
            _ => {
                findings.push(self.not_text(key, node));
                None
            }
        }
    }

    /// A required text.
    pub(super) fn needed(&self, key: &'static str, findings: &mut Findings) -> Option<&'a Arc<str>> {
        if !self.has(key) {
            self.complain_of_missing(key, findings);
        }
        self.text(key, findings)
    }

    /// True if a field exists and is not empty.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some_and(|node| node.as_str() != Some(""))
    }

    pub(super) fn complain_of_missing(&self, key: &str, findings: &mut Findings) {
        let message = format!("this {} has no `{key}`", self.what);
        findings.push(Diagnostic::error(codes::MISSING_FIELD, self.head(), message));
    }

    /// The items of a list; none if it is missing.
    pub(super) fn list(&self, key: &'static str, findings: &mut Findings) -> &'a [Node] {
        let Some(node) = self.get(key) else { return &[] };
        node.as_sequence().unwrap_or_else(|| {
            let message = format!("`{key}` of a {} must be a list, not {}", self.what, article(node));
            findings.push(Diagnostic::error(codes::WRONG_KIND, node.span, message));
            &[]
        })
    }

    /// The place for diagnostics about the whole: its first entry.
    pub(super) fn head(&self) -> Span {
        self.mapping.entries.first().map_or(self.span, |entry| entry.key_span.cover(entry.value.span))
    }

    fn not_text(&self, key: &str, node: &Node) -> Diagnostic {
        let message = format!("`{key}` of a {} must be text, not {}", self.what, article(node));
        let found = Diagnostic::error(codes::WRONG_KIND, node.span, message);
        if node.is_collection() { found } else { found.help("put it in quotes") }
    }

    /// Reports keys that differ in case only.
    pub(super) fn check_keys(&self, findings: &mut Findings) {
        let entries = &self.mapping.entries;
        if entries.len() <= FEW {
            for (idx, entry) in entries.iter().enumerate() {
                let same = |it: &&Entry| it.key.eq_ignore_ascii_case(&entry.key);
                if let Some(first) = entries.iter().take(idx).find(same) {
                    findings.push(same_key(first, entry));
                }
            }
            return;
        }
        let mut folded: BTreeMap<String, &Entry> = BTreeMap::new();
        for entry in entries {
            let first = folded.entry(entry.key.to_ascii_lowercase()).or_insert(entry);
            if first.key != entry.key {
                findings.push(same_key(first, entry));
            }
        }
    }
}

fn same_key(first: &Entry, second: &Entry) -> Diagnostic {
    let (mut keys, folded) = ([&*first.key, &*second.key], second.key.to_ascii_lowercase());
    order::by(&mut keys, |a, b| a.cmp(b));
    let message = format!("duplicate keys for key {}: [{}]", quote(&folded), keys.join(" "));
    Diagnostic::error(codes::DUPLICATE_KEY, second.key_span, message)
        .related(first.key_span, "the other one")
        .help("keys of catalogs are not case-sensitive; keep one of the two")
}

/// The diagnostic for a value of another type than required.
pub(super) fn wrong_kind(node: &Node, what: &str, requested: &str) -> Diagnostic {
    let message = format!("a {what} must be {requested}, not {}", article(node));
    Diagnostic::error(codes::WRONG_KIND, node.span, message)
}

/// The type of a value, with its article.
pub(super) fn article(node: &Node) -> String {
    match node.kind_name() {
        kind @ ("text" | "null") => kind.to_owned(),
        kind => format!("a {kind}"),
    }
}

/// Up to this many entries, comparing all keys is faster than sorting them.
const FEW: usize = 16;

/// True if a key is repeated.
pub(super) fn has_duplicates(entries: &[Entry]) -> bool {
    if entries.len() <= FEW {
        return entries
            .iter()
            .enumerate()
            .any(|(idx, it)| entries[..idx].iter().any(|other| other.key == it.key));
    }
    diag::order::set(entries.iter().map(|entry| &entry.key)).len() < entries.len()
}
