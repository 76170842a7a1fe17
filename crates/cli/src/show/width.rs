//! The width of text in columns, and ways to shorten it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use workspace::{escape_invisible, is_invisible};

pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Text from outside without characters that a terminal would obey: control characters are shown escaped.
pub(crate) fn clean(text: &str) -> String {
    if !text.contains(is_invisible) {
        return text.to_owned();
    }
    let text = text.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r");
    escape_invisible(&text, &[]).into_owned()
}

/// At most `room` columns: the rest is taken out of the middle, where names and hashes say least.
pub(crate) fn shorten(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    if room < 3 {
        return "…".repeat(room.min(1));
    }
    let behind = (room - 1) / 2;
    let front = room - 1 - behind;
    let start = take(text.chars(), front);
    let end: String = take(text.chars().rev(), behind).chars().rev().collect();
    format!("{start}…{end}")
}

/// The end of a text that is too long.
pub(crate) fn shorten_start(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let end: String = take(text.chars().rev(), room.saturating_sub(1)).chars().rev().collect();
    format!("…{end}")
}

/// The start of a text that is too long.
pub(crate) fn shorten_end(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    format!("{}…", take(text.chars(), room.saturating_sub(1)))
}

fn take(chars: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect()
}

/// With blanks behind it up to `room` columns.
pub(crate) fn pad(text: &str, room: usize) -> String {
    let blanks = room.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(blanks))
}

/// Lines of at most `room` columns, broken between words; a longer word stands alone.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words(text) {
        let line = lines.last_mut().map_or(0, |line| if line.is_empty() { 0 } else { width(line) + 1 });
        match lines.last_mut() {
            Some(last) if line == 0 => last.push_str(&word),
            Some(last) if line + width(&word) <= room => {
                last.push(' ');
                last.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// The words of a text. A text between backticks, such as a command, is one word where it fits on most lines, so that
/// it can be copied.
fn words(text: &str) -> Vec<String> {
    const LONGEST: usize = 70;
    let (mut words, mut is_quoted) = (Vec::new(), false);
    for part in text.split_inclusive('`') {
        let is_whole = is_quoted && part.ends_with('`') && part.len() <= LONGEST;
        let mut pieces = if is_whole { vec![part] } else { part.split(' ').collect() };
        let first = pieces.remove(0);
        match words.last_mut() {
            Some(last) => String::push_str(last, first),
            None => words.push(first.to_owned()),
        }
        words.extend(pieces.into_iter().map(str::to_owned));
        is_quoted = !is_quoted;
    }
    if words.is_empty() { vec![String::new()] } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_not_broken_over_lines() {
        assert_eq!(wrap("go back: `do it now` or not", 14), ["go back:", "`do it now` or", "not"]);
        assert_eq!(wrap("a `b", 3), ["a", "`b"]);
        assert_eq!(wrap("", 3), [""]);
        let long = format!("`{}`", "word ".repeat(20));
        assert!(wrap(&long, 20).len() > 3);
    }

    #[test]
    fn long_text_is_shortened_in_the_middle() {
        assert_eq!(shorten("abcdefgh", 8), "abcdefgh");
        assert_eq!(shorten("abcdefghi", 8), "abcd…ghi");
        assert_eq!(shorten("日本語日本語", 7), "日…語", "wide characters are not cut in half");
        assert_eq!(shorten("abcdef", 2), "…");
        assert_eq!(shorten("abcdef", 0), "");
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(clean("a\u{1b}[31mb\n\u{202e}"), "a\\u001b[31mb\\n\\u202e");
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("extraordinary word", 4), ["extraordinary", "word"]);
        assert_eq!(wrap("", 4), [""]);
    }
}
