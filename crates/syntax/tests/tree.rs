//! What trees come out of texts, with the bytes of every node.

use std::fmt::Write as _;

use diag::FileId;
use expect_test::Expect;
use planloom_syntax::{Limits, Node, NodeData, Tag, parse};

#[track_caller]
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&dump(text, &Limits::default()));
}

fn dump(text: &str, limits: &Limits) -> String {
    let parse = parse(FileId(0), text, limits);
    let mut out = String::new();
    match &parse.document.root {
        Some(root) => node(root, text, 0, &mut out),
        None => out.push_str("nothing\n"),
    }
    for comment in &parse.document.comments {
        writeln!(out, "comment {:?}", &text[comment.start as usize..comment.end as usize]).unwrap();
    }
    if parse.document.partial {
        out.push_str("partial\n");
    }
    for found in &parse.diagnostics {
        let span = found.span.unwrap();
        let source = diag::Source::new("", text);
        let place = source.locate(span.start);
        writeln!(
            out,
            "{} {} at {}:{} {:?}: {}",
            found.severity.as_str(),
            found.code,
            place.line,
            place.column,
            &text[span.start as usize..span.end as usize],
            found.message
        )
        .unwrap();
    }
    out
}

fn node(it: &Node, text: &str, depth: usize, out: &mut String) {
    let tag = match it.tag {
        Tag::None => "",
        Tag::Reset => "!reset ",
        Tag::Override => "!override ",
    };
    let written = &text[it.span.start as usize..it.span.end as usize];
    let pad = "  ".repeat(depth);
    match &it.data {
        NodeData::Sequence(items) => {
            writeln!(out, "{tag}list {}..{} {written:?}", it.span.start, it.span.end).unwrap();
            for item in items.iter() {
                write!(out, "{pad}  - ").unwrap();
                node(item, text, depth + 1, out);
            }
        }
        NodeData::Mapping(mapping) => {
            writeln!(out, "{tag}map {}..{} {written:?}", it.span.start, it.span.end).unwrap();
            for entry in &mapping.entries {
                let key = &text[entry.key_span.start as usize..entry.key_span.end as usize];
                write!(out, "{pad}  {:?} {key:?} = ", entry.key).unwrap();
                node(&entry.value, text, depth + 1, out);
            }
        }
        data => writeln!(out, "{tag}{data:?} {}..{} {written:?}", it.span.start, it.span.end).unwrap(),
    }
}
