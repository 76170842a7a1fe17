//! Compares the actions of two plans, though one of them may know more about secrets and about existing resources.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use workspace::view::{ActionView, ChangeView, PlanView};

/// The differences in the actions of two plans, by address: `update instead of create`. Texts for people do not count,
/// nor do observed values: one of the plans may have been made without observation. Of a secret only its path counts:
/// the kinds that mark values as sensitive depend on the adapters that were named, and a changed secret shows in its
/// mark among the descriptors.
pub(crate) fn differences(planned: &PlanView, now: &PlanView) -> BTreeMap<String, String> {
    let places = secret_places(planned).chain(secret_places(now)).collect();
    let (planned, now) = (actions(planned, &places), actions(now, &places));
    let addresses: BTreeSet<&String> = planned.keys().chain(now.keys()).collect();
    let differing = addresses.into_iter().filter_map(|address| {
        let (planned, now) = (planned.get(address), now.get(address));
        (planned != now).then(|| (address.clone(), difference(planned, now)))
    });
    differing.collect()
}

/// The difference between two actions on one resource; `None` for a plan that leaves it unchanged.
fn difference(planned: Option<&ActionView>, now: Option<&ActionView>) -> String {
    let named = |action: Option<&ActionView>| action.map_or("nothing", |it| it.action.as_str()).to_owned();
    match (planned, now) {
        (Some(planned), Some(now)) if planned.action == now.action => {
            let mut paths = differing_paths(planned, now);
            paths.truncate(PATHS);
            let at = if paths.is_empty() { String::new() } else { format!(" at {}", paths.join(", ")) };
            let what = if !paths.is_empty() {
                "other values"
            } else if planned.after != now.after {
                "another order"
            } else {
                "another reason"
            };
            format!("{} with {what}{at}", now.action)
        }
        _ => format!("{} instead of {}", named(now), named(planned)),
    }
}

/// The maximum number of paths that are named for one resource.
const PATHS: usize = 3;

fn differing_paths<'a>(one: &'a ActionView, other: &'a ActionView) -> Vec<&'a str> {
    let all = one.changes.iter().chain(&other.changes);
    let differing = all.filter(|it| !one.changes.contains(it) || !other.changes.contains(it));
    differing.map(|it| it.path.as_str()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A plan without what another one, made by kinds that hide more, does not show. It has no digest where something was
/// taken out.
pub(crate) fn hidden(plan: &PlanView, by: &PlanView) -> PlanView {
    let places: BTreeSet<SecretPath> = secret_places(by).collect();
    let (before, mut plan) = (plan, plan.clone());
    for action in &mut plan.actions {
        let secrets = secrets_of(&action.address, &places);
        for change in &mut action.changes {
            if secrets.iter().any(|it| rest(&change.path, it).is_some()) {
                change.sensitive = true;
                (change.desired, change.persisted, change.observed) = (Json::Null, Json::Null, Json::Null);
            }
            blank(change, &secrets);
        }
    }
    if plan != *before {
        plan.digest.clear();
    }
    plan
}

/// The places of one resource.
fn secrets_of<'p>(address: &str, places: &'p BTreeSet<SecretPath>) -> Vec<&'p str> {
    places.iter().filter(|(at, _)| at == address).map(|(_, path)| path.as_str()).collect()
}

/// Address and pointer of a secret.
type SecretPath = (String, String);

fn secret_places(plan: &PlanView) -> impl Iterator<Item = SecretPath> {
    plan.actions.iter().flat_map(|action| {
        let secrets = action.changes.iter().filter(|it| it.sensitive);
        secrets.map(|it| (action.address.clone(), it.path.clone()))
    })
}

/// The actions by address, without the parts that do not count.
fn actions(plan: &PlanView, places: &BTreeSet<SecretPath>) -> BTreeMap<String, ActionView> {
    let acting = plan.actions.iter().filter(|it| it.action.is_change());
    let names: BTreeMap<&str, &str> =
        plan.actions.iter().map(|it| (it.id.as_str(), it.address.as_str())).collect();
    let named = |id: &String| names.get(id.as_str()).map_or_else(|| id.clone(), |it| (*it).to_owned());
    let bare = |action: &ActionView| {
        let mut action = action.clone();
        action.id.clear();
        action.after = action.after.iter().map(named).collect();
        action.after.sort();
        if let Some(reason) = &mut action.reason {
            reason.sentence.clear();
            reason.cause = reason.cause.as_ref().map(named);
        }
        let secrets = secrets_of(&action.address, places);
        action.changes.retain(|it| !secrets.iter().any(|secret| rest(&it.path, secret).is_some()));
        for change in &mut action.changes {
            change.observed = Json::Null;
            blank(change, &secrets);
        }
        (action.address.clone(), action)
    };
    acting.map(bare).collect()
}

