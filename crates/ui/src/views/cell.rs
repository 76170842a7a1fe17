//! Values in tables: differences are marked, secrets are dots.

use serde_json::Value as Json;
use yew::prelude::*;

use super::{
    diff::{self, Piece, Side},
    long::LongValue,
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

/// A value with the stretches marked in which it differs from another one. One of many lines is folded.
pub(super) fn marked(value: &Json, other: &Json, side: Side) -> Html {
    let class = Token::of(value).class();
    if value::is_long(value) {
        return html! { <LongValue value={value.clone()} other={other.clone()} {side} {class} /> };
    }
    let text = value::plain(value);
    let class = classes!("value", class);
    if other.is_null() || side == Side::Both {
        return html! { <code {class}>{ text }</code> };
    }
    let other = value::plain(other);
    let (old, new) = if side == Side::Old { (&text, &other) } else { (&other, &text) };
    let pieces = diff::diff(old, new);
    html! { <code {class}>{ for diff::side(&pieces, side).map(stretch) }</code> }
}

/// A stretch of a value, marked where only one of two values has it.
pub(super) fn stretch(piece: &Piece) -> Html {
    let class = match piece.side {
        Side::Both => return html! { { &piece.text } },
        Side::Old => "gone",
        Side::New => "come",
    };
    html! { <mark {class}>{ &piece.text }</mark> }
}
