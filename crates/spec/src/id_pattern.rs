//! Regular expressions of ids as specifications write them.

use diag::Diagnostic;

use crate::{codes::ID_PATTERN, skeleton::Text};

/// The expression that is meant. Some files double each backslash once more than YAML needs, because the text passes
/// through a template into a string of a `.proto` file; a double backslash before `w`, `d`, `s`, `/` and `-` is such a one
/// (source: Goten's tools). Elsewhere it is a backslash.
pub(crate) fn unescape(written: &str) -> String {
    let mut meant = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = rest.find(r"\\") {
        let (head, tail) = rest.split_at(at);
        meant.push_str(head);
        let after = tail.get(2..).unwrap_or_default();
        meant.push_str(if after.starts_with(['w', 'd', 's', '/', '-']) { r"\" } else { r"\\" });
        rest = after;
    }
    meant.push_str(rest);
    meant
}

/// A hint if a class has a range between two signs, `/-=`, which is hardly meant.
pub(crate) fn suspicious_range(written: &Text) -> Option<Diagnostic> {
    let meant = unescape(&written.value);
    let bytes = meant.as_bytes();
    let mut in_class = false;
    for (at, window) in bytes.windows(3).enumerate() {
        let [from, middle, to] = window else { continue };
        match from {
            b'[' => in_class = true,
            b']' => in_class = false,
            _ => {}
        }
        let escaped = at.checked_sub(1).and_then(|it| bytes.get(it)) == Some(&b'\\');
        if in_class && *middle == b'-' && is_sign(*from) && is_sign(*to) && !escaped {
            return Some(report(written, char::from(*from), char::from(*to)));
        }
    }
    None
}

fn is_sign(byte: u8) -> bool {
    byte.is_ascii_punctuation() && !matches!(byte, b'[' | b']' | b'\\')
}

fn report(written: &Text, from: char, to: char) -> Diagnostic {
    let message = format!("`{from}-{to}` is a range, of all characters between `{from}` and `{to}`");
    Diagnostic::hint(ID_PATTERN, written.span, message)
        .help("put `-` first or last if the sign itself is meant")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubled_backslashes_are_undone() {
        let rows = [
            (r"[\\w./-]{1,128}", r"[\w./-]{1,128}"),
            (r"[\w./-]{1,128}", r"[\w./-]{1,128}"),
            (r"a\\/b", r"a\/b"),
            (r"[a-z\\-]", r"[a-z\-]"),
            (r"[\w@!\\.|-]", r"[\w@!\\.|-]"),
            ("", ""),
            (r"\\", r"\\"),
        ];
        for (written, meant) in rows {
            assert_eq!(unescape(written), meant, "{written}");
        }
    }
}
