//! Files as text, and what merging them gives as text.

use std::fmt::Write;

use diag::{Diagnostic, FileId, Source, Sources, Span};
use planloom_merge::{Layer, Merged, merge};
use syntax::{Limits, Node, NodeData, parse};
use types::Types;

/// Files that were merged.
pub(crate) struct Files {
    pub(crate) sources: Sources,
    pub(crate) merged: Merged,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Merges texts, first to last, with the built-in kinds. They are called `a.yaml`, `b.yaml`, …
pub(crate) fn files(texts: &[&str]) -> Files {
    let texts: Vec<_> = texts.iter().map(|text| (*text, None)).collect();
    with_packages(&texts, &Types::builtin())
}

/// Merges texts that may come from packages.
pub(crate) fn with_packages(texts: &[(&str, Option<&str>)], types: &Types) -> Files {
    let mut sources = Sources::new();
    let mut layers = Vec::new();
    for (idx, (text, package)) in texts.iter().enumerate() {
        let name = format!("{}.yaml", char::from(b'a' + idx as u8));
        let file = sources.add(Source::new(name, *text));
        layers.push(Layer::new(root(file, text), package.map(Into::into)));
    }
    let (merged, diagnostics) = merge(&layers, types);
    Files { sources, merged, diagnostics }
}

pub(crate) fn root(file: FileId, text: &str) -> Option<Node> {
    let parsed = parse(file, text, &Limits::default());
    assert!(
        parsed.diagnostics.iter().all(|it| it.severity != diag::Severity::Error),
        "{text}: {:?}",
        parsed.diagnostics
    );
    parsed.document.root
}

impl Files {
    /// The merged tree in flow style.
    pub(crate) fn value(&self) -> String {
        flow(&self.merged.root)
    }

    /// `a.yaml:1:5` and the text that stands there.
    pub(crate) fn shown(&self, span: Span) -> String {
        let (name, location) = self.sources.locate(span).expect("a span lies in its file");
        format!("{name}:{}:{} {}", location.line, location.column, self.sources.text(span).replace('\n', "⏎"))
    }

    /// One line a diagnostic, its other places and help below it.
    pub(crate) fn reported(&self) -> String {
        let mut text = String::new();
        for it in &self.diagnostics {
            let place = it.span.map(|span| self.shown(span)).unwrap_or_default();
            writeln!(text, "{} {}: {} @ {place}", it.severity.as_str(), it.code, it.message).unwrap();
            for label in &it.related {
                writeln!(text, "  {} @ {}", label.message, self.shown(label.span)).unwrap();
            }
            if let Some(help) = &it.help {
                writeln!(text, "  help: {help}").unwrap();
            }
            for fix in &it.fixes {
                writeln!(text, "  fix: {}", fix.title).unwrap();
            }
        }
        text
    }

    /// The histories of the places that have one.
    pub(crate) fn history(&self) -> String {
        let mut text = String::new();
        for (pointer, history) in &self.merged.history {
            let pointer = if pointer.as_str().is_empty() { "(root)" } else { pointer.as_str() };
            writeln!(text, "{pointer} {} @ {}", history.rule.as_str(), self.shown(history.span)).unwrap();
            for part in history.parts.iter().filter(|_| history.parts.len() > 1) {
                writeln!(text, "  + {}", self.shown(*part)).unwrap();
            }
            for it in &history.shadowed {
                let (value, place) = (flow(&it.value), self.shown(it.value.span));
                writeln!(text, "  - {value} ({}) @ {place}", it.rule.as_str()).unwrap();
            }
        }
        text
    }
}

/// A tree in flow style, keys in order, so that two texts are equal when trees are.
pub(crate) fn flow(node: &Node) -> String {
    match &node.data {
        NodeData::Null => "null".into(),
        NodeData::Bool(it) => it.to_string(),
        NodeData::Int(it) => it.to_string(),
        NodeData::Float(it) => format!("{it:?}"),
        NodeData::String(it, _) if it.parse::<f64>().is_ok() || it.is_empty() => format!("{it:?}"),
        NodeData::String(it, _) => it.to_string(),
        NodeData::Sequence(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        NodeData::Mapping(map) => {
            let entries = map.entries.iter().map(|entry| format!("{}: {}", entry.key, flow(&entry.value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}
