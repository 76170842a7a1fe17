//! The plan in one sentence, and reasons with their cause as a link.

use workspace::view::words::count;
use workspace::view::{Action, ActionView, PlanMode, PlanView, ReasonKind, SummaryView};

/// A stretch of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The words.
    pub text: String,
    /// The action they are about, for their colour.
    pub action: Option<Action>,
}

impl Part {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), action: None }
    }
}

/// The summary of a plan as a sentence, risk first: `services.old will be destroyed and services.web rebuilt; 3
/// resources will be created; 2 stay as they are.`
pub fn plan_sentence(plan: &PlanView) -> Vec<Part> {
    let summary @ SummaryView { create, destroy, unchanged, .. } = plan.summary;
    if summary.changes() == 0 {
        return vec![Part::plain("Nothing to do: everything is as described.")];
    }
    let is_new = |it: &ActionView| it.reason.as_ref().is_none_or(|reason| reason.kind == ReasonKind::New);
    let all_create = plan.mode != PlanMode::Destroy && create > 0 && summary.changes() + unchanged == create;
    if all_create && plan.actions.iter().all(is_new) {
        return all_new(plan, create);
    }
    let mut parts = Vec::new();
    let present: Vec<_> = summary.by_risk().filter(|(_, count)| *count > 0).collect();
    for (at, &(action, count)) in present.iter().enumerate() {
        let joint = match at {
            0 => "",
            _ if at + 1 == present.len() => " and ",
            _ => ", ",
        };
        let will = if at == 0 { "will be " } else { "" };
        if !joint.is_empty() {
            parts.push(Part::plain(joint));
        }
        let who = if destroy == count && plan.mode == PlanMode::Destroy && unchanged == 0 && count > 1 {
            format!("All {}", resources(count))
        } else {
            subject(plan, action, count, at == 0)
        };
        parts.push(Part { text: format!("{who} {will}{}", action.words().past), action: Some(action) });
    }
    parts.push(Part::plain(rest(summary.losses() == 0, unchanged)));
    parts
}

fn all_new(plan: &PlanView, create: usize) -> Vec<Part> {
    let text = format!("{} will be created", resources(create));
    let steps = match depth(&plan.actions) {
        0 | 1 => String::new(),
        steps => format!(", in {steps} steps"),
    };
    vec![
        Part::plain("Everything is new: "),
        Part { text, action: Some(Action::Create) },
        Part::plain(format!("{steps}.")),
    ]
}

/// The length of the longest chain of actions that wait for one another.
fn depth(actions: &[ActionView]) -> usize {
    let mut depths = std::collections::BTreeMap::<&str, usize>::new();
    for action in actions {
        let before = action.after.iter().filter_map(|id| depths.get(id.as_str())).max().copied().unwrap_or(0);
        depths.insert(&action.id, before + 1);
    }
    depths.into_values().max().unwrap_or(0)
}

fn resources(number: usize) -> String {
    count(number, "resource")
}

/// A single resource is named; several are counted.
fn subject(plan: &PlanView, action: Action, count: usize, first: bool) -> String {
    let mut named = plan.actions.iter().filter(|row| row.action == action);
    match named.next() {
        Some(row) if count == 1 => row.address.clone(),
        _ if first => resources(count),
        _ => count.to_string(),
    }
}

fn rest(safe: bool, unchanged: usize) -> String {
    let safe = if safe { "; nothing is destroyed or rebuilt" } else { "" };
    match unchanged {
        0 => format!("{safe}."),
        1 => format!("{safe}; 1 stays as it is."),
        count => format!("{safe}; {count} stay as they are."),
    }
}

/// A reason's sentence cut at the address of its cause: the text before, the words of the link, the text after.
/// Backticks around the address go with it.
pub(super) fn linked<'a>(sentence: &'a str, cause: &'a str) -> Option<(&'a str, &'a str, &'a str)> {
    let name = cause.rsplit_once('.').map_or(cause, |(_, name)| name);
    [cause, name].into_iter().filter(|word| !word.is_empty()).find_map(|word| {
        let at =
            sentence.match_indices(word).map(|(at, _)| at).find(|&at| stands_alone(sentence, at, word))?;
        let (before, from) = sentence.split_at(at);
        let (link, after) = from.split_at(word.len());
        let bare = before.strip_suffix('`').zip(after.strip_prefix('`'));
        let (before, after) = bare.unwrap_or((before, after));
        Some((before, link, after))
    })
}

