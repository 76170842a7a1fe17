//! Variables: `((name))` in documents is replaced by a value from a variables file, as `bosh interpolate` does it.
//!
//! A document that no variables file comes with stays as it is: then the director fills its variables in.

mod placeholder;
mod values;

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use diag::{Diagnostic, Span};
use syntax::{Entry, Node, NodeData};

use crate::{
    codes,
    ops::Trace,
    reporter::Reporter,
    shape::kind,
    value::{piece, scalar},
};
use placeholder::{Placeholder, placeholders};
pub(crate) use values::VariableValues;

/// Replaces the placeholders in one document.
pub(crate) struct Interpolation<'i, 'v> {
    values: &'i mut VariableValues<'v>,
    reporter: &'i mut Reporter,
    /// The variables that the document itself declares, whose values the director generates.
    generated: BTreeSet<Arc<str>>,
}

impl<'i, 'v> Interpolation<'i, 'v> {
    pub(crate) fn new(root: &Node, values: &'i mut VariableValues<'v>, reporter: &'i mut Reporter) -> Self {
        let declared = root.get("variables").and_then(Node::as_sequence).unwrap_or_default();
        let generated = declared.iter().filter_map(|it| scalar(it.get("name")?)).collect();
        Self { values, reporter, generated }
    }

    /// Replaces the placeholders in a node and below it; `trace` receives what they replaced. Values are not searched
    /// for further placeholders.
    pub(crate) fn node(&mut self, node: &mut Node, trace: &mut Trace) {
        if !has_placeholders(node) {
            return;
        }
        match &mut node.data {
            NodeData::String(text, _) => {
                let text = Arc::clone(text);
                self.text(node, &text, trace);
            }
            NodeData::Sequence(items) => {
                for (index, item) in Arc::make_mut(items).iter_mut().enumerate() {
                    self.node(item, trace.item(index));
                }
            }
            NodeData::Mapping(mapping) => {
                let entries = &mut Arc::make_mut(mapping).entries;
                let mut is_renamed = false;
                for entry in &mut *entries {
                    is_renamed |= self.key(entry, trace);
                    self.node(&mut entry.value, trace.key(&entry.key));
                }
                if is_renamed {
                    self.keep_last(entries);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, node: &mut Node, text: &str, trace: &mut Trace) {
        let found = placeholders(text);
        if let [only] = &*found
            && only.bytes == (0..text.len())
        {
            for value in self.values_of(only, node.span) {
                let old = std::mem::replace(node, value.clone());
                trace.replaced(old, value);
            }
            return;
        }
        let written = node.clone();
        let (joined, used) = self.joined(text, &found, |bytes| piece(&written, bytes));
        if let (NodeData::String(text, _), false) = (&mut node.data, used.is_empty()) {
            *text = joined.into();
            trace.joined(node.span, used);
        }
    }

    /// Replaces the placeholders in a key. Returns true if there are some.
    fn key(&mut self, entry: &mut Entry, trace: &mut Trace) -> bool {
        let found = placeholders(&entry.key);
        if found.is_empty() {
            return false;
        }
        let key = self.joined(&entry.key, &found, |_| entry.key_span).0.into();
        trace.renamed(&entry.key, &key);
        entry.key = key;
        true
    }

    /// Reports keys that have become the same, and keeps the last one of each.
    fn keep_last(&mut self, entries: &mut Vec<Entry>) {
        let mut at = 0;
        while at < entries.len() {
            let (first, rest) = (&entries[at], &entries[at + 1..]);
            let Some(second) = rest.iter().find(|it| it.key == first.key) else {
                at += 1;
                continue;
            };
            let message = format!("two keys are `{}` with the values of variables", first.key);
            let found = Diagnostic::error(codes::VARIABLE_VALUE, second.key_span, message);
            let found = found.related(first.key_span, "this is the other one");
            self.reporter
                .push(found.help("give the variables different values, or the keys different names"));
            entries.remove(at);
        }
    }

    /// A text with its placeholders replaced, and the values that are in it now.
    fn joined(
        &mut self,
        text: &str,
        found: &[Placeholder<'_>],
        place: impl Fn(&Range<usize>) -> Span,
    ) -> (String, Vec<Node>) {
        let (mut joined, mut used, mut done) = (String::new(), Vec::new(), 0);
        for it in found {
            let span = place(&it.bytes);
            let value = self.values_of(it, span).pop();
            if let Some((value, inserted)) =
                value.and_then(|value| Some((value, self.in_text(it, value, span)?)))
            {
                joined.push_str(&text[done..it.bytes.start]);
                joined.push_str(&inserted);
                done = it.bytes.end;
                used.push(value.clone());
            }
        }
        joined.push_str(&text[done..]);
        (joined, used)
    }

    /// A value as a part of a text: only texts and integers can be one.
    fn in_text(&mut self, it: &Placeholder<'_>, value: &Node, span: Span) -> Option<Arc<str>> {
        if let NodeData::String(..) | NodeData::Int(_) = value.data {
            return scalar(value);
        }
        let message = format!("`{}` is {}, which cannot be a part of a text", it.name, kind(value));
        let found =
            Diagnostic::error(codes::VARIABLE_VALUE, span, message).related(value.span, "its value is here");
        self.reporter.push(found.help("write the value in quotes, or the placeholder alone"));
        None
    }

    /// The values of a variable, the one that counts last; its errors are reported.
    fn values_of(&mut self, it: &Placeholder<'_>, span: Span) -> Vec<&'v Node> {
        let (root, mut steps) = it.path(|name| self.values.is_defined(name));
        let Some(entries) = self.values.take(root) else {
            if !self.generated.contains(root) {
                let message = format!("the variable `{root}` is not defined");
                let found = Diagnostic::warning(codes::UNDEFINED_VARIABLE, span, message);
                let names: Vec<&str> = self.values.names().collect();
                let found = self.reporter.help(found, root, names.iter().copied(), "defined variables");
                self.reporter.push(found);
            }
            return Vec::new();
        };
        let within = |entry: &&'v Entry| steps.clone().try_fold(&entry.value, |node, name| step(node, name));
        let values: Vec<&Node> = entries.iter().filter_map(within).collect();
        let Some(last) = entries.last() else { return values };
        if within(last).is_some() {
            return values;
        }
        let mut at = &last.value;
        let missing = steps.find(|name| match step(at, name) {
            Some(inner) => {
                at = inner;
                false
            }
            None => true,
        });
        self.report_missing_key(root, missing.unwrap_or_default(), at, span);
        Vec::new()
    }

    fn report_missing_key(&mut self, root: &str, step: &str, at: &Node, span: Span) {
        let message = format!("the value of `{root}` has no key `{step}`");
        let found =
            Diagnostic::error(codes::VARIABLE_VALUE, span, message).related(at.span, "it is not in here");
        let keys = at.as_mapping().into_iter().flat_map(|it| it.entries.iter().map(|it| &*it.key));
        let found = self.reporter.help(found, step, keys, "keys");
        self.reporter.push(found);
    }
}

/// The value of a key of a map, or of an index of a list.
fn step<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    node.get(name).or_else(|| node.as_sequence()?.get(name.parse::<usize>().ok()?))
}

fn has_placeholders(node: &Node) -> bool {
    match &node.data {
        NodeData::String(text, _) => text.contains("(("),
        NodeData::Sequence(items) => items.iter().any(has_placeholders),
        NodeData::Mapping(it) => {
            it.entries.iter().any(|it| it.key.contains("((") || has_placeholders(&it.value))
        }
        _ => false,
    }
}
