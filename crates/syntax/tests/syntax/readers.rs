//! The output of `emit` means the same to PyYAML (YAML 1.1), to js-yaml (1.2) and to us.
//!
//! Needs `python3` with PyYAML, and `node` with js-yaml in a `node_modules` above this crate, above `tests/bench`, or above the
//! folder that `PLANLOOM_NODE_MODULES` names. Checks whose reader is missing are skipped, and say so.
#![expect(clippy::print_stderr, reason = "a skipped test must be seen")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use diag::FileId;
use planloom_syntax::{Limits, Node, NodeData, Style, emit, parse};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::support::{HARD, bare, tree};

const TREES: usize = 3_000;

/// The trees that are tried: each hard text as value and as key, and many random ones.
fn trees() -> Vec<Node> {
    let text = |it: &str| bare(NodeData::String(it.into(), Style::Plain));
    let entry = |it: &str| planloom_syntax::Entry {
        key: it.into(),
        key_span: diag::Span::default(),
        value: text(it),
    };
    let map = |it: &&str| {
        bare(NodeData::Mapping(std::sync::Arc::new(planloom_syntax::Mapping { entries: vec![entry(it)] })))
    };
    let mut trees: Vec<Node> = HARD.iter().map(|it| text(it)).chain(HARD.iter().map(map)).collect();
    let mut runner = TestRunner::deterministic();
    trees.extend((0..TREES).map(|_| tree().new_tree(&mut runner).expect("a tree").current()));
    trees
}

/// The line that a reader should print. JavaScript has one kind of number, and puts keys like `1` first.
fn expected(node: &Node, javascript: bool) -> String {
    let float = |it: f64| {
        format!(
            "[\"float\",{:?}]",
            if it.is_nan() { "nan".to_owned() } else { format!("{:016x}", it.to_bits()) }
        )
    };
    match &node.data {
        NodeData::Null => "[\"null\"]".to_owned(),
        NodeData::Bool(it) => format!("[\"bool\",{it}]"),
        NodeData::Int(it) if javascript => float(*it as f64),
        NodeData::Int(it) => format!("[\"int\",\"{it}\"]"),
        NodeData::Float(it) => float(if javascript && *it == 0.0 { 0.0 } else { *it }),
        NodeData::String(it, _) => format!("[\"text\",{}]", json(it)),
        NodeData::Sequence(items) => {
            let items: Vec<String> = items.iter().map(|it| expected(it, javascript)).collect();
            format!("[\"list\",[{}]]", items.join(","))
        }
        NodeData::Mapping(mapping) => {
            let entry = |it: &planloom_syntax::Entry| {
                format!("[[\"text\",{}],{}]", json(&it.key), expected(&it.value, javascript))
            };
            let mut entries: Vec<String> = mapping.entries.iter().map(entry).collect();
            if javascript {
                entries.sort();
            }
            format!("[\"map\",[{}]]", entries.join(","))
        }
    }
}

/// As `JSON.stringify` and `json.dumps` write it after [`tidy`].
fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        match unit {
            0x22 | 0x5c => out.extend(['\\', char::from(unit as u8)]),
            0x20..0x7f => out.push(char::from(unit as u8)),
            _ => out.push_str(&format!("\\u{unit:04x}")),
        }
    }
    out.push('"');
    out
}

/// The values that the readers read, in the form of [`expected`].
fn run(program: &str, script: &str, folder: &Path, documents: &[String]) -> Option<Vec<Answer>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax/readers").join(script);
    let mut child = Command::new(program)
        .arg(script)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = documents.join("\0");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    let lines: Vec<Answer> = String::from_utf8(output.stdout).ok()?.lines().map(Answer::parse).collect();
    output.status.success().then_some(lines)
}

/// One printed line.
#[derive(Debug, PartialEq, Eq)]
struct Answer(String);

