//! Characters outside of the basic plane as JSON escapes them: in two halves (RFC 8259, section 7).

use std::borrow::Cow;

/// The length of both halves.
pub(crate) const PAIR: usize = r"\ud83d\ude80".len();

/// The character of two halves such as `\ud83d\ude80`.
pub(crate) fn joined(pair: &str) -> Option<char> {
    let half = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?, 16).ok();
    let (high, low) = pair.split_at_checked(PAIR / 2)?;
    let mut characters = char::decode_utf16([half(high)?, half(low)?]);
    match (characters.next(), characters.next()) {
        (Some(Ok(character)), None) => Some(character),
        _ => None,
    }
}

/// A text of the same length in which each escaped pair is that of two other characters, which every parser reads: for callers
/// who read the layout of a text only.
pub fn mask_surrogates(text: &str) -> Cow<'_, str> {
    let (mut masked, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(next) = text[at..].find('\\') {
        at += next;
        if text.get(at..at + PAIR).and_then(joined).is_some() {
            masked.push_str(&text[copied..at]);
            masked.push_str(MASK);
            at += PAIR;
            copied = at;
        } else {
            // What is behind the backslash, with all its bytes.
            at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(&text[copied..]);
    Cow::Owned(masked)
}

/// As long as an escaped pair.
const MASK: &str = r"\u2603\u2603";

/// True if an escape is one half.
pub(crate) fn is_half(escape: &str) -> bool {
    let code = escape.strip_prefix("\\u").and_then(|it| u32::from_str_radix(it, 16).ok());
    code.is_some_and(|it| (0xd800..0xe000).contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_masked_and_nothing_else() {
        assert_eq!(mask_surrogates(r#""a\ud83d\ude80b""#), r#""a\u2603\u2603b""#);
        for text in [r"\\ud83d\ude80", r"\ud83d", r"\ude80\ud83d", r"\", r"\ü\ud83", "a"] {
            assert_eq!(mask_surrogates(text), text);
        }
    }
}
