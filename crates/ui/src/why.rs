//! Why something happens to a resource: one chain from what happens back to the bytes that somebody wrote.

use std::rc::Rc;

use workspace::view::{Action, ActionView, ChangeView, LocationView, PlanView};
use yew::prelude::*;

use crate::{
    Dialog, IconButton, IconName, LayerBadge, action_mark, dom,
    views::{
        place::PlaceLink,
        plan::code,
        prose::prose,
        value::{SECRET, flow},
    },
};

/// A link of the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyStep {
    /// The resource, and what happens to it; `None` for the value at the end.
    pub resource: Option<(String, Action)>,
    /// Why, as a sentence.
    pub sentence: String,
    /// Where that is written.
    pub place: Option<LocationView>,
}

/// The chain of a resource: each action with the one that causes it, and in the end the values that somebody changed. Empty
/// for a resource that the plan does not know.
pub fn chain(plan: &PlanView, address: &str) -> Vec<WhyStep> {
    let mut steps = Vec::new();
    let mut next = plan.actions.iter().find(|it| it.address == address);
    while let Some(action) = next {
        let is_new =
            steps.iter().all(|it: &WhyStep| it.resource.as_ref().is_none_or(|of| of.0 != action.address));
        // No plan goes round; a text that says so must not hold the page.
        if !is_new {
            break;
        }
        steps.push(of_action(action));
        let cause = action.reason.as_ref().and_then(|it| it.cause.as_ref());
        next = cause.and_then(|id| plan.actions.iter().find(|it| it.id == *id));
        if next.is_none() {
            steps.extend(causes(action).map(of_change));
        }
    }
    steps
}

fn of_action(action: &ActionView) -> WhyStep {
    let sentence = action.reason.as_ref().map_or("every value matches the files", |it| &it.sentence);
    WhyStep {
        resource: Some((action.address.clone(), action.action)),
        sentence: sentence.to_owned(),
        place: action.origin.clone(),
    }
}

/// The values at the end of a chain: those that force a rebuild, if any does.
fn causes(action: &ActionView) -> impl Iterator<Item = &ChangeView> {
    const MOST: usize = 5;
    let forces = action.changes.iter().any(|it| it.forces_rebuild);
    let is_shown = action.action != Action::Create;
    action.changes.iter().filter(move |it| is_shown && (!forces || it.forces_rebuild)).take(MOST)
}

fn of_change(change: &ChangeView) -> WhyStep {
    let shown = |value: &serde_json::Value| {
        if change.sensitive { SECRET.to_owned() } else { format!("`{}`", flow(value)) }
    };
    let before = if change.persisted.is_null() { &change.observed } else { &change.persisted };
    let sentence = match (before.is_null(), change.desired.is_null()) {
        (true, _) if !change.sensitive => format!("`{}` is {} now", change.path, shown(&change.desired)),
        (_, true) if !change.sensitive => {
            format!("`{}` was {} and is not set any more", change.path, shown(before))
        }
        _ => format!("`{}` was {} and is {} now", change.path, shown(before), shown(&change.desired)),
    };
    WhyStep { resource: None, sentence, place: change.origin.as_ref().map(|it| it.location.clone()) }
}

/// The chain as Markdown, for a pull request.
pub fn markdown(steps: &[WhyStep]) -> String {
    let line = |(depth, step): (usize, &WhyStep)| {
        let what = step
            .resource
            .as_ref()
            .map(|(address, action)| format!("{} **{}**: ", code(address), action.words().past));
        let at = step.place.as_ref().map(|it| format!(" ({}:{})", it.file, it.line)).unwrap_or_default();
        format!("{}- {}{}{at}\n", "  ".repeat(depth), what.unwrap_or_default(), step.sentence)
    };
    let depth =
        |at: usize, step: &WhyStep| if step.resource.is_some() { at } else { at.min(resources(steps)) };
    steps.iter().enumerate().map(|(at, step)| line((depth(at, step), step))).collect()
}

fn resources(steps: &[WhyStep]) -> usize {
    steps.iter().filter(|it| it.resource.is_some()).count()
}

/// Properties of [`Why`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct WhyProps {
    /// The resource that is asked about.
    pub address: AttrValue,
    /// The chain.
    pub steps: Vec<WhyStep>,
    /// The files, for origin chips.
    pub layers: Rc<Vec<LayerBadge>>,
    /// Called with a place that is gone to.
    pub on_goto: Callback<LocationView>,
    /// Called once the chain was copied, or the browser refused to.
    pub on_copied: Callback<bool>,
    /// Called when the dialog is to be closed.
    pub on_close: Callback<()>,
}

