use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::{Node, NodeData};

mod number;
pub(crate) mod scalar;

use number::number;
use scalar::{is_hidden, needs_quotes};

/// YAML text of a tree. Reading it back with [`parse`](crate::parse), PyYAML or js-yaml gives the same values;
/// tags are not written.
///
/// # Guarantees
/// Keys keep their order. Text that a reader of YAML 1.1 or 1.2 could take for something else is quoted, and numbers
/// are written so that both read them alike.
pub fn emit(node: &Node) -> String {
    let marks = Marks::for_tree(node);
    let text = serde_yaml::to_string(&Emit { node, marks: &marks }).unwrap_or_default();
    marks.settle(&text)
}

/// `serde_yaml` chooses the form in which text is written. Where that must be decided here, the text is written behind a mark
/// that forces double quotes, and the mark is taken out afterwards.
///
/// A mark is a run of private characters longer than any in the tree, so nothing else can be taken for one, and a control
/// character, which is always escaped in double quotes.
#[derive(Debug)]
struct Marks {
    run: String,
}

const PRIVATE: char = '\u{f8ff}';
/// The quotes stay.
const QUOTED: (&str, &str) = ("\u{1}", "\\x01");
/// The quotes go: it is a number.
const BARE: (&str, &str) = ("\u{2}", "\\x02");

impl Marks {
    fn for_tree(node: &Node) -> Self {
        Self { run: PRIVATE.to_string().repeat(longest_run(node) + 1) }
    }

    fn quoted(&self, text: &str) -> String {
        format!("{}{}{text}", self.run, QUOTED.0)
    }

    fn bare(&self, number: &str) -> String {
        format!("{}{}{number}", self.run, BARE.0)
    }

    /// Takes the marks out of what was written.
    fn settle(&self, written: &str) -> String {
        let mut parts = written.split(&*self.run);
        let mut text = String::with_capacity(written.len());
        text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            if let Some(rest) = part.strip_prefix(QUOTED.1) {
                text.push_str(rest);
            } else if let Some(rest) = part.strip_prefix(BARE.1) {
                // Invariant: the mark was right behind the opening quote, and a number holds no quote.
                text.pop();
                let (number, rest) = rest.split_once('"').unwrap_or((rest, ""));
                text.push_str(number);
                text.push_str(rest);
            }
        }
        spelled_out(text)
    }
}

/// The same text without characters that cannot be seen: all of them stand in double quotes, where YAML reads them
/// spelled out.
fn spelled_out(text: String) -> String {
    if text.is_ascii() || !text.contains(is_hidden) {
        return text;
    }
    let spelled = |c: char| match u32::from(c) {
        _ if !is_hidden(c) => c.to_string(),
        code @ ..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    };
    text.chars().map(spelled).collect()
}

fn longest_run(node: &Node) -> usize {
    match &node.data {
        NodeData::String(text, _) => longest_run_in(text),
        NodeData::Sequence(items) => items.iter().map(longest_run).max().unwrap_or(0),
        NodeData::Mapping(mapping) => {
            let entries = mapping.entries.iter();
            entries.map(|entry| longest_run_in(&entry.key).max(longest_run(&entry.value))).max().unwrap_or(0)
        }
        NodeData::Null | NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) => 0,
    }
}

fn longest_run_in(text: &str) -> usize {
    if text.is_ascii() {
        return 0;
    }
    text.split(|it| it != PRIVATE).map(|run| run.chars().count()).max().unwrap_or(0)
}

struct Emit<'a> {
    node: &'a Node,
    marks: &'a Marks,
}

