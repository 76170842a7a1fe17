//! The differences beside resources: dependencies and texts; and why nothing is compared.

use workspace::view::{ComparedView, ComparisonView, EdgeDifferenceView, StateChange, words::count};
use yew::prelude::*;

use super::{
    PointsEvent, TextDifference,
    values::{PointSide, Sides, place},
};
use crate::{IconName, tone_class, views::both};

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
pub(super) fn texts(files: &[TextDifference], sides: &Sides) -> Html {
    if files.is_empty() {
        return Html::default();
    }
    let labels = (&sides.before.label, &sides.after.label);
    html! {
        <>
            <h3 class="comparison-heading">{ "Texts" }</h3>
            <ul class="comparison-list">{ for files.iter().map(|it| html! {
                <FileTexts key={it.file.to_string()} of={it.clone()} before={labels.0} after={labels.1} />
            }) }</ul>
        </>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FileTextsProps {
    of: TextDifference,
    /// The labels of the two sides.
    before: AttrValue,
    after: AttrValue,
}

/// A file whose text differs: in numbers, and when it is opened both texts.
#[component]
fn FileTexts(FileTextsProps { of, before, after }: &FileTextsProps) -> Html {
    let is_open = use_state(|| false);
    let onclick = {
        let is_open = is_open.clone();
        Callback::from(move |_: MouseEvent| is_open.set(!*is_open))
    };
    let icon = if *is_open { IconName::ChevronDown } else { IconName::ChevronRight };
    html! {
        <li>
            <button type="button" class="comparison-head comparison-text" aria-expanded={is_open.to_string()} {onclick}>
                { icon.html() }
                <span>{ &of.file }</span>
                <span class="comparison-word">{ format!("{} added, {} removed", count(of.added, "line"), count(of.removed, "line")) }</span>
            </button>
            if *is_open { { both((before, &of.before), (after, &of.after)) } }
        </li>
    }
}

/// The message that one side has errors: nothing is compared then.
pub(super) fn errors(found: &ComparisonView, sides: &Sides, on_event: &Callback<PointsEvent>) -> Html {
    let said = |side: &ComparedView, label: &AttrValue| {
        (side.errors > 0).then(|| html! {
            <p>{ format!("{label} has {}. Fix {} first; then both can be compared.", count(side.errors, "error"),
                if side.errors == 1 { "it" } else { "them" }) }</p>
        })
    };
    let is_here = |side: &ComparedView, point: &PointSide| side.errors > 0 && point.is_now;
    let show = on_event.reform(|_: MouseEvent| PointsEvent::Problems);
    html! {
        <div class="pane-empty">
            { IconName::Error.html_with("severity-error") }
            <p class="pane-empty-title">{ "Nothing is compared" }</p>
            { said(&found.before, &sides.before.label).unwrap_or_default() }
            { said(&found.after, &sides.after.label).unwrap_or_default() }
            if is_here(&found.before, &sides.before) || is_here(&found.after, &sides.after) {
                <button type="button" class="pane-empty-button" onclick={show}>{ "Show the problems" }</button>
            }
        </div>
    }
}
