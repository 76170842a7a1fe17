//! One line of the merged document.

use workspace::view::{LocationView, MergeRule};
use yew::prelude::*;

use super::lines::Line;
use crate::{
    IconName, LayerBadge, case,
    views::{Same, value},
};

/// The id of a line's element.
pub(super) fn id(line: usize) -> String {
    format!("merged-line-{line}")
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct LineRowProps {
    pub(super) lines: Same<Vec<Line>>,
    pub(super) line: usize,
    /// Pixels from the top.
    pub(super) top: i32,
    pub(super) badge: Option<LayerBadge>,
    pub(super) looked: bool,
    /// The number of lines that are shown, and the position of this one among them.
    pub(super) count: usize,
    pub(super) position: usize,
    pub(super) hit: bool,
    pub(super) find: AttrValue,
    pub(super) can_edit: bool,
    pub(super) on_hover: Callback<usize>,
    pub(super) on_edit: Callback<usize>,
    pub(super) on_choose: Callback<usize>,
    pub(super) on_goto: Callback<LocationView>,
}

/// A line. Its pencil is for the mouse only: the key `e` and the card do the same.
#[component]
pub(super) fn LineRow(props: &LineRowProps) -> Html {
    let Some(line) = props.lines.get(props.line) else { return Html::default() };
    let at = props.line;
    let class = classes!(
        "merged-line",
        props.badge.as_ref().map(LayerBadge::class),
        line.is_inferred().then_some("inferred"),
        line.is_overridden().then_some("overrides"),
        props.looked.then_some("looked"),
    );
    let onclick = {
        let (place, on_goto, on_choose) =
            (line.place().cloned(), props.on_goto.clone(), props.on_choose.clone());
        Callback::from(move |_: MouseEvent| {
            on_choose.emit(at);
            if let Some(place) = &place {
                on_goto.emit(place.clone());
            }
        })
    };
    let edit = {
        let on_edit = props.on_edit.clone();
        Callback::from(move |event: MouseEvent| {
            event.stop_propagation();
            on_edit.emit(at);
        })
    };
    html! {
        <div id={id(at)} {class} ~style={format!("top:{}px", props.top)} role="option"
            aria-selected={if props.looked { "true" } else { "false" }}
            aria-setsize={props.count.to_string()} aria-posinset={props.position.to_string()} {onclick}
            onmouseenter={props.on_hover.reform(move |_: MouseEvent| at)}>
            <span class="merged-layer" title={props.badge.as_ref().map(|badge| badge.file.clone())}>
                { props.badge.as_ref().map(|badge| badge.letter.clone()) }
            </span>
            <code class="merged-code">{ code(line, &props.find, props.hit) }</code>
            { note(line) }
            if props.can_edit && line.scalar && !line.is_inferred() {
                <span class="merged-pencil" aria-hidden="true" title="Change this value (e)" onclick={edit}>
                    { IconName::Pencil.html() }
                </span>
            }
        </div>
    }
}

/// The text of a line.
fn code(line: &Line, find: &str, hit: bool) -> Html {
    let find = if hit { find } else { "" };
    html! {
        <>
            { times(" ", line.indent) }
            if line.dashes > 0 { <span class="t-mark">{ times("- ", line.dashes) }</span> }
            if let Some(key) = &line.key {
                <span class="t-key">{ found(key, find) }</span><span
                    class="t-mark">{ if line.text.is_empty() { ":" } else { ": " } }</span>
            }
            { value_text(line, find) }
        </>
    }
}

fn times(text: &str, count: usize) -> String {
    text.repeat(count)
}

/// The text of a value, in which references stand out.
fn value_text(line: &Line, find: &str) -> Html {
    if line.token != value::Token::Reference || !find.is_empty() {
        return html! { <span class={line.token.class()}>{ found(&line.text, find) }</span> };
    }
    let mut parts = Vec::new();
    let mut rest = line.text.as_str();
    while let Some(start) = rest.find("${") {
        let (before, from) = rest.split_at(start);
        let end = from.find('}').map_or(from.len(), |end| end + 1);
        let (reference, after) = from.split_at(end);
        parts.push(html! { <span class="t-text">{ before }</span> });
        parts.push(html! { <span class="t-reference">{ reference }</span> });
        rest = after;
    }
    parts.push(html! { <span class="t-text">{ rest }</span> });
    parts.into_iter().collect()
}

/// A text in which the occurrences of the search text are marked. Letters whose case changes their length are not
/// marked.
fn found(text: &str, find: &str) -> Html {
    let (lower, find) = (case::lower(text), case::lower(find));
    if find.is_empty() || lower.len() != text.len() {
        return html! { { text } };
    }
    let mut parts = Vec::new();
    let mut done = 0;
    for (at, _) in lower.match_indices(&find) {
        parts.push(html! { { text.get(done..at).unwrap_or_default() } });
        parts.push(html! { <mark>{ text.get(at..at + find.len()).unwrap_or_default() }</mark> });
        done = at + find.len();
    }
    parts.push(html! { { text.get(done..).unwrap_or_default() } });
    parts.into_iter().collect()
}

/// The note at the end of a line.
fn note(line: &Line) -> Html {
    let Some(origin) = line.origin.as_ref().filter(|_| !line.continued) else { return Html::default() };
    if let Some(old) = origin.shadowed.first() {
        let was = if line.scalar { short(&value::flow(&old.value)) } else { String::new() };
        return html! {
            <span class="merged-note">
                if was.is_empty() { { over(origin.rule) } } else { { "was " }<s>{ was }</s>{ " in " } }
                { format!("{}:{}", old.location.file, old.location.line) }
            </span>
        };
    }
    if line.is_inferred() {
        return html! { <span class="merged-note">{ origin.rule.phrase() }</span> };
    }
    Html::default()
}

/// The effect of a map or list on the one before.
const fn over(rule: MergeRule) -> &'static str {
    if rule.replaces() { "replaces " } else { "also in " }
}

/// At most a few words of a value.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 32;
    if text.chars().count() <= MOST {
        text.to_owned()
    } else {
        text.chars().take(MOST - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn long_values_are_cut() {
        assert_eq!(short("abc"), "abc");
        assert_eq!(short(&"ä".repeat(40)).chars().count(), 32);
    }
}
