//! Any text can be read, written, edited and fixed.

use diag::{FileId, Severity, Span, apply_edits};
use syntax::edit::{insert, remove, rename_key, set};
use syntax::{Limits, Node, NodeData, emit, parse};

#[path = "../../../../crates/syntax/tests/syntax/lenient/mod.rs"]
mod lenient;

const FILE: FileId = FileId(7);

pub(crate) fn run() {
    let seeds: Vec<Vec<u8>> = SEEDS.iter().map(|it| it.as_bytes().to_vec()).collect();
    crate::fuzz("syntax", check, &seeds, WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let limits = Limits { depth: 20, alias_nodes: 500, ..Limits::default() };
    let parse = parse(FILE, text, &limits);
    let document = &parse.document;
    for comment in &document.comments {
        assert!(slice(text, *comment).starts_with('#'));
    }
    assert!(document.comments.is_sorted_by_key(|it| it.start));
    for found in &parse.diagnostics {
        slice(text, found.span.expect("a place"));
        found.related.iter().for_each(|label| _ = slice(text, label.span));
        assert!(!found.message.contains('\n'));
        for fix in &found.fixes {
            fix.edits.iter().for_each(|edit| _ = slice(text, edit.span));
            syntax::parse(FILE, &apply_edits(text, &fix.edits), &limits);
        }
    }
    let broken = parse.diagnostics.iter().any(|it| it.severity == Severity::Error);
    assert!(broken || !document.partial);
    if !broken {
        lenient::check_fixes(text, &parse).unwrap_or_else(|why| panic!("{why}"));
    }
    let Some(root) = &document.root else { return };
    check_spans(root, text, Span::new(FILE, 0, text.len() as u32));
    check_written(root);
    if text.len() < 2_000 {
        check_edits(root, text);
    }
}

fn slice(text: &str, span: Span) -> &str {
    assert_eq!(span.file, FILE);
    text.get(span.start as usize..span.end as usize).expect("a span in the text")
}

/// Spans are in their parents', but for what an alias or `<<` brings in.
fn check_spans(node: &Node, text: &str, parent: Span) {
    slice(text, node.span);
    let inside = |span: Span| parent.start <= span.start && span.end <= parent.end;
    assert!(inside(node.span) || text.contains('*') || text.contains("<<"));
    match &node.data {
        NodeData::Sequence(items) => items.iter().for_each(|item| check_spans(item, text, node.span)),
        NodeData::Mapping(mapping) => {
            for (idx, entry) in mapping.entries.iter().enumerate() {
                slice(text, entry.key_span);
                check_spans(&entry.value, text, node.span);
                assert!(mapping.entries[..idx.min(50)].iter().all(|it| it.key != entry.key));
            }
        }
        _ => {}
    }
}

fn check_written(root: &Node) {
    let written = emit(root);
    let read = parse(FILE, &written, &Limits::default());
    assert!(!read.document.partial, "{written}");
    assert!(read.document.root.is_some_and(|it| it.same_value(root)), "{written}");
}

fn check_edits(root: &Node, text: &str) {
    let mut path = Vec::new();
    let mut node = root;
    while path.len() < 6 {
        let (segment, child) = match &node.data {
            NodeData::Mapping(mapping) => match mapping.entries.last() {
                Some(entry) => (entry.key.to_string(), &entry.value),
                None => break,
            },
            NodeData::Sequence(items) => match items.last() {
                Some(item) => ((items.len() - 1).to_string(), item),
                None => break,
            },
            _ => break,
        };
        path.push(segment);
        node = child;
    }
    let edits = [
        set(FILE, text, &path, "a: [1]\nb: x"),
        set(FILE, text, &[path.as_slice(), &["new".to_owned()]].concat(), "text"),
        insert(FILE, text, &path, "- 1\n- 2"),
        remove(FILE, text, &path),
        rename_key(FILE, text, &path, "no, key"),
    ];
    for edits in edits.into_iter().flatten() {
        edits.iter().for_each(|edit| _ = slice(text, edit.span));
        assert!(!parse(FILE, &apply_edits(text, &edits), &Limits::default()).document.partial);
    }
}

const SEEDS: &[&str] = &[
    "# head\nmeta: {name: shop, version: \"1.2\"} # c\nservices:\n  web:\n    init:\n      - run: [\"/bin/sh\", '-c']\n    ip: []\n",
    "base: &base\n  a: 1\n  b: 'x'\none:\n  <<: [*base]\n  b: 2\ntwo: *base\n",
    "a: |+\n  text\n\nb: >-\n  folded\n  text # no comment\nc: \"x\\n\\u00e9 \\\n  y\"\n",
    "- - 1\n  - 2\n-\n- ? k\n  : v\n- [a: b, {c: d}, \"e\": f]\n- !!str 1\n- !reset\n",
    "---\r\na: é\r\nb:\r\n- 日本\r\n...\r\n",
    "a:\n  b: \"one\ntwo\"# c\n  c: [\n    1,\n 'x\ny']\n  d:\tx\n- e: {\n}\n",
    "a:\n|\n  x\nb: [\n\t1, {? \tc}\n]\nc: \"\\\n\n\td\"\n",
    "a: \"unclosed\nb: [1, 2\nc: 1\n d: 2\n\te: 3\nf:g\nh: @\n",
];

const WORDS: &[&str] = &[
    ": ",
    "- ",
    "? ",
    "\n  ",
    "\n- ",
    "\n]",
    "\n}\n",
    "\"\n",
    "]#",
    ":\t",
    "\nk: ",
    "&a ",
    "*a",
    "<<: *a",
    "!!str ",
    "!reset ",
    "!x!y ",
    "|\n ",
    ">-\n ",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    ", ",
    " #",
    "---",
    "...",
    "%YAML 1.2\n",
    "\t",
    "\r\n",
    "\u{feff}",
    "no",
    "0755",
    "1:30",
    ".inf",
    "1e3",
    "é",
    "\u{2028}",
];
