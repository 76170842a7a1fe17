//! Values as short YAML.

use serde_json::Value as Json;

/// What a value that must not be shown looks like.
pub const SECRET: &str = "••••••";

/// What a text in YAML stands for, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Text.
    Text,
    /// A number.
    Number,
    /// `true`, `false`, `null`.
    Word,
    /// `{}`, `[]` and other punctuation.
    Mark,
    /// A text with a `${…}` in it.
    Reference,
    /// A value that must not be shown.
    Secret,
}

impl Token {
    /// What a value counts as.
    pub fn of(value: &Json) -> Self {
        match value {
            Json::Null | Json::Bool(_) => Self::Word,
            Json::Number(_) => Self::Number,
            Json::String(text) if text == SECRET => Self::Secret,
            Json::String(text) if has_reference(text) => Self::Reference,
            Json::String(_) => Self::Text,
            Json::Array(_) | Json::Object(_) => Self::Mark,
        }
    }

    /// The class of its colour.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Text => "t-text",
            Self::Number => "t-number",
            Self::Word => "t-word",
            Self::Mark => "t-mark",
            Self::Reference => "t-reference",
            Self::Secret => "t-secret",
        }
    }
}

/// Whether a text holds a `${…}` that is not escaped.
pub fn has_reference(text: &str) -> bool {
    text.match_indices("${").any(|(at, _)| !text.get(..at).is_some_and(|before| before.ends_with('$')))
}

/// A value in one line: text plain where YAML would read it back as text, lists and maps in flow style.
pub fn flow(value: &Json) -> String {
    match value {
        Json::String(text) => quoted(text),
        Json::Array(items) => format!("[{}]", join(items.iter().map(flow))),
        Json::Object(map) if map.is_empty() => "{}".into(),
        Json::Object(map) => {
            format!(
                "{{ {} }}",
                join(map.iter().map(|(key, value)| format!("{}: {}", quoted(key), flow(value))))
            )
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => value.to_string(),
    }
}

/// A text as it stands in a cell, where nothing else could be meant: without quotes.
pub fn plain(value: &Json) -> String {
    match value {
        Json::String(text) if !text.is_empty() => text.clone(),
        _ => flow(value),
    }
}

/// A text as a YAML scalar, in double quotes where it would be read as something else.
pub fn quoted(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { Json::String(text.to_owned()).to_string() }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Careful rather than short: what may be read differently by any YAML reader is quoted.
fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let last_is_space = text.ends_with(' ');
    let opens = "-?:,[]{}#&*!|>'\"%@`~ =".contains(first) || first.is_ascii_digit() && reads_as_number(text);
    let inside = text.contains(": ") || text.contains(" #") || text.ends_with(':');
    let control = text.chars().any(char::is_control);
    let flow = text.contains([',', '[', ']', '{', '}']) && !has_reference(text);
    !(opens || last_is_space || inside || control || flow || is_word(text) || reads_as_number(text))
}

/// Numbers, times and dates of YAML 1.1 and 1.2, rather one too many.
fn reads_as_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-', '.']);
    let radix = ["0x", "0o", "0b"].into_iter().find_map(|radix| digits.strip_prefix(radix));
    if let Some(digits) = radix {
        return digits.chars().all(|c| c.is_ascii_hexdigit() || c == '_');
    }
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || "._:eE+-TZ ".contains(c))
        && digits.matches('.').count() <= 1
}

fn is_word(text: &str) -> bool {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", ".nan", ".inf", "-.inf", "<<"];
    words.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Token, flow, has_reference, quoted};

    #[test]
    fn values_in_one_line() {
        assert_eq!(flow(&json!("a b")), "a b");
        assert_eq!(flow(&json!(["a", 1, null])), "[a, 1, null]");
        assert_eq!(flow(&json!({"a": {"b": []}})), "{ a: { b: [] } }");
        assert_eq!(flow(&json!({})), "{}");
    }

    #[test]
    fn text_is_quoted_where_it_would_be_something_else() {
        for text in [
            "",
            "no",
            "True",
            "0755",
            "1:30",
            "- a",
            "a: b",
            "a #b",
            "a\nb",
            "*x",
            "1.5",
            "1e5",
            "2020-01-01",
            "0x1f",
            "a, b",
            " a",
            "~",
        ] {
            assert!(quoted(text).starts_with('"'), "{text:?}");
        }
        for text in [
            "vm",
            "a-b",
            "/bin/sh",
            "192.168.0.1/24",
            "192.168.0.1",
            "1.2.3",
            "85021afecf",
            "${services.db.ip}",
            "golem.inf.mem.gib>=4",
            "5-star",
        ] {
            assert_eq!(quoted(text), text);
        }
    }

    #[test]
    fn escaped_references_are_text() {
        assert!(has_reference("x ${a.b}"));
        assert!(!has_reference("x $${a.b}"));
        assert_eq!(Token::of(&json!("${a.b}")), Token::Reference);
        assert_eq!(Token::of(&json!("$${a.b}")), Token::Text);
    }
}
