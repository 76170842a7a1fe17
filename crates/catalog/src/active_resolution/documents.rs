use std::ops::Range;

/// The ranges of the documents of a text, which are separated by `---` at the start of a line.
pub(super) fn documents(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let rest = line.strip_prefix("---");
        if rest.is_some_and(|it| it.is_empty() || it.starts_with([' ', '\t', '\r', '\n'])) && at > start {
            found.push(start..at);
            start = at;
        }
        at += line.len();
    }
    found.push(start..at);
    found
}

/// The text up to the end of a document, with everything before it blank, so that each byte of the document
/// keeps its offset.
pub(super) fn only(text: &str, document: &Range<usize>) -> String {
    let before = text.get(..document.start).unwrap_or_default().bytes();
    let blank: String = before.map(|it| if it == b'\n' { '\n' } else { ' ' }).collect();
    blank + text.get(document.clone()).unwrap_or_default()
}
