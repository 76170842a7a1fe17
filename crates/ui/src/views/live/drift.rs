//! What is not as it was recorded, value by value, and what can be done about each.

use std::rc::Rc;

use serde_json::Value as Json;
use workspace::view::{ActionView, ChangeView, PlanView};
use yew::prelude::*;

use super::LiveEvent;
use crate::IconName;

/// What [`drift`] shows.
#[derive(Clone, Debug)]
pub struct DriftProps {
    /// The plan against what is recorded and seen.
    pub plan: Rc<PlanView>,
    /// Something is under way.
    pub busy: bool,
    /// Called with what a person does.
    pub on_event: Callback<LiveEvent>,
}

/// The resources that are gone or not as they were recorded.
pub fn drifted(plan: &PlanView) -> impl Iterator<Item = &ActionView> {
    let is_drift = |action: &&ActionView| {
        action.reason.as_ref().is_some_and(|reason| matches!(&*reason.kind, "drifted" | "gone"))
    };
    plan.actions.iter().filter(is_drift)
}

/// The drift, if there is any.
pub fn drift(props: &DriftProps) -> Html {
    let rows: Vec<&ActionView> = drifted(&props.plan).collect();
    if rows.is_empty() {
        return Html::default();
    }
    html! {
        <section class="inputs-section drift" aria-label="Drift">
            <div class="inputs-head"><h3>{ "Drift" }</h3>
                <p class="inputs-what muted">{ "Not as it was recorded. Applying puts it back." }</p></div>
            <ul class="drift-rows">{ for rows.into_iter().map(|row| resource(row, props)) }</ul>
        </section>
    }
}

fn resource(row: &ActionView, props: &DriftProps) -> Html {
    let gone = row.reason.as_ref().is_some_and(|reason| reason.kind == "gone");
    let seen = |change: &&ChangeView| {
        !change.sensitive && !change.observed.is_null() && change.observed != change.persisted
    };
    html! {
        <li class="drift-row" data-address={row.address.clone()}>
            <p>{ IconName::Warning.html() }<strong>{ &row.address }</strong>
                <span class="muted">{ if gone { "is gone" } else { "was changed by somebody else" } }</span></p>
            if !gone { { for row.changes.iter().filter(seen).map(|change| value(row, change, props)) } }
        </li>
    }
}

fn value(row: &ActionView, change: &ChangeView, props: &DriftProps) -> Html {
    let button = |words: &'static str, title: &'static str, event: LiveEvent| {
        let onclick = props.on_event.reform(move |_: MouseEvent| event.clone());
        html! { <button type="button" class="button" {title} disabled={props.busy} {onclick}>{ words }</button> }
    };
    let seen = change.observed.clone();
    let adopt = change.origin.as_ref().filter(|origin| !origin.inferred).map(|origin| {
        let event = LiveEvent::Adopt { place: origin.location.clone(), value: seen.clone() };
        button("Write into the file", "The file says from now on what was seen", event)
    });
    let accept =
        LiveEvent::Accept { address: row.address.clone(), path: change.path.clone(), value: seen.clone() };
    html! {
        <div class="drift-value">
            <code class="drift-path">{ &change.path }</code>
            <span class="drift-was"><span class="visually-hidden">{ "recorded " }</span>{ text(&change.persisted) }</span>
            { IconName::Arrow.html() }
            <span class="drift-is"><span class="visually-hidden">{ "seen " }</span>{ text(&seen) }</span>
            <span class="drift-buttons">
                { for adopt }
                { button("Accept into the state", "What was seen counts as recorded; the files stay as they are", accept) }
            </span>
        </div>
    }
}

fn text(json: &Json) -> String {
    match json {
        Json::Null => "nothing".into(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