impl Answer {
    /// Brings both ways of writing JSON into one.
    fn parse(line: &str) -> Self {
        let mut out = String::new();
        let mut chars = line.chars();
        let mut in_text = false;
        while let Some(it) = chars.next() {
            match it {
                '"' => {
                    in_text = !in_text;
                    out.push(it);
                }
                ' ' if !in_text => {}
                '\\' => match chars.next() {
                    Some('u') => {
                        let code: String = chars.by_ref().take(4).collect();
                        out.push_str(&format!("\\u{}", code.to_lowercase()));
                    }
                    Some(short @ ('"' | '\\')) => out.extend(['\\', short]),
                    Some(short) => {
                        let at = "bfnrt".find(short).expect("a JSON escape");
                        out.push_str(&format!("\\u{:04x}", [8, 12, 10, 13, 9][at]));
                    }
                    None => {}
                },
                ' '..='~' => out.push(it),
                wide => wide
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
            }
        }
        Self(out)
    }

    /// With the entries of maps in the order of their text, and no sign for zero.
    fn sorted(&self) -> String {
        fn value(text: &str, at: &mut usize) -> String {
            let bytes = text.as_bytes();
            let start = *at;
            match bytes[*at] {
                b'[' => {
                    *at += 1;
                    let mut items = Vec::new();
                    while bytes[*at] != b']' {
                        items.push(value(text, at));
                        if bytes[*at] == b',' {
                            *at += 1;
                        }
                    }
                    *at += 1;
                    if items.first().is_some_and(|it| it == "\"map\"") {
                        let inner = items[1].clone();
                        let mut at = 1;
                        let mut entries = Vec::new();
                        while inner.as_bytes()[at] != b']' {
                            entries.push(value(&inner, &mut at));
                            if inner.as_bytes()[at] == b',' {
                                at += 1;
                            }
                        }
                        entries.sort();
                        return format!("[\"map\",[{}]]", entries.join(","));
                    }
                    format!("[{}]", items.join(","))
                }
                b'"' => {
                    *at += 1;
                    while bytes[*at] != b'"' {
                        *at += if bytes[*at] == b'\\' { 2 } else { 1 };
                    }
                    *at += 1;
                    text[start..*at].to_owned()
                }
                _ => {
                    while !matches!(bytes[*at], b',' | b']') {
                        *at += 1;
                    }
                    text[start..*at].to_owned()
                }
            }
        }
        value(&self.0, &mut 0).replace("[\"float\",\"8000000000000000\"]", "[\"float\",\"0000000000000000\"]")
    }
}

#[test]
fn pyyaml_reads_what_is_written() {
    let trees = trees();
    let documents: Vec<String> = trees.iter().map(emit).collect();
    let Some(answers) = run("python3", "read.py", Path::new("."), &documents) else {
        eprintln!("skipped: python3 with PyYAML is not there");
        return;
    };
    assert_eq!(answers.len(), trees.len());
    for ((tree, document), answer) in trees.iter().zip(&documents).zip(answers) {
        assert_eq!(answer.0, expected(tree, false), "{document}");
    }
}

#[test]
fn js_yaml_reads_what_is_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        std::env::var_os("PLANLOOM_NODE_MODULES").map(PathBuf::from),
        Some(root.join("../../tests/bench")),
        Some(root.into()),
    ];
    let trees = trees();
    let documents: Vec<String> = trees.iter().map(emit).collect();
    let Some(answers) =
        folders.iter().flatten().find_map(|folder| run("node", "read.mjs", folder, &documents))
    else {
        eprintln!("skipped: node with js-yaml is not there");
        return;
    };
    assert_eq!(answers.len(), trees.len());
    for ((tree, document), answer) in trees.iter().zip(&documents).zip(answers) {
        assert_eq!(answer.sorted(), expected(tree, true), "{document}");
    }
}

#[test]
fn we_read_what_is_written() {
    for tree in trees() {
        let document = emit(&tree);
        let root = parse(FileId(0), &document, &Limits::default()).document.root.expect("a value");
        assert_eq!(expected(&root, false), expected(&tree, false), "{document}");
    }
}
