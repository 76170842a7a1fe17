use std::sync::Arc;

use crate::codes;
use diag::{Diagnostic, Diagnostics, Span, nearest};
use syntax::{Entry, Mapping, Node, NodeData};

/// The fields of a map of an `ActiveResolution`, and the diagnostics for them.
#[derive(Debug)]
pub(super) struct Fields<'a, 'd> {
    entries: Vec<&'a Entry>,
    span: Span,
    /// The name of the map in messages: "`required`".
    what: &'static str,
    pub(super) found: &'d mut Diagnostics,
}

impl<'a, 'd> Fields<'a, 'd> {
    pub(super) fn new(node: &'a Node, what: &'static str, found: &'d mut Diagnostics) -> Option<Self> {
        if let Some(mapping) = node.as_mapping() {
            return Some(Self::of(mapping, &[], node.span, what, found));
        }
        if !matches!(node.data, NodeData::Null) {
            let message = format!("{what} must be a map, not a {}", node.kind_name());
            found.push(Diagnostic::error(codes::WRONG_KIND, node.span, message));
        }
        None
    }

    /// The fields of a map, except some.
    pub(super) fn of(
        mapping: &'a Mapping,
        without: &[&str],
        span: Span,
        what: &'static str,
        found: &'d mut Diagnostics,
    ) -> Self {
        let entries = mapping.entries.iter().filter(|it| !without.contains(&&*it.key)).collect();
        Self { entries, span, what, found }
    }

    /// Reports keys that are none of these.
    pub(super) fn only(&mut self, keys: &[&str]) {
        for entry in &self.entries {
            if keys.contains(&&*entry.key) {
                continue;
            }
            let message = format!("{} has no field `{}`", self.what, entry.key);
            let found = Diagnostic::error(codes::UNKNOWN_FIELD, entry.key_span, message);
            let missing =
                keys.iter().copied().filter(|it| self.entries.iter().all(|entry| *entry.key != **it));
            self.found.push(match nearest(&entry.key, missing) {
                Some(near) => found.help(format!("did you mean `{near}`?")).replace(
                    format!("Rename to `{near}`"),
                    entry.key_span,
                    near,
                ),
                None => found.help(format!("it has {}", keys.join(", "))),
            });
        }
    }

    /// The value of a key, unless it is null.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        let entry = self.entries.iter().find(|it| &*it.key == key)?;
        (!matches!(entry.value.data, NodeData::Null)).then_some(&entry.value)
    }

    /// A text; numbers are read as they are written, for `4.21` and `1`.
    pub(super) fn text(&mut self, key: &str, source: &str) -> Option<(Arc<str>, Span)> {
        let node = self.get(key)?;
        let text = text(node, source);
        if text.is_none() {
            let message = format!("`{key}` of {} must be text, not a {}", self.what, node.kind_name());
            self.found.push(Diagnostic::error(codes::WRONG_KIND, node.span, message));
        }
        Some((text.filter(|it| !it.is_empty())?, node.span))
    }

    /// A required text.
    pub(super) fn needed(&mut self, key: &str, source: &str) -> Option<(Arc<str>, Span)> {
        if self.get(key).is_none() {
            let message = format!("{} has no `{key}`", self.what);
            self.found.push(
                Diagnostic::error(codes::MISSING_FIELD, self.span, message).help(format!("add `{key}`")),
            );
        }
        self.text(key, source)
    }

    /// The items of a list; one value is a list of one.
    pub(super) fn list(&mut self, key: &str) -> &'a [Node] {
        let Some(node) = self.get(key) else { return &[] };
        match &node.data {
            NodeData::Sequence(items) => items,
            NodeData::Mapping(_) => {
                let message = format!("`{key}` of {} must be a list, not a map", self.what);
                self.found.push(Diagnostic::error(codes::WRONG_KIND, node.span, message));
                &[]
            }
            _ => std::slice::from_ref(node),
        }
    }
}

/// A scalar as text.
pub(super) fn text(node: &Node, source: &str) -> Option<Arc<str>> {
    match &node.data {
        NodeData::String(text, _) => Some(text.clone()),
        NodeData::Int(_) | NodeData::Float(_) => {
            source.get(node.span.start as usize..node.span.end as usize).map(Arc::from)
        }
        _ => None,
    }
}
