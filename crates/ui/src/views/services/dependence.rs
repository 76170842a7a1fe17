//! The dependence of one kind on another: drawn as an arrow, with the effect of a deletion.

use workspace::view::{DeleteBehavior, DependenceView};
use yew::prelude::*;

use super::show::Show;
use crate::tone_class;

/// A dependence as a row of a list.
pub(super) fn row(show: &Show, it: &DependenceView) -> Html {
    html! {
        <li class="services-row">
            <span class="services-arrow">{ arrow(show, it) }</span>
            <span class="services-then">{ behavior(it.behavior) }<span class="muted">{ it.behavior.phrase() }</span></span>
            { show.place(&it.location) }
        </li>
    }
}

/// `Loan.book → Book`, `Book in Publisher`.
pub(super) fn arrow(show: &Show, it: &DependenceView) -> Html {
    html! {
        <>
            { show.kind(&it.from) }
            if let Some(field) = &it.field {
                <span class="services-field">{ format!(".{field}") }</span>
                <span class="services-line" aria-label="refers to" role="img">{ "→" }</span>
            } else {
                <span class="services-line services-in">{ "in" }</span>
            }
            { show.kind(&it.to) }
        </>
    }
}

/// A behaviour in its colour.
pub(super) fn behavior(it: DeleteBehavior) -> Html {
    html! { <span class={classes!("tag", "services-behavior", tone_class(it.tone()))}>{ it.as_str() }</span> }
}
