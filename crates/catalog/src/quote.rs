use std::fmt::Write as _;

/// A text in double quotes as upstream's messages show it (`%q` in Go).
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    text.chars().for_each(|it| push(&mut quoted, it));
    quoted.push('"');
    quoted
}

fn push(quoted: &mut String, character: char) {
    let escape = match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{7}' => "\\a",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{b}' => "\\v",
        _ => return push_other(quoted, character),
    };
    quoted.push_str(escape);
}

fn push_other(quoted: &mut String, character: char) {
    let code = character as u32;
    // Writing to a string cannot fail.
    let _ = match code {
        ..0x20 | 0x7f => write!(quoted, "\\x{code:02x}"),
        _ if !character.is_control() => write!(quoted, "{character}"),
        _ => write!(quoted, "\\u{code:04x}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        let cases =
            [("", "\"\""), ("a\"b\\c", r#""a\"b\\c""#), ("é\n\u{1}\u{7f}\u{85}", r#""é\n\x01\x7f\u0085""#)];
        for (text, expected) in cases {
            assert_eq!(quote(text), expected);
        }
    }
}