/// The dialog with the chain.
#[component]
pub fn Why(props: &WhyProps) -> Html {
    let close = props.on_close.reform(|_: MouseEvent| ());
    let copy = {
        let (text, on_copied) = (markdown(&props.steps), props.on_copied.clone());
        Callback::from(move |_: MouseEvent| {
            let on_copied = on_copied.clone();
            dom::copy(&text, move |copied| on_copied.emit(copied));
        })
    };
    let title = format!("Why {}", props.address);
    html! {
        <Dialog label={title.clone()} class="connect why" on_close={props.on_close.clone()}>
            <div class="dialog-head">
                <h2>{ title }</h2>
                { IconButton::new(IconName::Close, "Close", close).html() }
            </div>
            <ol class="why-chain">{ for props.steps.iter().map(|step| entry(props, step)) }</ol>
            <div class="dialog-foot">
                <button type="button" class="button" onclick={copy}>{ IconName::Copy.html() }{ "Copy as Markdown" }</button>
            </div>
        </Dialog>
    }
}

fn entry(props: &WhyProps, step: &WhyStep) -> Html {
    let on_goto = {
        let (on_goto, on_close) = (props.on_goto.clone(), props.on_close.clone());
        Callback::from(move |place| {
            on_close.emit(());
            on_goto.emit(place);
        })
    };
    html! {
        <li class={classes!("why-step", step.resource.is_none().then_some("why-value"))}>
            if let Some((address, action)) = &step.resource {
                <p class="why-what">{ action_mark(*action, true) }<strong>{ address }</strong></p>
            }
            <p>{ prose(&step.sentence) }</p>
            if let Some(place) = &step.place {
                <PlaceLink place={place.clone()} layers={props.layers.clone()} {on_goto} />
            }
        </li>
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan() -> PlanView {
        let place = |line: u32| json!({"file": "prod.yaml", "line": line, "column": 1, "end_line": line, "end_column": 2});
        serde_json::from_value(json!({
            "format": "planloom.plan/1", "mode": "apply", "deployment": "shop", "serial": 1, "digest": "", "knock_on": "values",
            "summary": {"create": 0, "update": 0, "rebuild": 2, "destroy": 0, "unchanged": 0}, "diagnostics": [],
            "actions": [
                {"id": "a1", "address": "services.db", "kind": "service", "action": "rebuild", "after": [], "origin": place(3),
                 "reason": {"kind": "changed", "sentence": "its image is another one"},
                 "changes": [{"path": "/payload/params/image_hash", "desired": "s2", "persisted": "s1", "observed": null,
                    "unknown": false, "sensitive": false, "forces_rebuild": true,
                    "origin": {"file": "prod.yaml", "line": 7, "column": 5, "end_line": 7, "end_column": 9, "inferred": false}}]},
                {"id": "a2", "address": "services.web", "kind": "service", "action": "rebuild", "after": ["a1"],
                 "reason": {"kind": "knock_on", "cause": "a1", "sentence": "it takes db's address"}, "changes": []},
            ],
        }))
        .expect("a plan")
    }

    #[test]
    fn a_chain_leads_to_the_byte() {
        let steps = chain(&plan(), "services.web");
        let said: Vec<&str> = steps.iter().map(|it| &*it.sentence).collect();
        let value = "`/payload/params/image_hash` was `s1` and is `s2` now";
        assert_eq!(said, ["it takes db's address", "its image is another one", value]);
        assert_eq!(steps.last().and_then(|it| it.place.as_ref()).map(|it| it.line), Some(7));
        assert!(chain(&plan(), "services.none").is_empty());
    }

    #[test]
    fn a_chain_is_copied_as_nested_lists() {
        let text = markdown(&chain(&plan(), "services.web"));
        assert!(
            text.starts_with(
                "- `services.web` **rebuilt**: it takes db's address\n  - `services.db` **rebuilt**: "
            ),
            "{text}"
        );
        assert!(text.ends_with("(prod.yaml:7)\n"), "{text}");
    }

    #[test]
    fn a_plan_that_goes_round_ends() {
        let mut round = plan();
        round.actions[0].reason.as_mut().unwrap().cause = Some("a2".into());
        assert_eq!(chain(&round, "services.web").len(), 2);
    }
}
