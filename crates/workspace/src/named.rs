//! Secrets in texts by the names in their lines, for texts that have no tree of values: text that cannot be read as YAML, a key
//! that stands there twice, a `:` without a space.

use std::ops::Range;

use model::is_secret_name;

/// The bytes that may be secrets: the text after a name that indicates one and `:` or `=` in a line. `is_broken`: the text
/// cannot be read to its end, so the lines below that continue it are secrets, too.
pub(crate) fn secrets(text: &str, is_broken: bool) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    // How far the line is indented that began what is hidden.
    let mut block: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let indent = content.len() - content.trim_start().len();
        block = block.filter(|it| content.is_empty() || indent > *it || !begins(content.trim_start()));
        let mut hide = |range: Range<usize>| {
            if !range.is_empty() {
                found.push(start + range.start..start + range.end);
            }
        };
        match (block, values(content, is_broken).next()) {
            (Some(_), _) => hide(indent..content.len()),
            (None, Some(from)) if is_broken => {
                block = Some(indent);
                hide(from..content.len());
            }
            (None, _) => values(content, false).filter_map(|from| scalar(content, from)).for_each(hide),
        }
        start += line.len();
    }
    found
}

/// True if a line begins something new: an entry of a map or an item of a list.
fn begins(line: &str) -> bool {
    let line = line.strip_prefix("- ").map_or(line, str::trim_start);
    let name = line.split([':', '=']).next().unwrap_or_default();
    let rest = &line[name.len()..];
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '"' | '\'' | ' ');
    let is_entry = !name.is_empty() && name.chars().all(is_name) && (rest == ":" || rest.starts_with(": "));
    is_entry || line.starts_with('#')
}

/// A value that ends in its line, by the characters around it: in braces at the next `,` or the end of them. A value with
/// parts of its own is in the tree.
fn scalar(line: &str, from: usize) -> Option<Range<usize>> {
    let value = &line[from..];
    if value.starts_with(['{', '[', '|', '>', '#', '&']) {
        return None;
    }
    let is_inside = line[..from].contains(['{', '[']);
    let mut quote = None;
    for (at, it) in value.char_indices() {
        match (quote, it) {
            (None, '"' | '\'') => quote = Some(it),
            (Some(open), it) if it == open => quote = None,
            (None, ',' | '}' | ']') if is_inside => return Some(from..from + at),
            _ => {}
        }
    }
    Some(from..line.len())
}

/// The byte offsets in a line at which the values of secrets begin; in broken text also behind a name in quotes.
fn values(line: &str, is_broken: bool) -> impl Iterator<Item = usize> {
    let is_missing = |at: usize| !line[at + 1..].trim_start().starts_with([':', '=']);
    let separators = line.char_indices().filter(move |(at, it)| match it {
        ':' | '=' => true,
        '"' | '\'' => is_broken && is_missing(*at),
        _ => false,
    });
    let ends = separators.filter(|(at, _)| is_secret_name(name_before(&line[..*at])));
    ends.map(|(at, _)| line.len() - line[at + 1..].trim_start().len())
}

/// The word that a text ends with, without quotes.
fn name_before(text: &str) -> &str {
    let text = text.trim_end().trim_end_matches(['"', '\'']);
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.');
    text.rsplit(|it| !is_part(it)).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(is_broken: bool, cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            let mut shown = (*text).to_owned();
            for range in secrets(text, is_broken).into_iter().rev() {
                let stars = "*".repeat(range.len());
                shown.replace_range(range, &stars);
            }
            assert_eq!(shown, *expected, "{text:?}");
        }
    }

    #[test]
    fn values_of_secret_names_are_hidden() {
        check(
            true,
            &[
                ("a: 1\nDB_PASSWORD: [x\nb: 2\n", "a: 1\nDB_PASSWORD: **\nb: 2\n"),
                ("env: {apiKey: 'é', b: 2\n", "env: {apiKey: **********\n"),
                (
                    "  - \"TOKEN\" : |\n      one\n\n      two\n  - b: 3",
                    "  - \"TOKEN\" : *\n      ***\n\n      ***\n  - b: 3",
                ),
                ("{\"a\": 1, \"apiKey\"\"abc\"", "{\"a\": 1, \"apiKey\"*****"),
                ("export TOKEN=abc\r\nPORT: 1\r\n", "export TOKEN=***\r\nPORT: 1\r\n"),
                ("token:\n  value\n", "token:\n  *****\n"),
                ("token: |\nless: indented\n", "token: *\nless: indented\n"),
                ("  key_secret: |\n    a\n  b\n}c\nd: 1", "  key_secret: *\n    *\n  *\n**\nd: 1"),
                ("args: [--token, abc", "args: [--token, abc"),
                ("", ""),
            ],
        );
    }

    #[test]
    fn of_what_can_be_read_it_is_the_value_only() {
        check(
            false,
            &[
                ("env: {apiKey: 'a,b', b: 2}\n", "env: {apiKey: *****, b: 2}\n"),
                ("secrets: {A_TOKEN: !abc, b: c}\n", "secrets: {A_TOKEN: ****, b: c}\n"),
                ("DB_PASSWORD:abc\n", "DB_PASSWORD:***\n"),
                ("DB_PASSWORD=abc, d\n  e: 1\n", "DB_PASSWORD=******\n  e: 1\n"),
                ("secrets: {a: b}\ntoken: |\n  abc\n", "secrets: {a: b}\ntoken: |\n  abc\n"),
            ],
        );
    }
}
