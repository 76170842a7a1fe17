//! The laws for every text and every tree.

use diag::{FileId, Span};
use planloom_syntax::{Limits, Node, NodeData, emit, parse};
use proptest::prelude::*;

use crate::support::tree;

const FILE: FileId = FileId(3);

/// More cases than usual, as they are quick; `PROPTEST_CASES` still counts.
fn many() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.saturating_mul(8), failure_persistence: None, ..usual }
}

/// Text made of the pieces that matter in YAML, so that it is often nearly valid.
fn yamlish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["a", "b", "key", "é", "日本", "🦀", "1", "0x1F", "no", "~", "1e3", "text"]),
        4 => prop::sample::select(vec![": ", ":", "- ", "-", "? ", ", ", "[", "]", "{", "}", "&a ", "*a", "<<: *a"]),
        2 => prop::sample::select(vec!["\"", "'", "\\", "\\n", "|", ">", "|-", ">+", "|2", "!reset ", "!!str ", "!x!y "]),
        4 => prop::sample::select(vec!["\n", "\n  ", "\n    ", "\n- ", "\nk: ", " ", "\r\n", "\t", "\r"]),
        1 => prop::sample::select(vec!["# c", " #", "#", "%", "@", "---", "\n---\n", "\n...\n", "\u{feff}", "\u{85}", "\0", "\u{1}"]),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Every span lies in the text, on character boundaries, and inside its parent's.
fn check_spans(node: &Node, text: &str, parent: Span) -> Result<(), TestCaseError> {
    check_span(node.span, text)?;
    if !text.contains('*') {
        prop_assert!(
            parent.start <= node.span.start && node.span.end <= parent.end,
            "{node:?} in {parent:?}"
        );
    }
    match &node.data {
        NodeData::Sequence(items) => items.iter().try_for_each(|item| check_spans(item, text, node.span)),
        NodeData::Mapping(mapping) => mapping.entries.iter().try_for_each(|entry| {
            check_span(entry.key_span, text)?;
            if !text.contains('*') {
                prop_assert!(
                    node.span.start <= entry.key_span.start && entry.key_span.end <= entry.value.span.start
                );
            }
            check_spans(&entry.value, text, node.span)
        }),
        NodeData::Null | NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) => Ok(()),
        NodeData::String(it, _) => {
            prop_assert!(node.span.start < node.span.end || it.is_empty());
            Ok(())
        }
    }
}

fn check_span(span: Span, text: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(span.file, FILE);
    prop_assert!(span.start <= span.end);
    prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{:?} of {:?}", span, text);
    Ok(())
}

fn check_text(text: &str) -> Result<(), TestCaseError> {
    let parse = parse(FILE, text, &Limits::default());
    if let Some(root) = &parse.document.root {
        check_spans(root, text, Span::new(FILE, 0, text.len() as u32))?;
    }
    let mut last = 0;
    for comment in &parse.document.comments {
        check_span(*comment, text)?;
        prop_assert!(last <= comment.start && text[comment.start as usize..].starts_with('#'));
        last = comment.end;
    }
    for found in &parse.diagnostics {
        check_span(found.span.unwrap(), text)?;
        for label in &found.related {
            check_span(label.span, text)?;
        }
        for edit in found.fixes.iter().flat_map(|fix| &fix.edits) {
            check_span(edit.span, text)?;
        }
        prop_assert!(!found.message.contains('\n'), "{}", found.message);
    }
    let broken = parse.diagnostics.iter().any(|it| it.severity == diag::Severity::Error);
    prop_assert!(broken || !parse.document.partial);
    Ok(())
}

proptest! {
    #![proptest_config(many())]

    #[test]
    fn any_text_can_be_read(text in any::<String>()) {
        check_text(&text)?;
    }

    #[test]
    fn any_near_yaml_can_be_read(text in yamlish()) {
        check_text(&text)?;
    }

    #[test]
    fn emitted_yaml_round_trips(node in tree()) {
        let written = emit(&node);
        let parse = parse(FILE, &written, &Limits::default());
        // A lone text such as `a:b` is warned of, and keys may have characters that names must not have.
        let expected = ["syntax/missing-space", "syntax/invisible-character"];
        let harmless = parse.diagnostics.iter().all(|it| expected.contains(&it.code.as_str()));
        prop_assert!(harmless, "{:?}\n{}", parse.diagnostics, written);
        let root = parse.document.root.unwrap();
        check_spans(&root, &written, root.span)?;
        prop_assert!(root.same_value(&node), "{root:?}\n{written}");
        prop_assert_eq!(emit(&root), written);
    }
}
