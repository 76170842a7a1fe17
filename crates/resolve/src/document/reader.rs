use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, Span, nearest};
use syntax::{Mapping, Node, NodeData, Style};

use super::{FORMAT, mentions::Mention};
use crate::codes;

/// The state of reading a document: the diagnostics so far, and the mentioned variables.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) diagnostics: Diagnostics,
    pub(super) mentions: Vec<Mention>,
}

impl Reader {
    pub(super) fn report(&mut self, found: Diagnostic) {
        self.diagnostics.push(found);
    }

    /// Reports a value of another type than required.
    pub(super) fn wrong(&mut self, node: &Node, what: &str, required: &str) {
        let message = format!("{what} must be {required}, not {}", node.kind_name());
        let found = Diagnostic::error(codes::WRONG_KIND, node.span, message);
        self.report(found.help(format!("write {required} here")));
    }

    pub(super) fn missing(&mut self, span: Span, what: &str, help: &str) {
        self.report(Diagnostic::error(codes::MISSING_KEY, span, format!("{what} is missing")).help(help));
    }

    pub(super) fn format(&mut self, node: &Node) {
        let Some(format) = self.text(node, "`format`") else { return };
        if &*format != FORMAT {
            let message = format!("`{format}` is not a supported format");
            let found = Diagnostic::error(codes::UNKNOWN_FORMAT, node.span, message)
                .help(format!("the supported format is `{FORMAT}`"))
                .replace(format!("Change to `{FORMAT}`"), node.span, FORMAT);
            self.report(found);
        }
    }

    /// Reports unknown keys of a map.
    pub(super) fn only(&mut self, mapping: &Mapping, what: &str, allowed: &[&str]) {
        for entry in &mapping.entries {
            if allowed.contains(&&*entry.key) || entry.key.starts_with("x-") {
                continue;
            }
            let message = format!("unknown key `{}` in {what}", entry.key);
            let found = Diagnostic::error(codes::UNKNOWN_KEY, entry.key_span, message);
            let missing = allowed.iter().copied().filter(|it| mapping.entry(it).is_none());
            let found = match nearest(&entry.key, missing) {
                Some(name) => found.help(format!("did you mean `{name}`?")).replace(
                    format!("Rename to `{name}`"),
                    entry.key_span,
                    name,
                ),
                None => found.help(format!("known keys are `{}`", allowed.join("`, `"))),
            };
            self.report(found);
        }
    }

    pub(super) fn mapping<'a>(&mut self, node: &'a Node, what: &str) -> Option<&'a Mapping> {
        let mapping = node.as_mapping();
        if mapping.is_none() {
            self.wrong(node, what, "a map");
        }
        mapping
    }

    pub(super) fn sequence<'a>(&mut self, node: &'a Node, what: &str) -> &'a [Node] {
        node.as_sequence().unwrap_or_else(|| {
            self.wrong(node, what, "a list");
            &[]
        })
    }

    /// A text. For one that YAML reads as another type, there is a fix that quotes it.
    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<Arc<str>> {
        let written = match &node.data {
            NodeData::String(text, _) => return Some(text.clone()),
            NodeData::Int(int) => int.to_string(),
            NodeData::Bool(bool) => bool.to_string(),
            _ => {
                self.wrong(node, what, "text");
                return None;
            }
        };
        let message = format!("{what} must be text, not {}", node.kind_name());
        let quoted = format!("\"{written}\"");
        let found = Diagnostic::error(codes::WRONG_KIND, node.span, message).help("put it in quotes");
        self.report(found.replace(format!("Quote `{written}`"), node.span, quoted));
        None
    }
}

/// A name in the form in which it replaces another one.
pub(super) fn written(style: Style, name: &str) -> String {
    match style {
        Style::SingleQuoted => format!("'{}'", name.replace('\'', "''")),
        Style::Plain if is_plain(name) => name.to_owned(),
        _ => format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// True if a name can be written without quotes: it cannot be read as anything else.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_./@".contains(c))
}
