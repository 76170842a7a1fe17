//! Regular expressions in Go's syntax as those of JSON Schema, which has JavaScript's.

/// Escapes that mean the same in both.
const ESCAPES: &str = "dDwWsS.*+?^$|()[]{}/\\-tnrfv";

/// The expression for a whole text, if it means the same in JavaScript with the flag `u`.
pub(crate) fn whole(go: &str) -> Option<String> {
    is_portable(go).then(|| format!("^(?:{go})$"))
}

/// Flags, named groups, classes by name and anchors of Go are not portable; neither is a range that begins with a class.
fn is_portable(go: &str) -> bool {
    if !go.is_ascii() || go.contains("(?") || go.contains("[[:") || go.contains("[]") {
        return false;
    }
    let mut characters = go.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            continue;
        }
        let Some(escaped) = characters.next().filter(|it| ESCAPES.contains(*it)) else { return false };
        let mut rest = characters.clone();
        let is_class = escaped.is_ascii_alphabetic() && "dDwWsS".contains(escaped);
        if is_class && rest.next() == Some('-') && rest.next() != Some(']') {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_javascript_reads_alike_is_kept() {
        let rows = [
            (r"[\w][\w.-]{0,127}", true),
            (r"[a-z][a-z0-9\-]{0,28}[a-z0-9]", true),
            (r"[\w@!\\.|-]{1,9}", true),
            (r"a\/b", true),
            (r"(?i)a", false),
            (r"(?P<a>b)", false),
            (r"[[:alpha:]]", false),
            (r"\pL", false),
            (r"a\z", false),
            (r"[\w-.]", false),
            (r"\_", false),
            (r"[]a]", false),
            ("ä", false),
        ];
        for (go, portable) in rows {
            assert_eq!(whole(go).is_some(), portable, "{go}");
        }
        assert_eq!(whole("a|b").as_deref(), Some("^(?:a|b)$"));
    }
}
