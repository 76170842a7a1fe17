use std::borrow::Cow;
use std::fmt::Write as _;

/// True if a character does not stand for itself where it is shown: it controls a terminal, turns the direction of the
/// text beside it, has no width, breaks the line without being a line feed, or is no character at all.
///
/// Line feeds and tabs are control characters, too; who shows texts of several lines lets them through.
pub const fn is_invisible(c: char) -> bool {
    match c {
        // C0, DEL and C1.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // The soft hyphen, the grapheme joiner, the Arabic letter mark, and the fillers that look like a blank or nothing.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => true,
        '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{16fe4}' => true,
        // Variation selectors, and what steers how hieroglyphs, shorthand and notes are laid out.
        '\u{fe00}'..='\u{fe0f}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' => true,
        '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' => true,
        // Zero width, marks and embeddings of direction, line and paragraph separator, invisible operators, isolates.
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        // The byte order mark, interlinear annotations and noncharacters.
        '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}' => true,
        // Tags, which spell ASCII unseen.
        '\u{e0000}'..='\u{e0fff}' => true,
        _ => (c as u32) & 0xfffe == 0xfffe,
    }
}

/// A text with each character that is [invisible](is_invisible) and not in `except` as `\u` and four hexadecimal digits,
/// those beyond the first plane as a pair: the form that JSON, JavaScript and YAML read.
///
/// In JSON such characters stand inside of texts only, so JSON stays the same JSON.
pub fn escape_invisible<'t>(text: &'t str, except: &[char]) -> Cow<'t, str> {
    let is_bad = |c: char| is_invisible(c) && !except.contains(&c);
    let Some(first) = text.find(is_bad) else { return Cow::Borrowed(text) };
    let (head, tail) = text.split_at(first);
    let mut escaped = String::with_capacity(text.len() + 16);
    escaped.push_str(head);
    for c in tail.chars() {
        if is_bad(c) { push_escaped(&mut escaped, c) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

fn push_escaped(text: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        // A text takes whatever is written to it.
        let _ = write!(text, "\\u{unit:04x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        let check = |text: &str, expected: &str| assert_eq!(escape_invisible(text, &['\n']), expected);
        check("plain, ünïcode, 日本語, עברית\n", "plain, ünïcode, 日本語, עברית\n");
        check("a\u{1b}[31mb\tc\r", "a\\u001b[31mb\\u0009c\\u000d");
        check("\u{7f}\u{85}\u{9b}\u{ad}", "\\u007f\\u0085\\u009b\\u00ad");
        check(
            "\u{61c}\u{200b}\u{200e}\u{200f}\u{202a}\u{202e}",
            "\\u061c\\u200b\\u200e\\u200f\\u202a\\u202e",
        );
        check("\u{2066}\u{2069}\u{2028}\u{2029}\u{feff}", "\\u2066\\u2069\\u2028\\u2029\\ufeff");
        check("\u{2800}\u{fe0f}\u{fff0}", "\\u2800\\ufe0f\\ufff0");
        check("\u{1d173}", "\\ud834\\udd73");
        check("\u{fdd0}\u{ffff}\u{e0041}", "\\ufdd0\\uffff\\udb40\\udc41");
    }
}
