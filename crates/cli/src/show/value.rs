use serde_json::Value as Json;

use super::width::clean;

pub(crate) use model::HIDDEN;

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

/// True if text reads the same without quotes.
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

/// Texts longer than that are shown without most of their common parts.
const LONG: usize = 60;
/// The number of characters that are kept before and after the differing part.
const CONTEXT: usize = 12;

/// Two long texts that are mostly the same, cut to where they differ; `None` where both are shown as they are.
pub(crate) fn apart(before: &str, after: &str) -> Option<(String, String)> {
    let (a, b): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let shorter = a.len().min(b.len());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let end = a.iter().rev().zip(b.iter().rev()).take(shorter - start).take_while(|(a, b)| a == b).count();
    let (from, rest) = (start.saturating_sub(CONTEXT), end.saturating_sub(CONTEXT));
    let is_worth_it = a.len().max(b.len()) > LONG && from + rest > CONTEXT;
    let cut = |text: &[char]| {
        let piece: String = text.get(from..text.len() - rest).into_iter().flatten().collect();
        let mark = |is_cut: bool| if is_cut { "…" } else { "" };
        format!("{}{piece}{}", mark(from > 0), mark(rest > 0))
    };
    (is_worth_it && a != b).then(|| (cut(&a), cut(&b)))
}

/// `/payload/params/0/a b` as `payload.params[0].a b`.
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
    fn long_texts_are_cut_to_where_they_differ() {
        let long = |middle: &str| format!("{}{middle}{}", "begin ".repeat(10), " end".repeat(10));
        let cut = |a: &str, b: &str| apart(a, b).unwrap_or_default();
        assert_eq!(
            cut(&long("one"), &long("three")),
            ("…begin begin one end end en…".into(), "…begin begin three end end en…".into())
        );
        let text = long("");
        assert_eq!(
            cut(&format!("a{text}"), &format!("b{text}")),
            ("abegin begin …".into(), "bbegin begin …".into())
        );
        assert_eq!(
            cut(&format!("{text}a"), &format!("{text}bb")),
            ("… end end enda".into(), "… end end endbb".into())
        );
        for (a, b) in [("short", "shirt"), ("", &*text), (&*text, &*text), ("é", "")] {
            assert_eq!(apart(a, b), None, "{a} {b}");
        }
        assert_eq!(cut(&"é".repeat(70), &"é".repeat(80)).0.chars().count(), 1 + 12);
    }

    #[test]
    fn pointers_read_like_references() {
        assert_eq!(dotted("/init/0/run/args/2"), "init[0].run.args[2]");
        assert_eq!(dotted("/a~1b"), "a/b");
    }
}
