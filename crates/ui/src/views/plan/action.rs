//! One row of the plan.

use web_sys::{Element, HtmlElement, ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition};
use workspace::view::{Action, ActionView, LocationView, PlanView, ReasonView};
use yew::prelude::*;

use super::{changes::Changes, sentence::linked};
use crate::{
    IconName, LayerBadge, action_mark,
    views::{Same, place::PlaceLink, prose::prose, rove},
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ActionRowProps {
    pub(super) plan: Same<PlanView>,
    /// The action's place in the plan.
    pub(super) at: usize,
    pub(super) layers: Same<Vec<LayerBadge>>,
    pub(super) open: bool,
    pub(super) selected: bool,
    pub(super) on_toggle: Callback<String>,
    pub(super) on_follow: Callback<String>,
    pub(super) on_goto: Callback<LocationView>,
}

#[component]
pub(super) fn ActionRow(props: &ActionRowProps) -> Html {
    let Some(action) = props.plan.actions.get(props.at) else { return Html::default() };
    let onclick = props.on_toggle.reform({
        let address = action.address.clone();
        move |_: MouseEvent| address.clone()
    });
    let forced = action.changes.iter().filter(|change| change.forces_rebuild).count();
    html! {
        <li class={classes!("plan-row", is_brief(action).then_some("brief"), props.open.then_some("open"), props.selected.then_some("selected"))}
            data-address={action.address.clone()}>
            <div class="plan-row-head">
                <button type="button" class="plan-row-toggle"
                    aria-expanded={if props.open { "true" } else { "false" }} {onclick}>
                    { (if props.open { IconName::ChevronDown } else { IconName::ChevronRight }).html_with("plan-chevron") }
                    { action_mark(action.action, false) }
                    { address(&action.address) }
                    <span class="plan-kind">{ &action.kind }</span>
                </button>
                <p class="plan-why">{ why(props, action) }</p>
                if !props.open && forced > 0 && action.action == Action::Rebuild {
                    <span class="tag tag-rebuild">{ "forces rebuild" }</span>
                }
                { source(props, action) }
            </div>
            if props.open {
                <Changes plan={props.plan.clone()} at={props.at} layers={props.layers.clone()}
                    on_follow={props.on_follow.clone()} on_goto={props.on_goto.clone()} />
            }
        </li>
    }
}

/// A reason that fits beside the address in any pane.
fn is_brief(action: &ActionView) -> bool {
    const BRIEF: usize = 28;
    action.reason.as_ref().is_none_or(|reason| reason.sentence.chars().count() <= BRIEF)
}

/// `services.` quiet, `web` strong.
fn address(address: &str) -> Html {
    let (group, name) = address.split_at(address.find('.').map_or(0, |dot| dot + 1));
    html! { <span class="plan-address"><span class="plan-group-name">{ group }</span>{ name }</span> }
}

/// The reason, its cause a link to the cause's row.
fn why(props: &ActionRowProps, action: &ActionView) -> Html {
    let Some(reason) = &action.reason else { return html! { "nothing changes" } };
    let Some(cause) = cause(&props.plan, reason) else { return prose(&reason.sentence) };
    let onclick = props.on_follow.reform({
        let cause = cause.to_owned();
        move |_: MouseEvent| cause.clone()
    });
    let link = |words: &str| {
        html! { <button type="button" class="link" title={format!("Show {cause}")}
        onclick={onclick.clone()}>{ words }</button> }
    };
    match linked(&reason.sentence, cause) {
        Some((before, words, after)) => html! { <>{ prose(before) }{ link(words) }{ prose(after) }</> },
        None => html! { <>{ prose(&reason.sentence) }{ " " }{ link(cause) }</> },
    }
}

/// The address of the action that caused this one.
fn cause<'a>(plan: &'a PlanView, reason: &'a ReasonView) -> Option<&'a str> {
    let id = reason.cause.as_ref()?;
    let action = plan.actions.iter().find(|action| &action.id == id);
    action.map(|action| action.address.as_str()).or_else(|| reason.via.as_ref().map(|via| via.to.as_str()))
}

/// The place that caused the action: the value that forces the rebuild, else the first value that a file sets.
fn source(props: &ActionRowProps, action: &ActionView) -> Html {
    // What is new is looked for where it is declared, everything else where the value that changed is written.
    let declared = action.origin.as_ref().filter(|_| action.action == Action::Create);
    let Some((place, inferred)) = declared.map(|place| (place, false)).or_else(|| changed(action)) else {
        return Html::default();
    };
    html! {
        <PlaceLink place={place.clone()} {inferred} layers={props.layers.0.clone()}
            on_goto={props.on_goto.clone()} />
    }
}

/// The place of the value that forces a rebuild, or else of the first that changes; and true if it is inferred.
fn changed(action: &ActionView) -> Option<(&LocationView, bool)> {
    let mut origins = action.changes.iter().filter(|change| change.origin.is_some());
    let forcing = origins.clone().find(|change| change.forces_rebuild);
    let origin = forcing.or_else(|| origins.next())?.origin.as_ref()?;
    Some((&origin.location, origin.inferred))
}

/// Brings a row into view and puts the focus on it.
pub(super) fn reveal(root: &Element, address: &str) {
    let rows = rove::matching(root, ".plan-row");
    let Some(row) = rows.iter().find(|row| row.get_attribute("data-address").as_deref() == Some(address))
    else {
        return;
    };
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    options.set_behavior(ScrollBehavior::Instant);
    row.scroll_into_view_with_scroll_into_view_options(&options);
    if let Some(toggle) = rove::matching(row, ".plan-row-toggle").first() {
        let _ = HtmlElement::focus(toggle);
    }
}
