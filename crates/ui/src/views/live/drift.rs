//! The values that differ from the recorded ones, each with the actions that are possible.

use std::rc::Rc;

use serde_json::Value as Json;
use workspace::view::{Action, ActionView, ChangeView, PlanView, ReasonKind};
use yew::prelude::*;

use super::LiveEvent;
use crate::IconName;

/// Properties of [`drift`].
#[derive(Clone, Debug)]
pub struct DriftProps {
    /// The plan against the recorded and observed values.
    pub plan: Rc<PlanView>,
    /// True while an operation is under way.
    pub busy: bool,
    /// Called with the user's action.
    pub on_event: Callback<LiveEvent>,
}

/// The resources that are gone or not as they were recorded. The remains of a failed change are no drift.
pub fn drifted(plan: &PlanView) -> impl Iterator<Item = &ActionView> {
    let is_drift = |action: &&ActionView| {
        let reason = action.reason.as_ref();
        reason.is_some_and(|it| {
            it.kind == ReasonKind::Gone || (it.kind == ReasonKind::Drifted && !is_ruined(action))
        })
    };
    plan.actions.iter().filter(is_drift)
}

/// True if a failed change left it unusable: no value of it asks for the rebuild.
pub(in crate::views) fn is_ruined(action: &ActionView) -> bool {
    let drifted = action.reason.as_ref().is_some_and(|reason| reason.kind == ReasonKind::Drifted);
    drifted && action.action == Action::Rebuild && !action.changes.iter().any(|change| change.forces_rebuild)
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
                <p class="inputs-what muted">{ "Values that differ from the recorded ones. Applying \
                 reverts all of them." }</p></div>
            <ul class="drift-rows">{ for rows.into_iter().map(|row| resource(row, props)) }</ul>
        </section>
    }
}

fn resource(row: &ActionView, props: &DriftProps) -> Html {
    let gone = row.reason.as_ref().is_some_and(|reason| reason.kind == ReasonKind::Gone);
    html! {
        <li class="drift-row" data-address={row.address.clone()}>
            <p>{ IconName::Warning.html() }<strong>{ &row.address }</strong>
                <span class="muted">{ if gone { "is gone" } else { "was changed outside of Planloom" } }</span></p>
            if !gone { { for row.changes.iter().filter(has_drifted).map(|change| value(row, change, props)) } }
        </li>
    }
}

/// True if a value was observed to differ from the recorded one, or to be gone. A missing value counts as gone only if
/// the desired value is the recorded one; otherwise null may mean that it could not be observed.
fn has_drifted(change: &&ChangeView) -> bool {
    let is_gone = !change.unknown && change.desired == change.persisted;
    !change.sensitive && change.observed != change.persisted && (!change.observed.is_null() || is_gone)
}

fn value(row: &ActionView, change: &ChangeView, props: &DriftProps) -> Html {
    let button = |words: &'static str, title: &'static str, event: LiveEvent| {
        let onclick = props.on_event.reform(move |_: MouseEvent| event.clone());
        html! { <button type="button" class="button" {title} disabled={props.busy} {onclick}>{ words }</button> }
    };
    let seen = change.observed.clone();
    let written = change.origin.as_ref().filter(|origin| !origin.inferred && !seen.is_null());
    let adopt = written.map(|origin| {
        let event = LiveEvent::Adopt { place: origin.location.clone(), value: seen.clone() };
        button("Write into the file", "Writes the observed value into the file", event)
    });
    let accept =
        LiveEvent::Accept { address: row.address.clone(), path: change.path.clone(), value: seen.clone() };
    let put_back = LiveEvent::Revert { address: row.address.clone(), path: change.path.clone() };
    html! {
        <div class="drift-value">
            <code class="drift-path">{ &change.path }</code>
            <span class="drift-was"><span class="visually-hidden">{ "recorded " }</span>{ text(&change.persisted) }</span>
            { IconName::Arrow.html() }
            <span class="drift-is"><span class="visually-hidden">{ "seen " }</span>{ text(&seen) }</span>
            <span class="drift-buttons">
                { button("Revert", "Sets this value to the recorded one; nothing else is changed", put_back) }
                { for adopt }
                { button("Accept into the state", "Records the observed value; the files are not changed", accept) }
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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workspace::view::SummaryView;

    use super::*;

    #[test]
    fn a_failed_creation_is_not_drift() {
        let action = |action: &str, kind: &str| -> ActionView {
            serde_json::from_value(json!({
                "id": "a1", "address": "services.web", "kind": "service", "action": action, "after": [],
                "reason": {"kind": kind, "sentence": ""}, "changes": [],
            }))
            .unwrap()
        };
        for (verb, kind, is_drift) in [
            ("rebuild", "drifted", false),
            ("update", "drifted", true),
            ("create", "gone", true),
            ("update", "not_ready", false),
        ] {
            let plan: PlanView = serde_json::from_value(json!({
                "format": "planloom.plan/1", "mode": "apply", "deployment": "a", "serial": 1, "digest": "",
                "knock_on": "values", "actions": [action(verb, kind)], "summary": SummaryView::default(),
                "diagnostics": [],
            }))
            .unwrap();
            assert_eq!(drifted(&plan).count(), usize::from(is_drift), "{verb} {kind}");
        }
    }

    #[test]
    fn drift_differs_from_unobserved() {
        let change = |desired: Json, persisted: Json, observed: Json| ChangeView {
            path: "/labels/tier".into(),
            desired,
            persisted,
            observed,
            unknown: false,
            sensitive: false,
            forces_rebuild: false,
            origin: None,
        };
        for (sides, drifted) in [
            ([json!("a"), json!("a"), json!("b")], true),
            ([json!("c"), json!("a"), json!("b")], true),
            ([json!("a"), json!("a"), Json::Null], true),
            ([json!("b"), Json::Null, json!("a")], true),
            ([json!("b"), json!("a"), Json::Null], false),
            ([json!("b"), json!("a"), json!("a")], false),
        ] {
            let [desired, persisted, observed] = sides.clone();
            assert_eq!(has_drifted(&&change(desired, persisted, observed)), drifted, "{sides:?}");
        }
        let hidden = ChangeView { sensitive: true, ..change(json!("a"), json!("a"), json!("b")) };
        assert!(!has_drifted(&&hidden));
    }
}
