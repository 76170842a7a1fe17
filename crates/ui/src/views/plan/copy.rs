//! The plan to copy: Markdown for readers, JSON for tools.

use gloo::timers::callback::Timeout;
use workspace::view::{Action, ActionView, ChangeView, PlanView};
use yew::prelude::*;

use super::sentence::plan_sentence;
use crate::{
    IconName, dom,
    views::{Same, same::use_stable, value},
};

/// The plan as Markdown. Sensitive values are shown as dots.
pub fn markdown(plan: &PlanView) -> String {
    let sentence: String = plan_sentence(plan).into_iter().map(|part| part.text).collect();
    let mut text = format!("### Plan for {}\n\n{sentence}\n", code(&plan.deployment));
    for action in Action::BY_RISK.into_iter().filter(|it| *it != Action::NoOp) {
        let mut rows = plan.actions.iter().filter(|row| row.action == action).peekable();
        if rows.peek().is_some() {
            let words = action.words();
            text.push_str(&format!("\n**{} {}**\n\n", words.symbol, words.heading));
            rows.for_each(|row| text.push_str(&row_text(row)));
        }
    }
    text.push_str(&format!("\n<sub>serial {} · {}</sub>\n", plan.serial, plan.digest));
    text
}

fn row_text(action: &ActionView) -> String {
    let why = action.reason.as_ref().map(|reason| format!(": {}", reason.sentence)).unwrap_or_default();
    let changes: String = action.changes.iter().map(change_text).collect();
    format!("- {}{why}\n{changes}", code(&action.address))
}

fn change_text(change: &ChangeView) -> String {
    let shown = |value: &serde_json::Value| match value {
        _ if change.sensitive => code(value::SECRET),
        serde_json::Value::Null => "∅".into(),
        value => code(&value::flow(value)),
    };
    let prior = if change.persisted.is_null() { &change.observed } else { &change.persisted };
    let from =
        if prior.is_null() && !change.sensitive { String::new() } else { format!("{} → ", shown(prior)) };
    let origin =
        change.origin.as_ref().map(|origin| format!(" ({}:{})", origin.location.file, origin.location.line));
    let tags = if change.forces_rebuild { " **forces rebuild**" } else { "" };
    format!(
        "  - {}: {from}{}{tags}{}\n",
        code(&change.path),
        shown(&change.desired),
        origin.unwrap_or_default()
    )
}

/// A text as code, whatever backticks it has.
pub(crate) fn code(text: &str) -> String {
    let text = text.replace('\n', "⏎");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct CopyButtonsProps {
    pub(super) plan: Same<PlanView>,
}

/// The outcome of the last copy.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    Copied(&'static str),
    Refused,
}

/// The two buttons; each shows for a moment whether it worked.
#[component]
pub(super) fn CopyButtons(props: &CopyButtonsProps) -> Html {
    let said = use_state(|| None::<Said>);
    let timer = use_mut_ref(|| None::<Timeout>);
    let say = use_stable(&{
        let said = said.clone();
        Callback::from(move |what: Said| {
            said.set(Some(what));
            let said = said.clone();
            timer.replace(Some(Timeout::new(1800, move || said.set(None))));
        })
    });
    let copy = |what: &'static str, text: fn(&PlanView) -> String| {
        let (plan, say) = (props.plan.clone(), say.clone());
        Callback::from(move |_: MouseEvent| {
            let say = say.clone();
            let done = move |copied| say.emit(if copied { Said::Copied(what) } else { Said::Refused });
            dom::copy(&text(&plan), done);
        })
    };
    let button = |what: &'static str, text: fn(&PlanView) -> String| {
        let icon = if *said == Some(Said::Copied(what)) { IconName::Check } else { IconName::Copy };
        let title = format!("Copy the plan as {what}");
        html! {
            <button type="button" class="quiet-button" {title} onclick={copy(what, text)}>
                { icon.html() }<span>{ what }</span>
            </button>
        }
    };
    let words = said.map(|said| match said {
        Said::Copied(what) => format!("Copied as {what}"),
        Said::Refused => "The browser does not allow copying here".to_owned(),
    });
    let class = if *said == Some(Said::Refused) { "plan-copy-refused" } else { "visually-hidden" };
    html! {
        <div class="plan-copy">
            <span {class} role="status">{ words }</span>
            { button("Markdown", markdown) }
            { button("JSON", |plan| serde_json::to_string_pretty(plan).unwrap_or_default()) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workspace::view::PlanView;

    use super::{code, markdown};

    #[test]
    fn backticks_do_not_end_the_code() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
    }

    #[test]
    fn a_plan_reads_well_and_keeps_secrets() {
        let plan: PlanView = serde_json::from_value(json!({
            "format": "planloom.plan/1", "mode": "apply", "deployment": "shop", "serial": 7, "digest":
                "sha256:0", "knock_on": "values",
            "summary": {"create": 1, "update": 0, "rebuild": 1, "destroy": 0, "unchanged": 3}, "diagnostics":
                [],
            "actions": [
                {"id": "a1", "address": "services.db", "kind": "service", "action": "create", "after": [],
                 "reason": {"kind": "new", "sentence": "it is new"}, "changes": []},
                {"id": "a2", "address": "services.web", "kind": "service", "action": "rebuild", "after":
                    ["a1"],
                 "reason": {"kind": "changed", "sentence": "its image changes"}, "changes": [
                    {"path": "/image", "desired": "b", "persisted": "a", "observed": "a", "unknown": false,
                        "sensitive": false,
                     "forces_rebuild": true, "origin":
                         {"file": "prod.yaml", "line": 7, "column": 15, "end_line": 7, "end_column": 16,
                         "inferred": false}},
                    {"path": "/password", "desired": null, "persisted": null, "observed": null, "unknown":
                        false, "sensitive": true,
                     "forces_rebuild": false, "origin": null}]}]
        }))
        .expect("a plan");
        let expected = [
            "### Plan for `shop`",
            "",
            "services.web will be rebuilt and services.db created; 3 stay as they are.",
            "",
            "**± Rebuild: destroy and create again**",
            "",
            "- `services.web`: its image changes",
            "  - `/image`: `a` → `b` **forces rebuild** (prod.yaml:7)",
            "  - `/password`: `••••••` → `••••••`",
            "",
            "**+ Create**",
            "",
            "- `services.db`: it is new",
            "",
            "<sub>serial 7 · sha256:0</sub>",
            "",
        ];
        assert_eq!(markdown(&plan).split('\n').collect::<Vec<_>>(), expected);
    }
}
