use std::{collections::BTreeSet, sync::Arc};

use diag::{Code, Diagnostic, Diagnostics, Span, nearest};
use syntax::{Mapping, Node, NodeData};

use super::claims::Claim;
use crate::codes;

/// The reader of one file: its diagnostics so far, and the names that still have to be resolved.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) diagnostics: Diagnostics,
    pub(super) claims: Vec<Claim>,
    /// Kinds that were left out; that was reported.
    pub(super) refused: BTreeSet<Arc<str>>,
}

impl Reader {
    pub(super) fn error(&mut self, code: Code, span: Span, message: String) -> &mut Diagnostic {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        let last = self.diagnostics.len() - 1;
        &mut self.diagnostics[last]
    }

    fn wrong_kind(&mut self, node: &Node, what: &str, wanted: &str) {
        let found = node.kind_name();
        let message = format!("{what} must be {wanted}, not {found}");
        self.error(codes::WRONG_KIND, node.span, message).help = Some(format!("write {wanted} here"));
    }

    pub(super) fn missing(&mut self, span: Span, what: &str, help: &str) {
        self.error(codes::MISSING_KEY, span, format!("{what} is missing")).help = Some(help.into());
    }

    /// Reports the keys of a map that mean nothing here.
    pub(super) fn only(&mut self, mapping: &Mapping, allowed: &[&str]) {
        for entry in &mapping.entries {
            if allowed.contains(&&*entry.key) || crate::Types::is_extension(&entry.key) {
                continue;
            }
            let message = format!("unknown key `{}` in a type definition", entry.key);
            let mut diagnostic = Diagnostic::error(codes::UNKNOWN_KEY, entry.key_span, message);
            let missing = allowed.iter().copied().filter(|it| mapping.entry(it).is_none());
            diagnostic = match nearest(&entry.key, missing) {
                Some(name) => diagnostic.help(format!("did you mean `{name}`?")).replace(
                    format!("Rename to `{name}`"),
                    entry.key_span,
                    name,
                ),
                None => diagnostic.help(format!("known keys are {}", quoted(allowed))),
            };
            self.diagnostics.push(diagnostic);
        }
    }

    pub(super) fn mapping<'a>(&mut self, node: &'a Node, what: &str) -> Option<&'a Mapping> {
        let mapping = node.as_mapping();
        if mapping.is_none() {
            self.wrong_kind(node, what, "a map");
        }
        mapping
    }

    pub(super) fn sequence<'a>(&mut self, node: &'a Node, what: &str) -> &'a [Node] {
        node.as_sequence().unwrap_or_else(|| {
            self.wrong_kind(node, what, "a list");
            &[]
        })
    }

    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<Arc<str>> {
        let NodeData::String(text, _) = &node.data else {
            self.wrong_kind(node, what, "text");
            return None;
        };
        Some(text.clone())
    }

    pub(super) fn texts(&mut self, node: &Node, what: &str) -> Vec<Arc<str>> {
        let items = self.sequence(node, what);
        items.iter().filter_map(|item| self.text(item, &format!("an item of {what}"))).collect()
    }

    pub(super) fn integer(&mut self, node: &Node, what: &str) -> Option<i64> {
        let NodeData::Int(number) = node.data else {
            self.wrong_kind(node, what, "a whole number");
            return None;
        };
        Some(number)
    }

    pub(super) fn flag(&mut self, mapping: &Mapping, key: &str) -> Option<bool> {
        let node = mapping.get(key)?;
        let NodeData::Bool(flag) = node.data else {
            self.wrong_kind(node, &format!("`{key}`"), "true or false");
            return None;
        };
        Some(flag)
    }

    /// The value whose name the text is.
    pub(super) fn choice<T: Copy>(&mut self, node: &Node, what: &str, options: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, &format!("the {what}"))?;
        if let Some((_, value)) = options.iter().find(|(name, _)| *name == &*text) {
            return Some(*value);
        }
        let names: Vec<&str> = options.iter().map(|(name, _)| *name).collect();
        self.unknown_value(node.span, what, &text, &names, &names);
        None
    }

    /// `likely`: the names that may be written in place of what was found.
    pub(super) fn unknown_value(
        &mut self,
        span: Span,
        what: &str,
        found: &str,
        names: &[&str],
        likely: &[&str],
    ) {
        let message = format!("`{found}` is not {} {what}", article(what));
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_VALUE, span, message);
        diagnostic = diagnostic.help(format!("allowed values are {}", quoted(names)));
        if let Some(name) = nearest(found, likely.iter().copied()) {
            diagnostic = diagnostic.replace(format!("Change to `{name}`"), span, name);
        }
        self.diagnostics.push(diagnostic);
    }
}

/// The indefinite article of a noun.
fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => "nothing".into(),
    }
}
