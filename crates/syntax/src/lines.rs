//! Lines of a text and the pieces of them that mistakes are about.

use std::ops::Range;

/// The start of the line that holds byte `at`.
pub(crate) fn start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |it| it + 1)
}

/// The end of the line that holds byte `at`, its break not included.
pub(crate) fn end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |len| at + len)
}

/// The line that holds byte `at` without its indentation and what is blank at its end.
pub(crate) fn content(text: &str, at: usize) -> Range<usize> {
    let (start, end) = (start(text, at), end(text, at));
    let line = &text[start..end];
    let end = start + line.trim_end_matches([' ', '\t']).len();
    let start = end.min(start + (line.len() - line.trim_start_matches([' ', '\t']).len()));
    start..end
}

/// The number of characters by which the content of a line is indented.
pub(crate) fn indent(text: &str, at: usize) -> usize {
    content(text, at).start - start(text, at)
}

/// The lines that hold something other than comments in `range`, from its first line to its last.
pub(crate) fn contents(text: &str, range: Range<usize>) -> impl DoubleEndedIterator<Item = Range<usize>> {
    let mut found = Vec::new();
    let mut at = start(text, range.start);
    while at <= range.end && at <= text.len() {
        let content = content(text, at);
        if !content.is_empty() && !text[content.clone()].starts_with('#') {
            found.push(content);
        }
        at = end(text, at) + 1;
    }
    found.into_iter()
}

/// The `:` of a line like `key:value` or `- key:value`, where a space is missing behind it.
pub(crate) fn glued_colon(text: &str, content: Range<usize>) -> Option<usize> {
    let mut rest = &text[content.clone()];
    while let Some(item) = rest.strip_prefix("- ") {
        rest = item.trim_start_matches(' ');
    }
    let key_len =
        rest.find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '"' | '\'')))?;
    let after_key = rest[key_len..].trim_start_matches(' ');
    let value = after_key.strip_prefix(':')?;
    let is_glued = key_len > 0
        && !rest.starts_with(|it: char| it.is_ascii_digit())
        && !value.starts_with([' ', '\t', ':', '/', '\\'])
        && !value.is_empty();
    is_glued.then(|| content.end - value.len() - 1)
}

/// The end of the value that starts at byte `start` of a line: before a comment and what is blank.
pub(crate) fn value_end(text: &str, start: usize) -> usize {
    let line = &text[start..end(text, start)];
    let value = line.find(" #").map_or(line, |len| &line[..len]);
    start + value.trim_end_matches([' ', '\t']).len()
}

/// A text in quotes that every reader takes apart in the same way.
pub(crate) fn in_quotes(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glued_colon_is_found_only_behind_a_key() {
        for (line, colon) in
            [("  name:shop", Some(6)), ("- a:1", Some(3)), ("a :1", Some(2)), ("\"a\":1", Some(3))]
        {
            assert_eq!(glued_colon(line, content(line, 0)), colon, "{line}");
        }
        for line in ["name: shop", "name:", "http://x", "12:30", "a::b", "C:\\x", "a b:c", ":x", "- a: b:c"] {
            assert_eq!(glued_colon(line, content(line, 0)), None, "{line}");
        }
    }

    #[test]
    fn lines_end_at_any_break() {
        let text = "a\r\n  b # c\rd";
        assert_eq!(content(text, 5), 5..10);
        assert_eq!(indent(text, 7), 2);
        assert_eq!(value_end(text, 5), 6);
        assert_eq!(contents(text, 0..text.len()).count(), 3);
    }
}