impl Serialize for Emit<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.node.data {
            NodeData::Null => serializer.serialize_unit(),
            NodeData::Bool(value) => serializer.serialize_bool(*value),
            NodeData::Int(value) => serializer.serialize_i64(*value),
            NodeData::Float(value) => serializer.serialize_str(&self.marks.bare(&number(*value))),
            NodeData::String(text, _) => Text { text, marks: self.marks }.serialize(serializer),
            NodeData::Sequence(items) => {
                serializer.collect_seq(items.iter().map(|node| Emit { node, marks: self.marks }))
            }
            NodeData::Mapping(mapping) => {
                // Without a length, or a map of one key that starts with `!` would become a tag.
                let mut map = serializer.serialize_map(None)?;
                for entry in &mapping.entries {
                    let key = Text { text: &entry.key, marks: self.marks };
                    map.serialize_entry(&key, &Emit { node: &entry.value, marks: self.marks })?;
                }
                map.end()
            }
        }
    }
}

struct Text<'a> {
    text: &'a str,
    marks: &'a Marks,
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if needs_quotes(self.text) {
            serializer.serialize_str(&self.marks.quoted(self.text))
        } else {
            serializer.serialize_str(self.text)
        }
    }
}

#[cfg(test)]
mod tests {
    use diag::FileId;
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{Limits, parse};

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let read = |text: &str| parse(FileId(0), text, &Limits::default()).document.root.expect("a value");
        let node = read(text);
        let written = emit(&node);
        expected.assert_eq(&written);
        assert!(read(&written).same_value(&node));
    }

    #[test]
    fn order_is_kept_and_collections_are_blocks() {
        check(
            "{z: 1, a: [1, {b: 2}, [], {}], m: ~, t: true}",
            &expect![[r#"
            z: 1
            a:
            - 1
            - b: 2
            - []
            - {}
            m: null
            t: true
        "#]],
        );
    }

    #[test]
    fn text_that_looks_like_something_else_is_quoted() {
        check(
            "['no', 'y', '1:30', '0755', '1e3', '=', '<<', '2024-01-01', '~', '', ' x ', '8080:80', '10.0.0.0/24', 'a: b', '!x', 'true', '1_000', '--into', '-in', '-1', '-.5', '-']",
            &expect![[r#"
                - "no"
                - "y"
                - "1:30"
                - "0755"
                - "1e3"
                - "="
                - "<<"
                - "2024-01-01"
                - "~"
                - ""
                - ' x '
                - "8080:80"
                - 10.0.0.0/24
                - 'a: b'
                - '!x'
                - "true"
                - "1_000"
                - --into
                - -in
                - "-1"
                - "-.5"
                - "-"
            "#]],
        );
        check(
            "{'no': 1, '1': 2, '<<': 3, '!tag': 4}",
            &expect![[r#"
            "no": 1
            "1": 2
            "<<": 3
            '!tag': 4
        "#]],
        );
        check(
            "{'!tag': 4}",
            &expect![[r#"
            '!tag': 4
        "#]],
        );
    }

    #[test]
    fn numbers_read_alike_everywhere() {
        check(
            "[1, -5, 1.5, 1e3, 1e20, 1.5e300, 5e-7, .inf, -.inf, 0.0001, 100000.0, -0.0, 0.00001, 1e16, .nan]",
            &expect![[r#"
            - 1
            - -5
            - 1.5
            - 1000.0
            - 1.0e+20
            - 1.5e+300
            - 5.0e-7
            - .inf
            - -.inf
            - 0.0001
            - 100000.0
            - -0.0
            - 0.00001
            - 1.0e+16
            - .nan
        "#]],
        );
    }

    #[test]
    fn lines_control_characters_and_private_ones() {
        check(
            r#"["a\nb\n", "a\nb", "\na", "a\n\n", "  a\nb", "tab\there", "bell\a", "\u2028", "🦀", "\uF8FF", "\uF8FF\uF8FF\x01no"]"#,
            &expect![[r#"
                - |
                  a
                  b
                - |-
                  a
                  b
                - "\na"
                - |+
                  a

                - "  a\nb"
                - "tab\there"
                - "bell\a"
                - "\L"
                - 🦀
                - 
                - "\x01no"
            "#]],
        );
    }
}
