use diag::{Diagnostic, Diagnostics, Span, nearest};
use syntax::{Mapping, Node, NodeData};

use crate::codes::{MISSING_KEY, TYPE, UNKNOWN_KEY};

/// A map of which all keys are known.
pub(crate) struct Keys<'a> {
    mapping: &'a Mapping,
    span: Span,
    what: &'static str,
}

/// A text and where it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
}

impl<'a> Keys<'a> {
    /// The keys of a map. Reports what is no map, and keys that are not known.
    pub(crate) fn of(
        node: &'a Node,
        what: &'static str,
        known: &[&str],
        report: &mut Diagnostics,
    ) -> Option<Self> {
        let Some(mapping) = node.as_mapping() else {
            let message = format!("{what} is a map, not a {}", node.kind_name());
            report.push(Diagnostic::error(TYPE, node.span, message).help("write keys with values"));
            return None;
        };
        for entry in mapping.entries.iter().filter(|it| !known.contains(&&*it.key)) {
            let message = format!("{what} has no key `{}`", entry.key);
            let unknown = Diagnostic::error(UNKNOWN_KEY, entry.key_span, message);
            report.push(match nearest(&entry.key, known.iter().copied()) {
                Some(known) => unknown.replace(format!("Rename to `{known}`"), entry.key_span, known),
                None => unknown.help(format!("it has {}", known.join(", "))),
            });
        }
        Some(Self { mapping, span: node.span, what })
    }

    /// A text that has to be there.
    pub(crate) fn required(&self, key: &str, report: &mut Diagnostics) -> Option<Text<'a>> {
        if !self.has(key) {
            report.push(self.missing(key));
        }
        self.text(key, report)
    }

    /// A text that may be absent. A key without a value is a mistake.
    pub(crate) fn text(&self, key: &str, report: &mut Diagnostics) -> Option<Text<'a>> {
        self.written(key, report).and_then(|node| text(key, node, report))
    }

    /// The texts of a list, which may be absent. A key without a value is a mistake.
    pub(crate) fn texts(&self, key: &str, report: &mut Diagnostics) -> Vec<Text<'a>> {
        self.written(key, report);
        self.list(key, report).iter().filter_map(|it| text(key, it, report)).collect()
    }

    pub(crate) fn list(&self, key: &str, report: &mut Diagnostics) -> &'a [Node] {
        let Some(node) = self.value(key) else { return &[] };
        node.as_sequence().unwrap_or_else(|| {
            let message = format!("`{key}` takes a list, not a {}", node.kind_name());
            report.push(Diagnostic::error(TYPE, node.span, message).help("write `- ` before each item"));
            &[]
        })
    }

    pub(crate) fn missing(&self, key: &str) -> Diagnostic {
        let message = format!("{} has no `{key}`", self.what);
        Diagnostic::error(MISSING_KEY, self.start(), message).help(format!("add `{key}:`"))
    }

    pub(crate) const fn start(&self) -> Span {
        Span::at(self.span.file, self.span.start)
    }

    /// True if the key is written, with or without a value.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.mapping.get(key).is_some()
    }

    /// The value of a key. Reports a key without one.
    fn written(&self, key: &str, report: &mut Diagnostics) -> Option<&'a Node> {
        if let Some(entry) = self.mapping.entries.iter().find(|it| &*it.key == key)
            && matches!(entry.value.data, NodeData::Null)
        {
            let message = format!("`{key}` has no value");
            report.push(Diagnostic::error(TYPE, entry.key_span, message).help(help(key)));
        }
        self.value(key)
    }

    fn value(&self, key: &str) -> Option<&'a Node> {
        self.mapping.get(key).filter(|it| !matches!(it.data, NodeData::Null))
    }
}

/// The help for a key that has no value.
fn help(key: &str) -> &'static str {
    match key {
        "scope" => "write the name of a resource, or remove the key for the whole service",
        "members" | "permissions" => "write `- ` before each item, or remove the key for none",
        _ => "write a value, or remove the key",
    }
}

fn text<'a>(key: &str, node: &'a Node, report: &mut Diagnostics) -> Option<Text<'a>> {
    let wrong = match node.as_str() {
        Some("") => Diagnostic::error(TYPE, node.span, format!("`{key}` has an empty text")).help(help(key)),
        Some(text) => return Some(Text { text, span: node.span }),
        None => {
            let message = format!("`{key}` takes a text, not a {}", node.kind_name());
            Diagnostic::error(TYPE, node.span, message).help("write a text that is not empty")
        }
    };
    report.push(wrong);
    None
}
