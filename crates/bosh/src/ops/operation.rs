use std::{ops::Range, sync::Arc};

use diag::{Diagnostic, Span};
use syntax::{Node, NodeData};

use super::path::Path;
use crate::{codes, reporter::Reporter, shape::kind, value::piece};

/// An operation.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    /// Its kind.
    pub(super) kind: Kind<'a>,
    /// The path.
    pub(super) path: Path,
    /// The path's text.
    pub(super) text: &'a str,
    /// The node of the path.
    pub(super) written: &'a Node,
    /// The author's message for a case in which it cannot be applied, and its place.
    pub(super) explanation: Option<(Arc<str>, Span)>,
}

const KEYS: [&str; 5] = ["type", "path", "value", "absent", "error"];

/// The kind of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'a> {
    /// Put this value at the path.
    Replace(&'a Node),
    /// Remove the value at the path.
    Remove,
    /// Check that this value is at the path.
    Test(&'a Node),
    /// Check that there is no value at the path.
    TestAbsent,
}

impl<'a> Operation<'a> {
    /// Reads an operation; reports errors in it.
    pub(super) fn read(node: &'a Node, reporter: &mut Reporter) -> Option<Self> {
        if node.as_mapping().is_none() {
            let message = format!("an operation must be a map, not {}", kind(node));
            reporter.push(Diagnostic::error(codes::OPS, node.span, message));
            return None;
        }
        report_unknown_keys(node, reporter);
        let explanation = node.get("error").and_then(|_| reporter.text(node, "error"));
        let explanation = explanation.map(|it| (it.text, it.span));
        let kind = what(node, reporter);
        let path = path(node, reporter);
        let ((path, text, written), kind) = (path?, kind?);
        if path.steps.is_empty() && matches!(kind, Kind::Remove) {
            let message = "the whole document cannot be removed";
            reporter.push(Diagnostic::error(codes::OPS_PATH, written.span, message));
            return None;
        }
        Some(Self { kind, path, text, written, explanation })
    }

    /// The place of some bytes of the path; the whole path if it is not written literally.
    pub(super) fn span_of(&self, bytes: &Range<usize>) -> Span {
        piece(self.written, bytes)
    }
}

fn report_unknown_keys(node: &Node, reporter: &mut Reporter) {
    for entry in node.as_mapping().into_iter().flat_map(|it| &it.entries) {
        if !KEYS.contains(&&*entry.key) {
            let message = format!("an operation has no `{}`: it is ignored", entry.key);
            let found = Diagnostic::warning(codes::OPS_KEY, entry.key_span, message);
            let found = reporter.help(found, &entry.key, KEYS, "keys");
            reporter.push(found);
        }
    }
}

fn what<'a>(node: &'a Node, reporter: &mut Reporter) -> Option<Kind<'a>> {
    let Some(name) = reporter.text(node, "type") else {
        missing(node, "type", "give it a `type`: `replace`, `remove` or `test`", reporter);
        return None;
    };
    let value = node.get("value");
    match (&*name.text, value) {
        ("replace", Some(value)) => Some(Kind::Replace(value)),
        ("remove", None) => Some(Kind::Remove),
        ("remove", Some(value)) => {
            let found = Diagnostic::error(codes::OPS, value.span, "`remove` has no `value`");
            reporter.push(found.help("remove it, or write `type: replace`"));
            None
        }
        ("test", _) if is_true(node.get("absent")) => Some(Kind::TestAbsent),
        ("test", Some(value)) => Some(Kind::Test(value)),
        ("replace" | "test", None) => {
            missing(node, "value", "write the new value; `null` for none", reporter);
            None
        }
        (other, _) => {
            let message = format!("unknown operation `{other}`");
            let found = Diagnostic::error(codes::OPS, name.span, message);
            let found = reporter.help(found, other, ["replace", "remove", "test"], "operations");
            reporter.push(found);
            None
        }
    }
}

const fn is_true(node: Option<&Node>) -> bool {
    matches!(node, Some(Node { data: NodeData::Bool(true), .. }))
}

fn path<'a>(node: &'a Node, reporter: &mut Reporter) -> Option<(Path, &'a str, &'a Node)> {
    let Some(written) = node.get("path") else {
        missing(node, "path", "give it a `path`, e.g. `/instance_groups/name=web`", reporter);
        return None;
    };
    let Some(text) = written.as_str() else {
        let message = format!("`path` must be text, not {}", kind(written));
        reporter.push(Diagnostic::error(codes::OPS, written.span, message));
        return None;
    };
    match Path::parse(text) {
        Ok(path) => Some((path, text, written)),
        Err(unreadable) => {
            let message = format!("the path `{text}` cannot be read: {}", unreadable.message);
            let span = piece(written, &unreadable.bytes);
            reporter.push(Diagnostic::error(codes::OPS_PATH, span, message));
            None
        }
    }
}

fn missing(node: &Node, key: &str, help: &str, reporter: &mut Reporter) {
    if node.get(key).is_none_or(|it| matches!(it.data, NodeData::Null)) {
        let found = Diagnostic::error(codes::OPS, node.span, format!("an operation needs `{key}`"));
        reporter.push(found.help(help));
    }
}
