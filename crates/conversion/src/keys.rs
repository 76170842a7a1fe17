//! Maps of which all keys are known.

use std::{cell::RefCell, sync::Arc};

use diag::{Diagnostic, Diagnostics, Span, nearest};
use serde_json::{Map, Number, Value};
use spec::Spanned;
use syntax::{Mapping, Node, NodeData};

use crate::{
    codes::{MISSING_KEY, TYPE, UNKNOWN_KEY},
    mapping::Text,
};

/// A map, and where its mistakes are reported.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'a> {
    mapping: &'a Mapping,
    pub(crate) span: Span,
    what: &'static str,
    report: &'a RefCell<Diagnostics>,
}

impl<'a> Keys<'a> {
    /// The keys of a node. What is no map is reported, and keys that are not known.
    pub(crate) fn of(
        node: &'a Node,
        what: &'static str,
        known: &[&'static str],
        report: &'a RefCell<Diagnostics>,
    ) -> Option<Self> {
        let Some(mapping) = node.as_mapping() else {
            report.borrow_mut().push(wrong(what, node, "a map"));
            return None;
        };
        let keys = Self { mapping, span: node.span, what, report };
        mapping.entries.iter().filter(|it| !known.contains(&&*it.key)).for_each(|it| keys.unknown(it, known));
        Some(keys)
    }

    fn unknown(&self, entry: &syntax::Entry, known: &[&'static str]) {
        let message = format!("{} has no key `{}`", self.what, entry.key);
        let unknown = Diagnostic::error(UNKNOWN_KEY, entry.key_span, message);
        let free = known.iter().copied().filter(|it| self.mapping.get(it).is_none());
        self.add(match nearest(&entry.key, free) {
            Some(near) => unknown.replace(format!("Rename to `{near}`"), entry.key_span, near),
            None => unknown.help(format!("it has {}", known.join(", "))),
        });
    }

    /// The value of a key that is written.
    pub(crate) fn value(&self, key: &str) -> Option<&'a Node> {
        self.mapping.get(key).filter(|it| !matches!(it.data, NodeData::Null))
    }

    /// A text that may be absent.
    pub(crate) fn text(&self, key: &str) -> Option<Text> {
        self.value(key).and_then(|node| self.text_of(key, node))
    }

    /// A text that has to be there.
    pub(crate) fn required(&self, key: &str) -> Option<Text> {
        if self.value(key).is_none() {
            let message = format!("{} has no `{key}`", self.what);
            let start = Span::at(self.span.file, self.span.start);
            self.add(Diagnostic::error(MISSING_KEY, start, message).help(format!("add `{key}:`")));
        }
        self.text(key)
    }

    /// The items of a list, which may be absent.
    pub(crate) fn list(&self, key: &str) -> &'a [Node] {
        let Some(node) = self.value(key) else { return &[] };
        node.as_sequence().unwrap_or_else(|| {
            self.add(wrong(&format!("`{key}`"), node, "a list"));
            &[]
        })
    }

    /// The entries of a map of texts, which may be absent; `true` and `false` are texts here.
    pub(crate) fn texts(&self, key: &str) -> Vec<(Text, Text)> {
        let Some(node) = self.value(key) else { return Vec::new() };
        let Some(mapping) = node.as_mapping() else {
            self.add(wrong(&format!("`{key}`"), node, "a map"));
            return Vec::new();
        };
        let entry = |it: &syntax::Entry| {
            Some((Spanned::new(it.key.clone(), it.key_span), self.text_of(key, &it.value)?))
        };
        mapping.entries.iter().filter_map(entry).collect()
    }

    pub(crate) fn add(&self, diagnostic: Diagnostic) {
        self.report.borrow_mut().push(diagnostic);
    }

    fn text_of(&self, key: &str, node: &Node) -> Option<Text> {
        let text: Arc<str> = match &node.data {
            NodeData::String(text, _) if !text.is_empty() => text.clone(),
            NodeData::Bool(value) => value.to_string().into(),
            NodeData::Null
            | NodeData::Int(_)
            | NodeData::Float(_)
            | NodeData::String(..)
            | NodeData::Sequence(_)
            | NodeData::Mapping(_) => {
                self.add(wrong(&format!("`{key}`"), node, "a text"));
                return None;
            }
        };
        Some(Spanned::new(text, node.span))
    }
}

fn wrong(what: &str, node: &Node, expected: &str) -> Diagnostic {
    let message = format!("{what} takes {expected}, not a {}", node.kind_name());
    Diagnostic::error(TYPE, node.span, message).help(format!("write {expected}"))
}

/// A node as JSON; numbers that JSON does not have are null.
pub(crate) fn json(node: &Node) -> Value {
    match &node.data {
        NodeData::Null => Value::Null,
        NodeData::Bool(it) => Value::Bool(*it),
        NodeData::Int(it) => Value::from(*it),
        NodeData::Float(it) => Number::from_f64(*it).map_or(Value::Null, Value::Number),
        NodeData::String(it, _) => Value::from(&**it),
        NodeData::Sequence(items) => items.iter().map(json).collect(),
        NodeData::Mapping(mapping) => {
            let entries = mapping.entries.iter().map(|it| (it.key.to_string(), json(&it.value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}
