//! Checks that nodes have the expected type; a node of another type is reported and ignored.

use diag::{Diagnostic, Span};
use links::Named;
use syntax::{Entry, Mapping, Node, NodeData};

use crate::{codes, reporter::Reporter, value::scalar};

static NO_ENTRIES: Mapping = Mapping { entries: Vec::new() };

impl Reporter {
    /// The entry of a key in a map, unless it is null.
    pub(crate) fn key<'n>(&self, node: &'n Node, key: &str) -> Option<&'n Entry> {
        let entry = node.as_mapping()?.entry(key)?;
        (!matches!(entry.value.data, NodeData::Null)).then_some(entry)
    }

    /// The list of a key; empty if there is none.
    pub(crate) fn list<'n>(&mut self, node: &'n Node, key: &str) -> &'n [Node] {
        let Some(entry) = self.key(node, key) else { return &[] };
        if let Some(items) = entry.value.as_sequence() {
            return items;
        }
        self.wrong_kind(entry, "a list");
        &[]
    }

    /// The name by which a list is written: `key`, or what manifests called it in earlier years, with a hint.
    pub(crate) fn spelling(&mut self, node: &Node, key: &'static str, older: &'static str) -> &'static str {
        let (None, Some(entry)) = (self.key(node, key), self.key(node, older)) else { return key };
        let span = entry.key_span;
        self.strictly(|| {
            let found =
                Diagnostic::hint(codes::OLDER_KEY, span, format!("`{older}` is the older name of `{key}`"));
            found.replace(format!("Rename to `{key}`"), span, key)
        });
        older
    }

    /// The maps in the list of a key.
    pub(crate) fn maps<'n>(&mut self, node: &'n Node, key: &str) -> Vec<&'n Node> {
        let mut maps = Vec::new();
        for item in self.list(node, key) {
            if item.as_mapping().is_some() {
                maps.push(item);
            } else {
                let message = format!("each of `{key}` is a map, not {}", kind(item));
                self.push(Diagnostic::error(codes::BAD_SHAPE, item.span, message));
            }
        }
        maps
    }

    /// The map of a key; empty if there is none.
    pub(crate) fn map<'n>(&mut self, node: &'n Node, key: &str) -> &'n Mapping {
        let Some(entry) = self.key(node, key) else { return &NO_ENTRIES };
        if let Some(mapping) = entry.value.as_mapping() {
            return mapping;
        }
        self.wrong_kind(entry, "a map");
        &NO_ENTRIES
    }

    /// The text of a key. Numbers are read as text: names such as `1` are written without quotes.
    pub(crate) fn text(&mut self, node: &Node, key: &str) -> Option<Named> {
        let entry = self.key(node, key)?;
        let text = scalar(&entry.value);
        if text.is_none() {
            self.wrong_kind(entry, "text");
        }
        Some(Named::new(text?, entry.value.span))
    }

    /// The names in the list of a key.
    pub(crate) fn names(&mut self, node: &Node, key: &str) -> Vec<Named> {
        let mut names = Vec::new();
        for item in self.list(node, key) {
            match scalar(item) {
                Some(text) => names.push(Named::new(text, item.span)),
                None => {
                    let message = format!("each of `{key}` is text, not {}", kind(item));
                    self.push(Diagnostic::error(codes::BAD_SHAPE, item.span, message));
                }
            }
        }
        names
    }

    /// The required name of an element.
    pub(crate) fn name(&mut self, node: &Node, what: &str) -> Option<Named> {
        let name = self.text(node, "name");
        let given = self.key(node, "name").is_some();
        let is_empty = name.as_ref().is_some_and(|it| it.text.is_empty());
        if is_empty || !given {
            let span = name.as_ref().map_or(node.span, |it| it.span);
            let found = Diagnostic::error(codes::MISSING, span, format!("{what} has no name"));
            self.push(found.help("give it a `name`"));
        }
        name.filter(|_| !is_empty)
    }

    pub(crate) fn wrong_kind(&mut self, entry: &Entry, expected: &str) {
        let message = format!("`{}` is {expected}, not {}", entry.key, kind(&entry.value));
        let span = place(entry);
        self.push(Diagnostic::error(codes::BAD_SHAPE, span, message));
    }
}

/// The type of a node, as in messages: `null`, `text`, `a map`.
pub(crate) fn kind(node: &Node) -> String {
    with_article(node.kind_name())
}

/// A type with its article.
pub(crate) fn with_article(kind: &str) -> String {
    if matches!(kind, "null" | "text") { kind.into() } else { format!("a {kind}") }
}

/// The place of an entry for diagnostics: the value, or its key if the value is empty.
pub(crate) fn place(entry: &Entry) -> Span {
    crate::reporter::place(&entry.value, entry.key_span)
}

/// The place of the value of a key, if it is written outside of the map that contains it: by an operation, or under an anchor. No fix
/// writes into one that is no map.
pub(crate) fn elsewhere(node: &Node, key: &str) -> Option<Span> {
    let inner = node.get(key)?.span;
    let outer = node.span;
    let is_inside = inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end;
    (!is_inside).then_some(inner)
}
