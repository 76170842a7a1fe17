use serde_json::Value as Json;

use super::width::clean;

/// What stands for a value that must not be shown.
pub(crate) const HIDDEN: &str = "••••••";

/// A value on one line, as short as it can be read: text without quotes where nothing else is meant by it.
pub(crate) fn inline(value: &Json) -> String {
    match value {
        Json::String(text) if is_plain(text) => text.clone(),
        Json::String(text) => quoted(text),
        Json::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Json::Object(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", clean(key), inline(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    let escaped = Json::String(text.to_owned()).to_string();
    clean(&escaped)
}

/// Whether text reads the same without quotes.
fn is_plain(text: &str) -> bool {
    let looks_else = matches!(text, "null" | "true" | "false" | "none" | "~") || text.parse::<f64>().is_ok();
    let spare = |c: char| c.is_control() || matches!(c, '"' | '\'' | ',' | '[' | ']' | '{' | '}');
    let reference = text.contains("${");
    !text.is_empty()
        && !looks_else
        && text.trim() == text
        && clean(text) == text
        && (reference || !text.contains(spare))
}

/// `/payload/params/0/a b` as `payload.params[0].a b`, for people.
pub(crate) fn dotted(pointer: &str) -> String {
    let mut text = String::new();
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        if !text.is_empty() && !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()) {
            text.push_str(&format!("[{segment}]"));
        } else {
            text.push_str(if text.is_empty() { "" } else { "." });
            text.push_str(&clean(&segment));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_has_quotes_only_where_it_could_be_something_else() {
        let check = |value: Json, expected: &str| assert_eq!(inline(&value), expected);
        check(json!("station/archive:2.0"), "station/archive:2.0");
        check(json!("two words"), "two words");
        check(json!("80"), "\"80\"");
        check(json!("null"), "\"null\"");
        check(json!(""), "\"\"");
        check(json!("a\nb"), "\"a\\nb\"");
        check(json!("\u{1b}[0m"), "\"\\u001b[0m\"");
        check(json!({"a": [1, "b", null, "c, d"]}), "{a: [1, b, null, \"c, d\"]}");
        check(json!("${services.db.ip[0]}:80"), "${services.db.ip[0]}:80");
    }

    #[test]
    fn pointers_read_like_references() {
        assert_eq!(dotted("/init/0/run/args/2"), "init[0].run.args[2]");
        assert_eq!(dotted("/a~1b"), "a/b");
    }
}
