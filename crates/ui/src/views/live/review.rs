//! The review before a plan is applied: the resources that are destroyed and rebuilt, by name, before everything else.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use workspace::codes::plan::LOOKS_RENAMED;
use workspace::view::words::count;
use workspace::view::{Action, ActionView, DiagnosticView, PlanMode, PlanView, Severity};
use yew::prelude::*;

use super::{ApplyStatus, LiveEvent};
use crate::{
    Dialog, IconButton, IconName, action_class, action_mark, severity_mark, target_banner,
    views::prose::prose,
};

/// Properties of [`Review`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ReviewProps {
    /// The plan; `None` while the resources are being checked.
    pub plan: Option<Rc<PlanView>>,
    /// The state of applying.
    pub live: Rc<ApplyStatus>,
    /// Called with the user's action.
    pub on_event: Callback<LiveEvent>,
    /// It is closed without anything done. Whoever hears [`LiveEvent::Apply`] closes it, too.
    pub on_close: Callback<()>,
}

/// The dialog that a plan is approved in.
#[component]
pub fn Review(props: &ReviewProps) -> Html {
    let (keep_going, allow_rebuild) = (use_state(|| false), use_state(|| false));
    let destroying = props.plan.as_ref().is_some_and(|plan| plan.mode == PlanMode::Destroy);
    let ready = props.plan.as_ref().filter(|_| props.live.digest.is_some());
    let label = if destroying { "Destroy everything" } else { "Apply the plan" };
    let target = props.live.target();
    let place = if props.live.adapter.is_empty() {
        "in the simulator".to_owned()
    } else {
        format!("through {}", props.live.place())
    };
    let apply = {
        let (props, keep_going, allow_rebuild) = (props.clone(), *keep_going, *allow_rebuild);
        Callback::from(move |_: MouseEvent| {
            props.on_event.emit(LiveEvent::Apply { keep_going, allow_rebuild });
        })
    };
    let close = props.on_close.reform(|_: MouseEvent| ());
    html! {
        <Dialog {label} class={classes!("review", target.is_real().then_some("review-real"))} on_close={props.on_close.clone()}>
            <div class="dialog-head">
                <h2>{ label }</h2>
                { IconButton::new(IconName::Close, "Close", close.clone()).html() }
            </div>
            { target_banner(&target) }
            <div class="review-body">
                if let Some(plan) = ready {
                    <p class="review-where">{ lead(plan, &place) }</p>
                    { for Action::BY_RISK.into_iter().filter(|it| it.destroys()).map(|it| list(plan, it)) }
                    { for Action::BY_RISK.into_iter().filter(|it| !it.destroys()).map(|it| line(plan, it)) }
                    { for plan.diagnostics.iter().filter(|it| it.is(LOOKS_RENAMED)).map(renamed) }
                    if !destroying {
                        { choice("After a failure, continue with what does not depend on it", &keep_going) }
                        { choice("Where an adapter refuses an update in place, destroy and create again", &allow_rebuild) }
                    }
                } else if let Some(error) = &props.live.error {
                    <p class="review-where severity-error">{ prose(&error.message) }</p>
                    <p class="muted">{ prose(&error.help) }</p>
                } else if props.live.doing == super::Doing::Idle && props.plan.is_some() {
                    <p class="review-where">{ "There is nothing to do: everything matches the files." }</p>
                } else {
                    <p class="review-where" role="status">{ "Checking for drift" }</p>
                }
            </div>
            <div class="dialog-foot">
                <button type="button" class="button" onclick={close}>{ "Cancel" }</button>
                if let Some(plan) = ready {
                    <button type="button" class={classes!("main-button", is_loud(plan).then_some("danger"))} onclick={apply}>
                        { press(plan) }
                    </button>
                }
            </div>
        </Dialog>
    }
}

fn is_loud(plan: &PlanView) -> bool {
    plan.summary.losses() > 0
}

fn lead(plan: &PlanView, place: &str) -> String {
    let name = &plan.deployment;
    let changes = count(plan.summary.changes(), "resource");
    let destroyed = count(plan.summary.destroy, "resource");
    match (plan.mode, plan.summary.losses()) {
        (PlanMode::Destroy, 0) => {
            format!("{changes} of {name} will be removed from the state. Nothing is destroyed.")
        }
        (PlanMode::Destroy, count) => {
            let all = if count > 1 { "All " } else { "" };
            format!("{all}{destroyed} of {name} will be destroyed {place}. This cannot be undone.")
        }
        (PlanMode::Apply, 0) => format!("{changes} of {name} will change {place}. Nothing is destroyed."),
        (PlanMode::Apply, _) => {
            format!("{changes} of {name} will change {place}. What is destroyed cannot be brought back.")
        }
    }
}