/// Takes the secrets that lie deeper in its values out of a change.
fn blank(change: &mut ChangeView, secrets: &[&str]) {
    let inside: Vec<&str> =
        secrets.iter().filter_map(|it| rest(it, &change.path)).filter(|it| !it.is_empty()).collect();
    for side in [&mut change.desired, &mut change.persisted, &mut change.observed] {
        inside.iter().filter_map(|it| side.pointer_mut(it).map(Json::take)).for_each(drop);
    }
}

/// The rest of a JSON pointer below another one; `None` if it is not below it.
fn rest<'p>(pointer: &'p str, within: &str) -> Option<&'p str> {
    pointer.strip_prefix(within).filter(|it| it.is_empty() || it.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan(address: &str, changes: &[Json]) -> PlanView {
        let action = |id: &str, address: &str, after: &[&str], changes: &[Json]| {
            json!({"id": id, "address": address, "kind": "service", "action": "create", "after": after,
                   "reason": {"kind": "new", "sentence": "it is new"}, "changes": changes})
        };
        let plan = json!({
            "format": "planloom.plan/1", "mode": "apply", "deployment": "shop", "serial": 0, "digest": "",
            "knock_on": "values", "diagnostics": [],
            "actions": [action("a1", address, &[], changes), action("a2", "services.z", &["a1"], &[])],
            "summary": {"create": 2, "update": 0, "rebuild": 0, "destroy": 0, "unchanged": 0},
        });
        serde_json::from_value(plan).expect("a plan")
    }

    fn change(path: &str, desired: Json, sensitive: bool) -> Json {
        json!({"path": path, "desired": desired, "persisted": null, "observed": null, "unknown": false,
               "sensitive": sensitive, "forces_rebuild": false, "origin": null})
    }

    #[track_caller]
    fn check(one: &[Json], other: &[Json], expected: &[&str]) {
        let found = differences(&plan("services.a", one), &plan("services.a", other));
        assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn of_a_secret_only_its_place_counts() {
        let image = change("/payload/image", json!("me/shop:1"), false);
        let hidden = change("/payload/secrets", Json::Null, true);
        let mark = json!({"$sensitive": "0123456789abcdef.0123"});
        let shown = change("/payload/secrets/PASSWORD", mark.clone(), false);
        let whole = change("/payload", json!({"image": "me/shop:1", "secrets": {"PASSWORD": mark}}), false);
        let bare = change("/payload", json!({"image": "me/shop:1", "secrets": "other"}), false);
        check(&[image.clone(), hidden.clone()], &[image.clone(), shown.clone()], &[]);
        check(&[image.clone(), hidden.clone()], std::slice::from_ref(&hidden), &["services.a"]);
        check(&[hidden.clone(), whole.clone()], &[bare], &[]);
        check(std::slice::from_ref(&image), &[image.clone(), shown], &["services.a"]);
        // A place that only begins alike is another one.
        check(&[hidden], &[change("/payload/secrets-of-others", json!(1), false)], &["services.a"]);
    }

    #[test]
    fn ids_are_those_of_one_plan_only() {
        let mut renamed = plan("services.a", &[]);
        renamed.actions[0].id = "a7".into();
        renamed.actions[1].after = vec!["a7".into()];
        assert_eq!(differences(&plan("services.a", &[]), &renamed), BTreeMap::new());
        let found = differences(&plan("services.a", &[]), &plan("services.b", &[]));
        let expected = [
            ("services.a", "nothing instead of create"),
            ("services.b", "create instead of nothing"),
            ("services.z", "create with another order"),
        ];
        assert_eq!(found, expected.map(|(at, what)| (at.to_owned(), what.to_owned())).into());
    }

    #[test]
    fn a_difference_is_named() {
        let with = |value: &str| plan("services.a", &[change("/image", json!(value), false)]);
        let said = |now: &PlanView| differences(&with("shop:1"), now).remove("services.a");
        assert_eq!(said(&with("shop:1")), None);
        assert_eq!(said(&with("shop:2")).as_deref(), Some("create with other values at /image"));
        let mut other = with("shop:1");
        other.actions[0].action = workspace::view::Action::Rebuild;
        assert_eq!(said(&other).as_deref(), Some("rebuild instead of create"));
        let mut other = with("shop:1");
        other.actions[0].reason = None;
        assert_eq!(said(&other).as_deref(), Some("create with another reason"));
    }
}
