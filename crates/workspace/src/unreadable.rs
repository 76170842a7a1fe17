//! Secrets in texts that cannot be read as YAML, so that nothing but names in their lines tells of them.

use std::ops::Range;

use model::is_secret_name;

/// The bytes that may be secrets: what follows a name that says so and `:` or `=` in a line, and the lines below it that
/// are indented more.
pub(crate) fn secrets(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    // How far the line is indented that began what is hidden.
    let mut block: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        let indent = content.len() - content.trim_start().len();
        let is_inside = content.is_empty() || block.is_some_and(|it| indent > it);
        if !is_inside {
            block = None;
        }
        let from = match (block, value(content)) {
            (Some(_), _) => Some(indent.min(content.len())),
            (None, Some(from)) => {
                block = Some(indent);
                Some(from)
            }
            (None, None) => None,
        };
        found.extend(from.map(|from| start + from..start + content.len()).filter(|it| !it.is_empty()));
        start += line.len();
    }
    found
}

/// Where in a line the value of the first secret begins.
fn value(line: &str) -> Option<usize> {
    let separators = line.char_indices().filter(|(_, it)| matches!(it, ':' | '='));
    let ends = separators.filter(|(at, _)| is_secret_name(name_before(&line[..*at])));
    let at = ends.map(|(at, _)| at + 1).next()?;
    Some(line.len() - line[at..].trim_start().len())
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

    fn shown(text: &str) -> String {
        let mut shown = text.to_owned();
        for range in secrets(text).into_iter().rev() {
            let stars = "*".repeat(range.len());
            shown.replace_range(range, &stars);
        }
        shown
    }

    #[test]
    fn what_follows_a_name_that_says_so_is_hidden() {
        for (text, expected) in [
            ("a: 1\nDB_PASSWORD: [x\nb: 2\n", "a: 1\nDB_PASSWORD: **\nb: 2\n"),
            ("env: {apiKey: 'é', b: 2\n", "env: {apiKey: **********\n"),
            (
                "  - \"TOKEN\" : |\n      one\n\n      two\n  - b: 3",
                "  - \"TOKEN\" : *\n      ***\n\n      ***\n  - b: 3",
            ),
            ("export TOKEN=abc\r\nPORT=1\r\n", "export TOKEN=***\r\nPORT=1\r\n"),
            ("token:\n  value\n", "token:\n  *****\n"),
            ("args: [--token, abc", "args: [--token, abc"),
            ("", ""),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }
}
