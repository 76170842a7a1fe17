//! The requirements on a text that only libyaml reads.

use diag::{Diagnostic, FileId, Severity, Span, apply_edits};
use planloom_syntax::{Limits, Node, NodeData, Parse, parse};

/// The codes of the warnings of what libyaml reads and YAML 1.2 does not allow.
const CODES: [&str; 3] = ["syntax/continuation-indentation", "syntax/comment-space", "syntax/tab"];

/// The warnings of what libyaml reads and YAML 1.2 does not allow.
pub(crate) fn warnings(parse: &Parse) -> impl Iterator<Item = &Diagnostic> {
    parse
        .diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Warning && CODES.contains(&it.code.as_str()))
}

/// Checks that with the fixes the text says the same without these warnings, and that every value is found at the
/// same characters in both.
pub(crate) fn check_fixes(text: &str, read: &Parse) -> Result<(), String> {
    let edits: Vec<_> =
        warnings(read).flat_map(|it| &it.fixes).flat_map(|it| it.edits.iter().cloned()).collect();
    if edits.is_empty() {
        return Ok(());
    }
    let fixed = apply_edits(text, &edits);
    let again = parse(FileId(0), &fixed, &Limits::default());
    if let Some(left) = warnings(&again).next() {
        return Err(format!("fixed, there is still {}\n{text}\n{fixed}", left.message));
    }
    match (&read.document.root, &again.document.root) {
        (Some(one), Some(other)) if !one.same_value(other) => Err(format!("another value\n{text}\n{fixed}")),
        (Some(one), Some(other)) => same_places((one, text), (other, &fixed)),
        _ => Err(format!("one of them holds nothing\n{text}\n{fixed}")),
    }
}

fn same_places(one: (&Node, &str), other: (&Node, &str)) -> Result<(), String> {
    same_characters((one.0.span, one.1), (other.0.span, other.1))?;
    match (&one.0.data, &other.0.data) {
        (NodeData::Sequence(items), NodeData::Sequence(others)) => {
            items.iter().zip(others.iter()).try_for_each(|(a, b)| same_places((a, one.1), (b, other.1)))
        }
        (NodeData::Mapping(mapping), NodeData::Mapping(others)) => {
            mapping.entries.iter().zip(&others.entries).try_for_each(|(a, b)| {
                same_characters((a.key_span, one.1), (b.key_span, other.1))?;
                same_places((&a.value, one.1), (&b.value, other.1))
            })
        }
        _ => Ok(()),
    }
}

fn same_characters(one: (Span, &str), other: (Span, &str)) -> Result<(), String> {
    let characters = |(span, text): (Span, &str)| -> Option<String> {
        let written = text.get(span.start as usize..span.end as usize)?;
        Some(written.chars().filter(|it| !it.is_whitespace()).collect())
    };
    let is_tight = |(span, text): (Span, &str)| {
        text.get(span.start as usize..span.end as usize).is_some_and(|it| !it.starts_with(' '))
    };
    if characters(one).is_some() && characters(one) == characters(other) && is_tight(one) == is_tight(other) {
        return Ok(());
    }
    Err(format!("{:?} of the text is not {:?} of the fixed one\n{}\n{}", one.0, other.0, one.1, other.1))
}
