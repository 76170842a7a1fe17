//! The explanation of an action on a resource.

use workspace::view::{Action, ActionView, ChangeView, PlanView};

use super::WhyStep;
use crate::views::value::{SECRET, flow};

/// The chain of a resource: each action with the one that causes it, and in the end the values that were changed in the
/// files. Empty for a resource that is not in the plan.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::markdown, *};

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
