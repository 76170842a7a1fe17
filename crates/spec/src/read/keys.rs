//! Reads a map key by key, and reports values of the wrong type and keys that were not read.

use std::{cell::RefCell, sync::Arc};

use diag::{Diagnostic, Diagnostics, Span, nearest};
use syntax::{Entry, Mapping, Node, NodeData};

use crate::{
    Spanned,
    codes::{MISSING_KEY, TYPE, UNKNOWN_KEY, UNKNOWN_VALUE},
    skeleton::{Flag, Text},
};

/// A map of which each key is read at most once; [`finish`](Self::finish) reports the others.
pub(crate) struct Keys<'a> {
    pub(crate) span: Span,
    entries: &'a [Entry],
    known: Vec<&'static str>,
    report: &'a RefCell<Diagnostics>,
}

impl<'a> Keys<'a> {
    pub(crate) fn of(mapping: &'a Mapping, span: Span, report: &'a RefCell<Diagnostics>) -> Self {
        Self { span, entries: &mapping.entries, known: Vec::new(), report }
    }

    /// The value of a key; `None` if it is absent or empty.
    fn value(&mut self, key: &'static str) -> Option<&'a Node> {
        self.known.push(key);
        let value = &self.entries.iter().find(|it| &*it.key == key)?.value;
        (!matches!(value.data, NodeData::Null)).then_some(value)
    }

    pub(crate) fn text(&mut self, key: &'static str) -> Option<Text> {
        let node = self.value(key)?;
        self.text_of(key, node)
    }

    /// A text that has to be there.
    pub(crate) fn required(&mut self, key: &'static str, what: &str) -> Option<Text> {
        let text = self.text(key);
        self.missing(key, what);
        text
    }

    /// Reports that a key is absent, if it is.
    pub(crate) fn missing(&self, key: &str, what: &str) {
        self.missing_with(key, what, || format!("add `{key}:`"));
    }

    /// Reports that a key is absent whose value is one of the words of a closed set.
    pub(crate) fn missing_choice<T>(&self, key: &str, what: &str, names: &[(&'static str, T)]) {
        let names: Vec<&str> = names.iter().map(|it| it.0).collect();
        self.missing_with(key, what, || format!("add `{key}:` with one of {}", listed(&names)));
    }

    /// As [`Self::missing`], with what to do about it.
    pub(crate) fn missing_with(&self, key: &str, what: &str, help: impl Fn() -> String) {
        let is_key = |it: &Entry| &*it.key == key && !matches!(it.value.data, NodeData::Null);
        if !self.entries.iter().any(is_key) {
            let message = format!("{what} has no `{key}`");
            self.add(Diagnostic::error(MISSING_KEY, self.start(), message).help(help()));
        }
    }

    pub(crate) fn flag(&mut self, key: &'static str) -> Flag {
        let node = self.value(key)?;
        if let NodeData::Bool(value) = node.data {
            return Some(Spanned::new(value, node.span));
        }
        let diagnostic = wrong(key, node, "`true` or `false`");
        let fixed = node.as_str().map(str::to_ascii_lowercase);
        self.add(match fixed.as_deref() {
            Some(word @ ("true" | "false")) => diagnostic.replace(format!("Write `{word}`"), node.span, word),
            _ => diagnostic,
        });
        None
    }

    /// True if a flag is written and true.
    pub(crate) fn is_set(&mut self, key: &'static str) -> bool {
        self.flag(key).is_some_and(|it| it.value)
    }

    /// A whole number from 0.
    pub(crate) fn count(&mut self, key: &'static str) -> Option<u64> {
        let node = self.value(key)?;
        let count = if let NodeData::Int(value) = node.data { u64::try_from(value).ok() } else { None };
        if count.is_none() {
            self.add(wrong(key, node, "a whole number from 0"));
        }
        count
    }

    /// The number of a field on the wire.
    pub(crate) fn number(&mut self, key: &'static str) -> Option<u32> {
        self.count(key).and_then(|it| u32::try_from(it).ok())
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers in JSON are exact up to 2^53 only")]
    pub(crate) fn decimal(&mut self, key: &'static str) -> Option<f64> {
        let node = self.value(key)?;
        match node.data {
            NodeData::Int(value) => Some(value as f64),
            NodeData::Float(value) => Some(value),
            _ => {
                self.add(wrong(key, node, "a number"));
                None
            }
        }
    }

    pub(crate) fn texts(&mut self, key: &'static str) -> Vec<Text> {
        let Some(node) = self.value(key) else { return Vec::new() };
        if let Some(items) = node.as_sequence() {
            return items.iter().filter_map(|it| self.text_of(key, it)).collect();
        }
        let diagnostic = wrong(key, node, "a list of texts");
        // A text with brackets is a list in quotes.
        self.add(match node.as_str().is_some_and(|it| !it.contains(['[', ']', ','])) {
            true => diagnostic.fix(
                "Write a list with this text",
                vec![
                    diag::TextEdit {
                        span: Span::at(node.span.file, node.span.start),
                        new_text: "[".to_owned(),
                    },
                    diag::TextEdit {
                        span: Span::at(node.span.file, node.span.end),
                        new_text: "]".to_owned(),
                    },
                ],
            ),
            false => diagnostic,
        });
        Vec::new()
    }

    /// A list of lists of texts.
    pub(crate) fn lists_of_texts(&mut self, key: &'static str) -> Vec<Vec<Text>> {
        let Some(node) = self.value(key) else { return Vec::new() };
        if let Some(items) = node.as_sequence() {
            return items.iter().map(|it| self.texts_of(key, it)).collect();
        }
        self.add(wrong(key, node, "a list of lists of texts"));
        Vec::new()
    }

    /// One of the words of a closed set.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        names: &[(&'static str, T)],
    ) -> Option<Spanned<T>> {
        let text = self.text(key)?;
        if let Some((_, value)) = names.iter().find(|(name, _)| *name == &*text.value) {
            return Some(Spanned::new(*value, text.span));
        }
        self.add(unknown_value(key, &text, names.iter().map(|(name, _)| *name)));
        None
    }

    pub(crate) fn map(&mut self, key: &'static str) -> Option<Keys<'a>> {
        let node = self.value(key)?;
        self.map_of(key, node)
    }

    pub(crate) fn list(&mut self, key: &'static str) -> Vec<Keys<'a>> {
        let Some(node) = self.value(key) else { return Vec::new() };
        match node.as_sequence() {
            Some(items) => items.iter().filter_map(|it| self.map_of(key, it)).collect(),
            None => {
                self.add(wrong(key, node, "a list"));
                Vec::new()
            }
        }
    }

    /// A map whose keys are names.
    pub(crate) fn named(&mut self, key: &'static str) -> Vec<(Text, &'a Node)> {
        let Some(node) = self.value(key) else { return Vec::new() };
        let Some(mapping) = node.as_mapping() else {
            self.add(wrong(key, node, "a map"));
            return Vec::new();
        };
        let named = |it: &'a Entry| (Spanned::new(it.key.clone(), it.key_span), &it.value);
        mapping.entries.iter().map(named).collect()
    }

    /// All entries of a map whose keys are names.
    pub(crate) fn all(&mut self) -> Vec<(Text, &'a Node)> {
        let named = |it: &'a Entry| (Spanned::new(it.key.clone(), it.key_span), &it.value);
        self.entries.iter().map(named).collect()
    }

    pub(crate) fn map_of(&self, key: &str, node: &'a Node) -> Option<Keys<'a>> {
        let Some(mapping) = node.as_mapping() else {
            self.add(wrong(key, node, "a map"));
            return None;
        };
        Some(Keys::of(mapping, node.span, self.report))
    }

    pub(crate) fn texts_of(&self, key: &str, node: &'a Node) -> Vec<Text> {
        match node.as_sequence() {
            Some(items) => items.iter().filter_map(|it| self.text_of(key, it)).collect(),
            None => {
                self.add(wrong(key, node, "a list of texts"));
                Vec::new()
            }
        }
    }

    /// Reports the keys that were not read.
    pub(crate) fn finish(self, what: &str) {
        let unknown = self.entries.iter().filter(|it| !self.known.contains(&&*it.key));
        for entry in unknown {
            let message = format!("{what} has no key `{}`", entry.key);
            let diagnostic = Diagnostic::error(UNKNOWN_KEY, entry.key_span, message);
            let missing =
                self.known.iter().copied().filter(|it| self.entries.iter().all(|entry| *entry.key != **it));
            self.add(match nearest(&entry.key, missing) {
                Some(known) => diagnostic.replace(format!("Rename to `{known}`"), entry.key_span, known),
                None => diagnostic.help(format!("it has {}", listed(&self.known))),
            });
        }
    }

    pub(crate) fn add(&self, diagnostic: Diagnostic) {
        self.report.borrow_mut().push(diagnostic);
    }

    fn text_of(&self, key: &str, node: &Node) -> Option<Text> {
        if let Some(text) = node.as_str() {
            return Some(Spanned::new(Arc::from(text), node.span));
        }
        self.add(wrong(key, node, "a text"));
        None
    }

    fn start(&self) -> Span {
        Span::at(self.span.file, self.span.start)
    }
}

pub(crate) fn unknown_value(
    key: &str,
    text: &Text,
    names: impl Iterator<Item = &'static str> + Clone,
) -> Diagnostic {
    let message = format!("`{}` is not a value of `{key}`", text.value);
    let diagnostic = Diagnostic::error(UNKNOWN_VALUE, text.span, message);
    match nearest(&text.value, names.clone()) {
        Some(name) => diagnostic.replace(format!("Write `{name}`"), text.span, name),
        None => diagnostic.help(format!("write one of {}", listed(&names.collect::<Vec<_>>()))),
    }
}

fn wrong(key: &str, node: &Node, expected: &str) -> Diagnostic {
    let message = format!("`{key}` takes {expected}, not {}", described(node));
    Diagnostic::error(TYPE, node.span, message).help(format!("write {expected}"))
}

fn described(node: &Node) -> &'static str {
    match node.data {
        NodeData::Null => "nothing",
        NodeData::Bool(_) => "a boolean",
        NodeData::Int(_) | NodeData::Float(_) => "a number",
        NodeData::String(..) => "a text",
        NodeData::Sequence(_) => "a list",
        NodeData::Mapping(_) => "a map",
    }
}

pub(crate) fn listed(names: &[&str]) -> String {
    names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}