/// The label of the button: `Apply 4 changes`, `Destroy 4 resources`.
fn press(plan: &PlanView) -> String {
    let (changes, destroyed) = (plan.summary.changes(), plan.summary.destroy);
    match (plan.mode, destroyed, changes) {
        (PlanMode::Destroy, 1.., _) => format!("Destroy {}", count(destroyed, "resource")),
        (PlanMode::Destroy, 0, _) => format!("Forget {}", count(changes, "resource")),
        (PlanMode::Apply, _, 0) => "Apply".into(),
        (PlanMode::Apply, ..) => format!("Apply {}", count(changes, "change")),
    }
}

/// The resources that an action happens to, each with its reason.
fn list(plan: &PlanView, action: Action) -> Html {
    let rows: Vec<&ActionView> = plan.actions.iter().filter(|row| row.action == action).collect();
    if rows.is_empty() {
        return Html::default();
    }
    html! {
        <section class={classes!("review-list", "loud", action_class(action))}>
            <h3>{ action_mark(action, false) }{ format!("{} {}", rows.len(), action.words().future) }</h3>
            <ul>{ for rows.into_iter().map(|row| html! {
                <li><strong>{ &row.address }</strong>
                    if let Some(reason) = row.reason.as_ref().filter(|_| plan.mode != PlanMode::Destroy) {
                        <span class="muted">{ prose(&reason.sentence) }</span>
                    }
                </li>
            }) }</ul>
        </section>
    }
}

/// The number of resources that an action affects, and their names. Unchanged resources are not shown.
fn line(plan: &PlanView, action: Action) -> Html {
    let of_it = plan.actions.iter().filter(|row| row.action == action && action.changes_state());
    let rows: Vec<&str> = of_it.map(|row| &*row.address).collect();
    html! {
        if !rows.is_empty() {
            <p class={classes!("review-line", action_class(action))}>
                { action_mark(action, false) }
                <span>{ format!("{} {}: ", rows.len(), action.words().future) }<span class="muted">{ names(&rows) }</span></span>
            </p>
        }
    }
}

/// The warning that a destroyed resource may only have been renamed.
fn renamed(problem: &DiagnosticView) -> Html {
    html! {
        <p class="review-line">
            { severity_mark(Severity::Warning) }
            <span>{ prose(&problem.message) }<br /><span class="muted">{ prose(problem.help.as_deref().unwrap_or_default()) }</span></span>
        </p>
    }
}

fn names(rows: &[&str]) -> String {
    const SHOWN: usize = 8;
    let mut names = rows.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if rows.len() > SHOWN {
        names.push_str(&format!(" and {} more", rows.len() - SHOWN));
    }
    names
}

fn choice(words: &'static str, on: &UseStateHandle<bool>) -> Html {
    let onchange = {
        let on = on.clone();
        Callback::from(move |event: Event| {
            on.set(event.target_unchecked_into::<HtmlInputElement>().checked())
        })
    };
    html! { <label class="review-choice"><input type="checkbox" checked={**on} {onchange} />{ words }</label> }
}

#[cfg(test)]
mod tests {
    use workspace::view::{KnockOn, SummaryView};

    use super::*;

    #[test]
    fn it_is_said_how_much_changes_and_where() {
        let plan = |mode, create, destroy, forget| PlanView {
            format: "planloom.plan/1".into(),
            mode,
            deployment: "visits".into(),
            serial: 1,
            digest: String::new(),
            knock_on: KnockOn::Values,
            actions: Vec::new(),
            summary: SummaryView { create, destroy, forget, ..SummaryView::default() },
            diagnostics: Vec::new(),
        };
        for (plan, said) in [
            (plan(PlanMode::Apply, 1, 0, 0), "1 resource of visits will change here. Nothing is destroyed."),
            (
                plan(PlanMode::Apply, 2, 1, 0),
                "3 resources of visits will change here. What is destroyed cannot be brought back.",
            ),
            (
                plan(PlanMode::Destroy, 0, 1, 0),
                "1 resource of visits will be destroyed here. This cannot be undone.",
            ),
            (
                plan(PlanMode::Destroy, 0, 3, 2),
                "All 3 resources of visits will be destroyed here. This cannot be undone.",
            ),
            (
                plan(PlanMode::Destroy, 0, 0, 2),
                "2 resources of visits will be removed from the state. Nothing is destroyed.",
            ),
        ] {
            assert_eq!(lead(&plan, "here"), said);
        }
    }
}
