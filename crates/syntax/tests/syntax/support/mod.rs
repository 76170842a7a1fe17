//! Texts and trees to test with.

use std::sync::Arc;

use diag::Span;
use planloom_syntax::{Entry, Mapping, Node, NodeData, Style};
use proptest::prelude::*;

/// Texts that some reader of YAML takes for something else when they are not quoted, or that are hard to write.
pub(crate) const HARD: &[&str] = &[
    "",
    " ",
    "  x",
    "x ",
    "\t",
    "\tx",
    "no",
    "No",
    "NO",
    "yes",
    "on",
    "off",
    "y",
    "n",
    "true",
    "True",
    "null",
    "Null",
    "~",
    "=",
    "<<",
    "1",
    "-1",
    "+1",
    "0755",
    "0o17",
    "0x1F",
    "0b11",
    "1_000",
    "1.5",
    "1.",
    ".5",
    "1e3",
    "1.5e3",
    "1.5e+3",
    "1.0e-3",
    ".inf",
    "-.INF",
    ".nan",
    "1:30",
    "22:22",
    "80:05",
    "8080:80",
    "190:20:30.15",
    "2024-01-01",
    "2024-1-1",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43.10 -5",
    "- x",
    "-",
    "--",
    "---",
    "...",
    "? x",
    "?",
    ": x",
    ":",
    "a: b",
    "a:",
    "a #b",
    "#b",
    "a#b",
    "&a",
    "*a",
    "!a",
    "!!str a",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "'",
    "\"",
    "'a'",
    "\"a\"",
    "a'b",
    "[",
    "]",
    "{",
    "}",
    "[a]",
    "{a: b}",
    "a, b",
    "a\nb",
    "a\nb\n",
    "a\n\n",
    "\na",
    "\n",
    " a\nb",
    "a\n  b\n",
    "a \nb",
    "a\r\nb",
    "\u{85}\u{2028}\u{2029}",
    "\u{1}\u{7f}\u{9f}",
    "\u{feff}x",
    "é 日本 🦀",
    "\\n \\",
];

pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{0,6}",
        2 => "[ -~]{0,12}",
        3 => prop::sample::select(HARD.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[ab \n\t:#-]{0,10}",
        1 => "[0-9+._:eExobT-]{1,6}",
        1 => "[\u{f8fe}-\u{f900}\u{1}\u{2}\u{85}\u{2028}\r]{0,4}",
    ]
}

fn leaf() -> impl Strategy<Value = NodeData> {
    prop_oneof![
        1 => Just(NodeData::Null),
        1 => any::<bool>().prop_map(NodeData::Bool),
        1 => any::<i64>().prop_map(NodeData::Int),
        1 => (-100_i64..100).prop_map(NodeData::Int),
        1 => any::<f64>().prop_map(NodeData::Float),
        1 => (-10_i32..40).prop_map(|exponent| NodeData::Float(10_f64.powi(exponent))),
        6 => text().prop_map(|it| NodeData::String(it.into(), Style::Plain)),
    ]
}

pub(crate) fn tree() -> impl Strategy<Value = Node> {
    leaf().prop_map(bare).prop_recursive(5, 40, 6, |inner| {
        let list =
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| NodeData::Sequence(Arc::new(items)));
        let map = prop::collection::btree_map(text(), inner, 0..5).prop_map(|entries| {
            let entry =
                |(key, value): (String, Node)| Entry { key: key.into(), key_span: Span::default(), value };
            NodeData::Mapping(Arc::new(Mapping { entries: entries.into_iter().map(entry).collect() }))
        });
        prop_oneof![list, map].prop_map(bare)
    })
}

pub(crate) fn bare(data: NodeData) -> Node {
    Node::new(data, Span::default())
}
