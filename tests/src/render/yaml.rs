use serde_json::Value as Json;

/// A document as short YAML: maps one key a line, lists of scalars in one line, everything that could be read
/// otherwise in quotes.
pub(super) fn document(value: &Json) -> String {
    let mut text = String::new();
    node(value, 0, &mut text);
    text.trim_start_matches('\n').trim_start().to_owned()
}

/// A value in one line.
pub(super) fn inline(value: &Json) -> String {
    match value {
        Json::String(text) if is_plain(text) => text.clone(),
        Json::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Json::Object(map) => {
            let entries = map.iter().map(|(name, value)| format!("{}: {}", key(name), inline(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Writes a value behind `key:` or `-`.
fn node(value: &Json, depth: usize, text: &mut String) {
    match value {
        Json::Object(map) if !map.is_empty() => {
            for (name, value) in map {
                text.push_str(&format!("\n{}{}:", "  ".repeat(depth), key(name)));
                node(value, depth + 1, text);
            }
            end(depth, text);
        }
        Json::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            for item in items {
                text.push_str(&format!("\n{}- {}", "  ".repeat(depth), inline(item)));
            }
            end(depth, text);
        }
        other => {
            text.push_str(&format!(" {}", inline(other)));
            end(depth, text);
        }
    }
}

fn end(depth: usize, text: &mut String) {
    if depth == 0 {
        text.push('\n');
    }
}

fn key(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { Json::String(name.to_owned()).to_string() }
}

/// True if text can stand without quotes: a word of letters that is not a YAML word, and what may join words.
fn is_plain(text: &str) -> bool {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
        && !words.contains(&&*text.to_ascii_lowercase())
}
