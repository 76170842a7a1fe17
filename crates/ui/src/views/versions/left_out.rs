//! The parts that an answer lacks because the search for them took too long.

use yew::prelude::*;

use crate::{
    IconName,
    views::{problems::sentence, prose::prose},
};

/// A note for each part that is missing; nothing where the answer is whole.
pub(super) fn left_out(parts: &[String]) -> Html {
    parts
        .iter()
        .map(|it| html! { <p class="versions-note versions-left-out">{ IconName::Clock.html() }<span>{ prose(&sentence(it)) }</span></p> })
        .collect()
}
