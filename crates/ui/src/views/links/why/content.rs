//! Data as it is.

use serde_json::Value as Json;
use yew::prelude::*;

use crate::views::value::{Token, flow, quoted};

/// Data as YAML in lines; secret values are shown as dots.
pub(super) fn content(json: &Json) -> Html {
    let mut lines = Vec::new();
    write(json, 0, "", &mut lines);
    html! {
        <pre class="links-content" tabindex="0">{ for lines.into_iter().map(|Line { before, value, class }| html! {
            <>
                <span class="t-key">{ before }</span>
                if let Some(class) = class { <span {class}>{ value }</span> }
                { "\n" }
            </>
        }) }</pre>
    }
}

/// A line: the text before the value, the value, and its class; a line without a class has no value.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    before: String,
    value: String,
    class: Option<&'static str>,
}

fn write(json: &Json, depth: usize, before: &str, lines: &mut Vec<Line>) {
    let indent = "  ".repeat(depth);
    match json {
        Json::Object(map) if !map.is_empty() => {
            head(before, lines);
            for (key, value) in map {
                write(value, depth + 1, &format!("{indent}{}:", quoted(key)), lines);
            }
        }
        Json::Array(items) if items.iter().any(is_deep) => {
            head(before, lines);
            items.iter().for_each(|item| write(item, depth + 1, &format!("{indent}-"), lines));
        }
        value => {
            let gap = if before.is_empty() { "" } else { " " };
            lines.push(Line {
                before: format!("{before}{gap}"),
                value: flow(value),
                class: Some(Token::of(value).class()),
            });
        }
    }
}

fn head(before: &str, lines: &mut Vec<Line>) {
    if !before.is_empty() {
        lines.push(Line { before: before.to_owned(), value: String::new(), class: None });
    }
}

fn is_deep(json: &Json) -> bool {
    matches!(json, Json::Object(map) if !map.is_empty())
        || matches!(json, Json::Array(items) if !items.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn data_is_written_in_lines() {
        let data = json!({"address": "10.0.0.1", "azs": ["z1", "z2"], "empty": {},
            "instances": [{"id": 0, "name": "a"}], "properties": {"password": "••••••"}});
        let mut lines = Vec::new();
        write(&data, 0, "", &mut lines);
        let text: Vec<String> = lines.iter().map(|it| format!("{}{}", it.before, it.value)).collect();
        let expected = [
            "address: 10.0.0.1",
            "azs: [z1, z2]",
            "empty: {}",
            "instances:",
            "  -",
            "    id: 0",
            "    name: a",
            "properties:",
            "  password: ••••••",
        ];
        assert_eq!(text, expected);
        assert_eq!(lines.last().and_then(|it| it.class), Some("t-secret"));
    }
}
