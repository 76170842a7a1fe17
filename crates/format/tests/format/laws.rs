//! Laws that hold for every text.

use std::fmt::Write as _;

use proptest::prelude::*;

use crate::support::{broken_law, formatted, values};

/// More cases than usual, as they are quick; `PROPTEST_CASES` still counts.
fn many() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.saturating_mul(8), failure_persistence: None, ..usual }
}

/// Text made of the pieces that matter in YAML, so that it is often nearly valid.
pub(crate) fn yamlish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["a", "b", "key", "é", "日本", "1", "no", "~", "'x'", "\"y\"", "text", "'a\n b'"]),
        4 => prop::sample::select(vec![": ", ":", "- ", "-", "? ", ", ", "[", "]", "{", "}", "&a ", "*a", "<<: *a"]),
        2 => prop::sample::select(vec!["\"", "'", "\\", "|", ">", "|-", ">+", "|2", "!x ", "!!str ", "{}", "[]", "{{"]),
        5 => prop::sample::select(vec!["\n", "\n  ", "\n    ", "\n- ", "\nk: ", " ", "   ", "\n\n\n", "\r\n", "\t"]),
        1 => prop::sample::select(vec!["# c", " # d", "\n# e\n", "#", "%", "---", "\n---\n", "\n...\n", "\u{feff}"]),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A document before it is written.
#[derive(Clone, Debug)]
enum Value {
    Leaf(usize),
    Flow(Vec<usize>),
    List(Vec<Value>),
    Map(Vec<Value>),
}

const LEAVES: [&str; 9] =
    ["1", "x y", "'it''s'", "\"a: b\"", "~", "&x !y z", "|\nfolded\n  text\n\nend", ">-\none\ntwo", "!z"];
const INLINE: usize = 5;

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        3 => (0..LEAVES.len()).prop_map(Value::Leaf),
        1 => prop::collection::vec(0..INLINE, 0..4).prop_map(Value::Flow),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..5).prop_map(Value::List),
            prop::collection::vec(inner, 1..5).prop_map(Value::Map),
        ]
    })
}

/// One of the ways in which a document can be written.
struct Writer {
    out: String,
    step: usize,
    has_indented_lists: bool,
    gap: &'static str,
    comments: usize,
}

impl Writer {
    fn new(step: usize, has_indented_lists: bool, gap: &'static str) -> Self {
        Self { out: String::new(), step, has_indented_lists, gap, comments: 0 }
    }

    /// A comment above every third entry, and one behind it if it has one line.
    fn above(&mut self, indent: usize) {
        self.comments += 1;
        if self.comments.is_multiple_of(3) {
            writeln!(self.out, "{}# {} é", " ".repeat(indent), self.comments).unwrap();
        }
    }

    fn behind(&mut self) {
        let comment =
            if self.comments.is_multiple_of(3) { format!("{}# behind", self.gap) } else { String::new() };
        writeln!(self.out, "{comment}").unwrap();
    }

    fn leaf(&mut self, text: &str, indent: usize) {
        let mut lines = text.lines();
        write!(self.out, "{}{}", self.gap, lines.next().unwrap_or_default()).unwrap();
        self.behind();
        for line in lines {
            let indent = if line.is_empty() { 0 } else { indent + self.step };
            writeln!(self.out, "{}{line}", " ".repeat(indent)).unwrap();
        }
    }

    /// A value behind its indicator, in an entry that is indented so much.
    fn value(&mut self, value: &Value, indent: usize, in_map: bool) {
        match value {
            Value::Leaf(idx) => self.leaf(LEAVES[*idx], indent),
            Value::Flow(items) => {
                let comma = format!(",{}", self.gap);
                let items: Vec<_> = items.iter().map(|it| LEAVES[*it]).collect();
                self.leaf(&format!("[{}]", items.join(&comma)), indent);
            }
            Value::List(_) if in_map && !self.has_indented_lists => {
                self.out.push('\n');
                self.collection(value, indent);
            }
            Value::List(_) | Value::Map(_) => {
                self.out.push('\n');
                self.collection(value, indent + self.step);
            }
        }
    }

    fn collection(&mut self, value: &Value, indent: usize) {
        let (Value::List(items) | Value::Map(items)) = value else { return };
        let is_map = matches!(value, Value::Map(_));
        for (idx, item) in items.iter().enumerate() {
            self.above(indent);
            let key = if is_map { format!("k{idx}:") } else { "-".to_owned() };
            write!(self.out, "{}{key}", " ".repeat(indent)).unwrap();
            self.value(item, indent, is_map);
        }
    }

    fn document(mut self, value: &Value) -> String {
        self.collection(value, 0);
        self.out
    }
}

/// Documents, each in one of the ways in which it can be written.
pub(crate) fn written() -> impl Strategy<Value = String> {
    let gap = prop::sample::select(vec![" ", "  ", "     "]);
    (document(), 1_usize..9, any::<bool>(), gap).prop_map(|(value, step, has_indented_lists, gap)| {
        Writer::new(step, has_indented_lists, gap).document(&value)
    })
}

proptest! {
    #![proptest_config(many())]

    #[test]
    fn any_text_keeps_the_laws(text in any::<String>()) {
        prop_assert_eq!(broken_law(&text), None);
    }

    #[test]
    fn any_near_yaml_keeps_the_laws(text in yamlish()) {
        prop_assert_eq!(broken_law(&text), None);
    }

    #[test]
    fn however_a_document_is_written_its_layout_is_one(
        value in document(),
        step in 1_usize..9,
        has_indented_lists in any::<bool>(),
        gap in prop::sample::select(vec![" ", "  ", "     "]),
    ) {
        let expected = Writer::new(2, true, " ").document(&value);
        let text = Writer::new(step, has_indented_lists, gap).document(&value);
        prop_assert!(values(&text).is_some(), "{}", text);
        prop_assert_eq!(broken_law(&text), None);
        prop_assert_eq!(formatted(&text), Some(expected));
    }
}
