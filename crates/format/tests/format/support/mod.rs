//! A text with its layout, and what has to be the same.
use diag::{FileId, TextEdit, apply_edits};
use scanner::{Event, ScalarStyle, Scanner};

pub(crate) const FILE: FileId = FileId(2);

/// The text after the edits; `None` if it cannot be read.
pub(crate) fn formatted(text: &str) -> Option<String> {
    planloom_format::format(FILE, text).ok().map(|it| apply_edits(text, &it.edits))
}

/// The error in the edits of a text, in the values and comments after them, or of the second formatting.
pub(crate) fn broken_law(text: &str) -> Option<String> {
    let edits = planloom_format::format(FILE, text).ok()?.edits;
    let once = apply_edits(text, &edits);
    if let Some(wrong) = overlapping(text, &edits) {
        return Some(wrong);
    }
    let twice = formatted(&once);
    if twice.as_ref() != Some(&once) {
        return Some(format!("not idempotent:\n{text}\n=>\n{once}\n=>\n{twice:?}"));
    }
    // What only libyaml reads has no events.
    if let Some(expected) = values(text)
        && Some(&expected) != values(&once).as_ref()
    {
        return Some(format!("other values:\n{text}\n=>\n{once}"));
    }
    (comments(text) != comments(&once)).then(|| format!("other comments:\n{text}\n=>\n{once}"))
}

fn overlapping(text: &str, edits: &[TextEdit]) -> Option<String> {
    let mut last = 0;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let replaced = text.get(start..end);
        if edit.span.file != FILE || start < last || replaced.is_none_or(|it| it == edit.new_text) {
            return Some(format!("a wrong edit: {edit:?}\n{text}"));
        }
        last = end;
    }
    None
}

/// All events, with quotes as one style.
pub(crate) fn values(text: &str) -> Option<Vec<String>> {
    let scanner = Scanner::new(text);
    let mut events = scanner.events_from(0);
    let mut values = Vec::new();
    while let Some(event) = events.next_event() {
        values.push(match event.ok()?.0 {
            Event::Scalar(value, ScalarStyle::SingleQuoted, anchor, tag) => {
                format!("{:?}", Event::Scalar(value, ScalarStyle::DoubleQuoted, anchor, tag))
            }
            event => format!("{event:?}"),
        });
    }
    Some(values)
}

/// The comments of the first document, by the parser's account.
fn comments(text: &str) -> Vec<String> {
    // The parser leaves out a comment right behind a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let document = syntax::parse(FILE, text, &syntax::Limits::default()).document;
    let written = |it: &diag::Span| text[it.start as usize..it.end as usize].trim_end().to_owned();
    document.comments.iter().map(written).collect()
}
