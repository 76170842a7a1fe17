use std::fmt::Write as _;

use diag::FileId;

use super::{EditError, place};
use crate::emit::scalar;
use crate::parse::parse_as_written;
use crate::{Limits, Mapping, Node, NodeData, Style};

/// A value that is put into a text.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) node: Node,
    /// Its YAML text.
    text: String,
}

/// A value as it is written behind a key or a dash.
#[derive(Clone, Debug)]
pub(super) struct EmittedValue {
    /// The text on the line of the key or dash.
    pub(super) head: String,
    /// The lines below, to be indented.
    pub(super) tail: Vec<String>,
    /// The lines below are entries or items, so they may start on the line of a dash.
    pub(super) is_block: bool,
}

impl Value {
    /// Reads the YAML text of one value.
    pub(super) fn read(text: &str) -> Result<Self, EditError> {
        let parse = parse_as_written(FileId(0), text, &Limits::default());
        if parse.document.partial || parse.diagnostics.iter().any(|it| it.severity == diag::Severity::Error) {
            return Err(EditError::Unreadable);
        }
        let null = || Node::new(NodeData::Null, diag::Span::default());
        Ok(match parse.document.root {
            Some(node) => Self { node, text: text.trim_matches(['\n', '\r']).to_owned() },
            None => Self { node: null(), text: "null".to_owned() },
        })
    }

    /// This value under these keys.
    pub(super) fn nested(&self, keys: &[String]) -> Self {
        let mut value = self.clone();
        for name in keys.iter().rev() {
            let written = value.written(false);
            let mut text = format!("{}:", key(name));
            if !written.head.is_empty() {
                let _ = write!(text, " {}", written.head);
            }
            for line in &written.tail {
                let indent = if line.is_empty() { "" } else { "  " };
                let _ = write!(text, "\n{indent}{line}");
            }
            let entry =
                crate::Entry { key: name.as_str().into(), key_span: value.node.span, value: value.node };
            let data = NodeData::Mapping(std::sync::Arc::new(Mapping { entries: vec![entry] }));
            value = Self { node: Node::new(data, diag::Span::default()), text };
        }
        value
    }

    /// On one line that can stand anywhere if `flow`, otherwise as it was given.
    pub(super) fn written(&self, flow: bool) -> EmittedValue {
        if flow {
            return EmittedValue { head: self.flow(), tail: Vec::new(), is_block: false };
        }
        let mut lines = self.text.lines().map(str::to_owned);
        let is_block = self.node.is_collection() && !place::is_flow(&self.node, &self.text);
        if is_block {
            return EmittedValue { head: String::new(), tail: lines.collect(), is_block };
        }
        EmittedValue { head: lines.next().unwrap_or_default(), tail: lines.collect(), is_block }
    }

    /// The value on one line, as it was given if that is one line.
    pub(super) fn inline(&self) -> String {
        let is_block = self.node.is_collection() && !place::is_flow(&self.node, &self.text);
        if is_block || self.text.contains('\n') { self.flow() } else { self.text.clone() }
    }

    /// The value on one line that can stand anywhere.
    pub(super) fn flow(&self) -> String {
        let mut out = String::new();
        write_flow(&self.node, &mut out);
        out
    }
}

/// A key as it is written.
pub(super) fn key(text: &str) -> String {
    let plain = scalar::text_on_one_line(text).unwrap_or_else(|| json(text));
    // What is plain on its own may still hold what separates entries in brackets.
    if plain.contains([',', '[', ']', '{', '}']) && !plain.starts_with(['"', '\'']) {
        json(text)
    } else {
        plain
    }
}

/// A text in double quotes, as in JSON.
pub(super) fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                escape(character, &mut out)
            }
            other if other.is_control() => escape(other, &mut out),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn escape(character: char, out: &mut String) {
    let _ = write!(out, "\\u{:04x}", character as u32);
}

fn write_flow(node: &Node, out: &mut String) {
    match &node.data {
        NodeData::String(text, Style::Plain) if text.starts_with('*') => out.push_str(text),
        NodeData::String(text, _) => out.push_str(&key(text)),
        NodeData::Sequence(items) => {
            out.push('[');
            for (idx, item) in items.iter().enumerate() {
                out.push_str(if idx > 0 { ", " } else { "" });
                write_flow(item, out);
            }
            out.push(']');
        }
        NodeData::Mapping(mapping) => {
            out.push('{');
            for (idx, entry) in mapping.entries.iter().enumerate() {
                let _ = write!(out, "{}{}: ", if idx > 0 { ", " } else { "" }, key(&entry.key));
                write_flow(&entry.value, out);
            }
            out.push('}');
        }
        NodeData::Null | NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) => {
            out.push_str(&scalar::on_one_line(&node.data).unwrap_or_default());
        }
    }
}
