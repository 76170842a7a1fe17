//! Sentences with code in them.

use yew::prelude::*;

/// A sentence whose stretches between backticks are code. A backtick without a second one stays as it is.
pub fn prose(text: &str) -> Html {
    parts(text)
        .into_iter()
        .map(|(text, code)| {
            if code {
                html! { <code>{ text }</code> }
            } else {
                html! { { text } }
            }
        })
        .collect()
}

/// The stretches, with `true` for code.
fn parts(text: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('`') {
        let Some((code, after)) = from.split_once('`') else { break };
        parts.push((before, false));
        parts.push((code, true));
        rest = after;
    }
    parts.push((rest, false));
    parts.retain(|(text, _)| !text.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn backticks_make_code() {
        assert_eq!(parts("unknown key `a`"), [("unknown key ", false), ("a", true)]);
        assert_eq!(parts("`a` and `b`!"), [("a", true), (" and ", false), ("b", true), ("!", false)]);
        assert_eq!(parts("it's `open"), [("it's `open", false)]);
        assert_eq!(parts(""), []);
    }
}
