//! A resource that differs.

use workspace::view::{LocationView, ResourceDifferenceView};
use yew::prelude::*;

use super::values::{Sides, place, table};
use crate::{action_mark, tone_class, views::prose::prose};

/// The id of the element of a resource.
pub(super) fn resource_id(address: &str) -> String {
    format!("compared-{address}")
}

/// The address, the action of an apply, its reason, and the values that differ.
pub(super) fn resource(of: &ResourceDifferenceView, sides: &Sides) -> Html {
    let (class, symbol, word) = match of.change {
        Some(change) => (tone_class(change.tone()), change.symbol(), change.as_str()),
        None => ("", "=", "the same itself"),
    };
    html! {
        <li class="comparison-resource" id={resource_id(&of.address)} tabindex="-1" data-address={of.address.clone()}>
            <div class="comparison-head">
                <span class={classes!("action-symbol", class)} aria-hidden="true">{ symbol }</span>
                <strong>{ &of.address }</strong>
                <span class="comparison-word">{ word }
                    if let Some(previous) = &of.previous_address { { format!(", {previous} before") } }</span>
                { declared("before", of.before.as_ref(), sides) }
                { declared("after", of.after.as_ref(), sides) }
            </div>
            if let (Some(action), Some(reason)) = (of.action, &of.reason) {
                <p class="comparison-effect">{ action_mark(action, true) }<span>{ prose(reason) }</span></p>
            }
            if !of.values.is_empty() { { table(&of.values, sides) } }
        </li>
    }
}

fn declared(which: &'static str, at: Option<&LocationView>, sides: &Sides) -> Html {
    let side = if which == "before" { &sides.before } else { &sides.after };
    at.map(|at| place(at, false, side)).unwrap_or_default()
}
