//! Values in tables: what differs is marked, what is secret is dots.

use serde_json::Value as Json;
use yew::prelude::*;

use super::{
    diff::{self, Side},
    value::{self, Token},
};

/// A path that may break at its slashes.
pub(super) fn path(path: &str) -> Html {
    html! { for part in path.split_inclusive('/') { { part }<wbr /> } }
}

/// In place of a value that is never shown.
pub(super) fn secret() -> Html {
    html! { <span class="value-secret" title="sensitive: never shown">{ value::SECRET }<span
    class="visually-hidden">{ "sensitive" }</span></span> }
}

/// In place of a value that is not there.
pub(super) fn absent(words: &str) -> Html {
    html! { <span class="value-absent">{ words }</span> }
}

/// A value with the stretches marked in which it differs from another one.
pub(super) fn marked(value: &Json, other: &Json, side: Side) -> Html {
    let text = value::plain(value);
    let class = classes!("value", Token::of(value).class());
    if other.is_null() || side == Side::Both {
        return html! { <code {class}>{ text }</code> };
    }
    let other = value::plain(other);
    let (old, new) = if side == Side::Old { (&text, &other) } else { (&other, &text) };
    let pieces = diff::diff(old, new);
    let tag = if side == Side::Old { "gone" } else { "come" };
    html! {
        <code {class}>{ for diff::side(&pieces, side).map(|piece| match piece.side {
            Side::Both => html! { { &piece.text } },
            Side::Old | Side::New => html! { <mark class={tag}>{ &piece.text }</mark> },
        }) }</code>
    }
}
