//! What differs beside resources: dependencies and texts; and why nothing is compared.

use workspace::view::{ComparedView, ComparisonView, EdgeDifferenceView, StateChange, words::count};
use yew::prelude::*;

use super::{
    TextDifference,
    values::{Sides, place},
};
use crate::{IconName, tone_class};

/// The dependencies that only one side has.
pub(super) fn edges(found: &ComparisonView, sides: &Sides) -> Html {
    if found.edges.is_empty() {
        return Html::default();
    }
    html! {
        <>
            <h3 class="comparison-heading">{ "Dependencies" }</h3>
            <ul class="comparison-list">{ for found.edges.iter().map(|it| edge(it, sides)) }</ul>
        </>
    }
}

fn edge(of: &EdgeDifferenceView, sides: &Sides) -> Html {
    let side = if of.change == StateChange::Removed { &sides.before } else { &sides.after };
    html! {
        <li class="comparison-head">
            <span class={classes!("action-symbol", tone_class(of.change.tone()))} aria-hidden="true">{ of.change.symbol() }</span>
            <span>{ &of.from }{ " needs " }{ &of.to }</span>
            <span class="comparison-word">{ format!("{}, {}", of.change.as_str(), of.kind.as_str().replace('_', " ")) }</span>
            { place(&of.origin, false, side) }
        </li>
    }
}

/// The files whose texts differ.
pub(super) fn texts(files: &[TextDifference]) -> Html {
    if files.is_empty() {
        return Html::default();
    }
    html! {
        <>
            <h3 class="comparison-heading">{ "Texts" }</h3>
            <ul class="comparison-list">{ for files.iter().map(|it| html! {
                <li class="comparison-head"><span>{ &it.file }</span>
                    <span class="comparison-word">{ format!("{} added, {} removed", count(it.added, "line"), count(it.removed, "line")) }</span></li>
            }) }</ul>
        </>
    }
}

/// Says which side has errors: nothing is compared then.
pub(super) fn errors(found: &ComparisonView, sides: &Sides) -> Html {
    let said = |side: &ComparedView, label: &AttrValue| {
        (side.errors > 0).then(|| html! {
            <p>{ format!("{label} has {}. Fix {} first; then both can be compared.", count(side.errors, "error"),
                if side.errors == 1 { "it" } else { "them" }) }</p>
        })
    };
    html! {
        <div class="pane-empty">
            { IconName::Error.html_with("severity-error") }
            <p class="pane-empty-title">{ "Nothing is compared" }</p>
            { said(&found.before, &sides.before.label).unwrap_or_default() }
            { said(&found.after, &sides.after.label).unwrap_or_default() }
        </div>
    }
}
