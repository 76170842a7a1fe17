use model::Address;

/// A name as a YAML scalar that every parser reads as text.
pub(crate) fn as_yaml(name: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let begins = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    const RESERVED: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_reserved = RESERVED.contains(&&*name.to_ascii_lowercase());
    if begins && !is_reserved && name.chars().all(is_word) {
        return name.to_owned();
    }
    format!("\"{}\"", escape(name))
}

/// An address as it stands in a text that is written between these quotes.
pub(crate) fn in_scalar(address: &Address, quote: Option<char>) -> String {
    let text = address.to_string();
    match quote {
        Some('"') => escape(&text),
        Some('\'') => text.replace('\'', "''"),
        _ => text,
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_yaml_would_read_something_else() {
        for (name, yaml) in [
            ("web-1", "web-1"),
            ("a.b", "a.b"),
            ("on", "\"on\""),
            ("1", "\"1\""),
            ("a b", "\"a b\""),
            ("say \"x\"\\", "\"say \\\"x\\\"\\\\\""),
            ("größe", "\"größe\""),
        ] {
            assert_eq!(as_yaml(name), yaml);
        }
    }
}
