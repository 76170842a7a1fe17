//! Facts as links to where they are written.

use workspace::view::{FactView, LocationView};
use yew::prelude::*;

use super::show::Show;
use crate::{
    LayerBadge, layer_mark,
    views::{place::file_name, prose::prose},
};

/// A fact that leads to its source; plain if no file sets it.
pub(super) fn fact(show: &Show, fact: &FactView) -> Html {
    let Some(place) = &fact.origin else {
        return html! { <p class="versions-fact"><span>{ prose(&fact.constraint) }</span></p> };
    };
    let LocationView { file, line, .. } = place;
    let onclick = {
        let (place, on_goto) = (place.clone(), show.on_goto.clone());
        Callback::from(move |_: MouseEvent| on_goto.emit(place.clone()))
    };
    html! {
        <button type="button" class="versions-fact" title={format!("go to {file}, line {line}")} {onclick}>
            <span>{ prose(&fact.constraint) }</span>
            <span class="versions-at">
                if let Some(layer) = LayerBadge::of(&show.layers, file) { { layer_mark(layer, false) } }
                <span class="place-name">{ file_name(file) }{ format!(":{line}") }</span>
            </span>
        </button>
    }
}

/// Facts one below another, in an order in which they can be read.
pub(super) fn chain(show: &Show, facts: &[FactView]) -> Html {
    html! { <ol class="versions-chain">{ for facts.iter().map(|it| html! { <li>{ fact(show, it) }</li> }) }</ol> }
}
