//! The places of a text's references in its file.

use std::ops::Range;

use diag::{Sources, Span};
use model::reference_openings;
use syntax::{Node, NodeData, Style, written_at};

/// The spans of parts of a node's text, ascending, each beginning with an unescaped `${`. If the text is not
/// written literally in the file, as many `${` are counted there as in the text; a part that is not found
/// even so has the span of the whole node.
pub(crate) fn spans(sources: &Sources, node: &Node, text: &str, parts: &[Range<usize>]) -> Vec<Span> {
    let raw = sources.text(node.span);
    let within = |range: Range<usize>| {
        let start = node.span.start;
        Span::new(node.span.file, start + range.start as u32, start + range.end as u32)
    };
    let NodeData::String(_, style) = node.data else { return vec![node.span; parts.len()] };
    if let Some(before) = as_it_is(raw, style, text) {
        return parts.iter().map(|part| within(before + part.start..before + part.end)).collect();
    }
    if let Some(found) = written_at(raw, style, text, parts.iter().flat_map(ends_of(text))) {
        return found.chunks(2).map(|ends| within(ends[0].start..ends[1].end)).collect();
    }
    let written: Vec<usize> = reference_openings(raw).collect();
    let mut before = reference_openings(text).enumerate().peekable();
    let mut find = |part: &Range<usize>| {
        let (count, _) = std::iter::from_fn(|| before.next_if(|(_, at)| *at <= part.start)).last()?;
        let start = *written.get(count)?;
        raw[start..].starts_with(&text[part.clone()]).then(|| within(start..start + part.len()))
    };
    parts.iter().map(|part| find(part).unwrap_or(node.span)).collect()
}

/// The number of bytes of a scalar before its text, if that is written literally.
fn as_it_is(raw: &str, style: Style, text: &str) -> Option<usize> {
    let (before, quote) = match style {
        Style::Plain => (0, ""),
        Style::SingleQuoted => (1, "'"),
        Style::DoubleQuoted => (1, "\""),
        Style::Literal | Style::Folded => return None,
    };
    let inner = raw.strip_prefix(quote)?.strip_suffix(quote)?;
    (inner == text && !text.bytes().any(|byte| matches!(byte, b'\\' | b'\'' | b'\n' | b'\r')))
        .then_some(before)
}

/// The bytes at which the first and the last character of a part begin.
fn ends_of(text: &str) -> impl Fn(&Range<usize>) -> [usize; 2] {
    |part| {
        let last = text[part.clone()].char_indices().next_back().map_or(0, |(at, _)| at);
        [part.start, part.start + last]
    }
}

#[cfg(test)]
mod tests {
    use diag::{FileId, Source};
    use syntax::{Limits, parse};

    use super::*;

    fn check(yaml: &str, change: impl Fn(&mut Node), expected: &[&str]) {
        let sources: Sources = [Source::new("a.yaml", yaml)].into_iter().collect();
        let mut node = parse(FileId(0), yaml, &Limits::default()).document.root.expect("a value");
        change(&mut node);
        let text = node.as_str().expect("a text");
        let parts: Vec<_> = reference_openings(text).map(|at| at..at + 4).collect();
        let found = spans(&sources, &node, text, &parts);
        let shown: Vec<String> =
            found.iter().map(|it| format!("{} {}", it.start, sources.text(*it))).collect();
        assert_eq!(shown, expected, "{yaml}");
    }

    #[test]
    fn a_reference_is_found_behind_its_escaped_twin() {
        check("${a} $${a} ${a}", |_| {}, &["0 ${a}", "11 ${a}"]);
        check(r#""$${a} \u0024{a} ${a}""#, |_| {}, &[r"7 \u0024{a}", "17 ${a}"]);
        check("|\n  $${a}\n\n  ${a}\n", |_| {}, &["13 ${a}"]);
    }

    #[test]
    fn references_without_a_literal_span_are_numbered() {
        let as_literal = |node: &mut Node| {
            if let NodeData::String(_, style) = &mut node.data {
                *style = Style::SingleQuoted;
            }
        };
        check("${a} $${a} ${a}", as_literal, &["0 ${a}", "11 ${a}"]);
        check(r#""${b} \u0024{a}""#, as_literal, &["1 ${b}", r#"0 "${b} \u0024{a}""#]);
    }
}