fn stands_alone(text: &str, at: usize, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text.get(at + word.len()..).and_then(|text| text.chars().next());
    !before.is_some_and(|c| joins(c) || c == '.') && !after.is_some_and(joins)
}

/// The address an expression takes its value from, among those that exist: `services.db` of
/// `http://${services.db.network_node.ip}:80`.
pub(super) fn producer<'a>(
    expression: &str,
    mut addresses: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let (_, inside) = expression.split_once("${")?;
    let path = inside.split('}').next()?.trim();
    addresses.find(|address| {
        path.strip_prefix(*address).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workspace::view::PlanView;

    use super::{linked, plan_sentence, producer};

    fn plan(mode: &str, unchanged: usize, actions: &[(&str, &str)]) -> PlanView {
        let count = |word: &str| actions.iter().filter(|(action, _)| *action == word).count();
        let rows: Vec<_> = actions
            .iter()
            .enumerate()
            .map(|(at, (action, address))| {
                let after = at.checked_sub(1).map(|before| format!("a{before}"));
                json!({"id": format!("a{at}"), "address": address, "kind": "service", "action": action,
                    "after": after.as_slice(), "reason": null, "changes": []})
            })
            .collect();
        serde_json::from_value(json!({
            "format": "planloom.plan/1", "mode": mode, "deployment": "shop", "serial": 1, "digest": "",
                "knock_on": "values",
            "actions": rows, "diagnostics": [],
            "summary": {"create": count("create"), "update": count("update"), "rebuild": count("rebuild"),
                "destroy": count("destroy"), "forget": count("forget"), "unchanged": unchanged},
        }))
        .expect("a plan")
    }

    #[track_caller]
    fn check(plan: &PlanView, expected: &str) {
        let said: String = plan_sentence(plan).into_iter().map(|part| part.text).collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn one_sentence_says_it_all() {
        check(&plan("apply", 4, &[]), "Nothing to do: everything is as described.");
        check(
            &plan("apply", 0, &[("create", "a"), ("create", "b")]),
            "Everything is new: 2 resources will be created, in 2 steps.",
        );
        let mut again = plan("apply", 0, &[("create", "a"), ("create", "b")]);
        for action in &mut again.actions {
            let gone = json!({"kind": "gone", "sentence": "it was recorded and does not exist any more"});
            action.reason = Some(serde_json::from_value(gone).expect("a reason"));
        }
        check(&again, "2 resources will be created; nothing is destroyed or rebuilt.");
        check(
            &plan(
                "apply",
                12,
                &[("rebuild", "services.web"), ("destroy", "services.old"), ("create", "a"), ("create", "b")],
            ),
            "services.old will be destroyed, services.web rebuilt and 2 created; 12 stay as they are.",
        );
        check(
            &plan("apply", 1, &[("update", "services.web")]),
            "services.web will be updated; nothing is destroyed or rebuilt; 1 stays as it is.",
        );
        check(
            &plan("destroy", 0, &[("destroy", "a"), ("destroy", "b")]),
            "All 2 resources will be destroyed.",
        );
        check(
            &plan("destroy", 1, &[("destroy", "a"), ("destroy", "b")]),
            "2 resources will be destroyed; 1 stays as it is.",
        );
        check(
            &plan("apply", 3, &[("forget", "a")]),
            "a will be forgotten; nothing is destroyed or rebuilt; 3 stay as they are.",
        );
    }

    #[test]
    fn a_cause_is_linked_where_it_is_named() {
        assert_eq!(
            linked("it takes services.db's address", "services.db"),
            Some(("it takes ", "services.db", "'s address"))
        );
        assert_eq!(linked("it takes db's address", "services.db"), Some(("it takes ", "db", "'s address")));
        assert_eq!(
            linked("needs services.db-two, services.db", "services.db"),
            Some(("needs services.db-two, ", "services.db", ""))
        );
        assert_eq!(
            linked("it takes `ip` of `services.db`, which", "services.db"),
            Some(("it takes `ip` of ", "services.db", ", which"))
        );
        assert_eq!(linked("nothing of the kind", "services.db"), None);
    }

    #[test]
    fn an_expression_names_its_producer() {
        let addresses = ["services.db", "services.db-service", "networks.default"];
        let of = |text| producer(text, addresses.into_iter());
        assert_eq!(of("${services.db-service.network_node.ip}"), Some("services.db-service"));
        assert_eq!(of("x ${ services.db[0].ip } y"), Some("services.db"));
        assert_eq!(of("${services.other.ip}"), None);
        assert_eq!(of("services.db"), None);
    }
}
