//! Values as short YAML.

use serde_json::Value as Json;

/// The placeholder for a value that must not be shown.
pub const SECRET: &str = "••••••";

/// The kind of a text in YAML, for its colour.
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
    /// The kind of a value.
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

/// True if a text holds a `${…}` that is not escaped.
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

/// A text as shown in a cell, where it cannot be mistaken for another value: without quotes.
pub fn plain(value: &Json) -> String {
    match value {
        Json::String(text) if !text.is_empty() => text.clone(),
        _ => flow(value),
    }
}

/// True if a value is, or holds, a text of many lines.
pub fn is_long(value: &Json) -> bool {
    match value {
        Json::String(text) => has_many_lines(text),
        Json::Array(items) => items.iter().any(is_long),
        Json::Object(map) => map.values().any(is_long),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// True if a text has more lines than are shown without folding it.
fn has_many_lines(text: &str) -> bool {
    text.lines().nth(2).is_some()
}

/// A value in one line, of each text of many lines only the first.
pub fn brief(value: &Json) -> String {
    match value {
        Json::String(text) => text.lines().find(|it| !it.trim().is_empty()).unwrap_or_default().to_owned(),
        _ => flow(&cut(value)),
    }
}

/// A value with the first line of each text of many lines.
fn cut(value: &Json) -> Json {
    match value {
        Json::String(text) if has_many_lines(text) => format!("{} …", brief(value)).into(),
        Json::Array(items) => items.iter().map(cut).collect(),
        Json::Object(map) => Json::Object(map.iter().map(|(key, value)| (key.clone(), cut(value))).collect()),
        _ => value.clone(),
    }
}

/// A value in lines, as YAML has it in block style; a text as it is.
pub fn block(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        _ => block_lines(value).join("\n"),
    }
}

/// The lines of a text are one step further in than its sign.
fn block_lines(value: &Json) -> Vec<String> {
    let inside = |lines: Vec<String>| lines.into_iter().map(|line| format!("  {line}"));
    match value {
        Json::String(text) if has_many_lines(text) => {
            let sign = if text.ends_with('\n') { "|" } else { "|-" };
            std::iter::once(sign.to_owned())
                .chain(inside(text.lines().map(str::to_owned).collect()))
                .collect()
        }
        Json::Array(items) if !items.is_empty() => {
            let item = |item: &Json| {
                let mut lines = block_lines(item);
                if !item.is_string() {
                    lines = inside(lines)
                        .enumerate()
                        .map(|(at, line)| if at == 0 { line.trim_start().into() } else { line })
                        .collect();
                }
                if let Some(first) = lines.first_mut() {
                    first.insert_str(0, "- ");
                }
                lines
            };
            items.iter().flat_map(item).collect()
        }
        Json::Object(map) if !map.is_empty() => {
            map.iter().flat_map(|(key, value)| field(key, value)).collect()
        }
        _ => vec![flow(value)],
    }
}

/// The lines of a key and its value.
fn field(key: &str, value: &Json) -> Vec<String> {
    let mut lines = block_lines(value);
    let key = quoted(key);
    let is_below = match value {
        Json::Array(items) => !items.is_empty(),
        Json::Object(map) => !map.is_empty(),
        _ => false,
    };
    if is_below {
        lines.iter_mut().for_each(|line| line.insert_str(0, "  "));
        lines.insert(0, format!("{key}:"));
    } else if let Some(first) = lines.first_mut() {
        first.insert_str(0, &format!("{key}: "));
    }
    lines
}

/// A text as a YAML scalar, in double quotes where it would be read as something else.
pub fn quoted(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { Json::String(text.to_owned()).to_string() }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// True if a text needs no quotes. Careful rather than short: a text that any YAML reader may read differently is
/// quoted.
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

    use super::{Token, block, brief, flow, has_reference, is_long, quoted};

    #[test]
    fn values_in_one_line() {
        assert_eq!(flow(&json!("a b")), "a b");
        assert_eq!(flow(&json!(["a", 1, null])), "[a, 1, null]");
        assert_eq!(flow(&json!({"a": {"b": []}})), "{ a: { b: [] } }");
        assert_eq!(flow(&json!({})), "{}");
    }

    #[test]
    fn texts_of_many_lines_are_folded_and_shown_in_lines() {
        let program = "import a\n\nrun(a)\n";
        for (value, folded, whole) in [
            (json!("\nimport a\nrun\n"), "import a", "\nimport a\nrun\n"),
            (
                json!(["python3", "-c", program, {"a": [1, [2]], "b": {}}]),
                "[python3, \"-c\", import a …, { a: [1, [2]], b: {} }]",
                "- python3\n- \"-c\"\n- |\n  import a\n  \n  run(a)\n- a:\n    - 1\n    - - 2\n  b: {}",
            ),
            (
                json!({"command": [program.trim_end()], "port": 1}),
                "{ command: [import a …], port: 1 }",
                "command:\n  - |-\n    import a\n    \n    run(a)\nport: 1",
            ),
        ] {
            assert!(is_long(&value));
            assert_eq!((&*brief(&value), &*block(&value)), (folded, whole));
        }
        for short in [json!("a\nb\n"), json!(["a", {"b": "c\nd"}]), json!(null)] {
            assert!(!is_long(&short), "{short}");
        }
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
