//! The Plan view: the plan, or the run that carries it out.

use ui::{
    IconName, PlanChoice, plan_bar,
    views::{
        PlanPane,
        live::{self, ApplyStatus, RunPaneProps, run_pane},
        strip,
    },
};
use workspace::view::{ActionView, ReasonKind, codes};
use yew::prelude::*;

use super::nothing;
use crate::{
    app::{
        context::Context,
        lazy::{Lazy, Page, View},
        live::events,
    },
    state::{Action, Inputs, State},
};

/// The name of a deployment that has none.
const UNNAMED: &str = "deployment";

/// The Plan view.
pub fn view(page: &Page) -> Html {
    if page.context.state().applying.shows_run() {
        return html! { <Lazy key="run" view={View::Run} page={page.clone()} /> };
    }
    plan(page)
}

fn plan(page: &Page) -> Html {
    let (context, state) = (&page.context, page.context.state());
    html! {
        <>
            { plan_options(context) }
            { notices(context) }
            if state.is_late {
                { strip(IconName::Clock, "The files are still being planned. This plan is from before the last change.") }
            }
            { for muted(state) }
            { for unnamed(state) }
            if let Some(why) = no_plan(state) {
                { nothing(why) }
            } else {
                <PlanPane plan={state.plan().cloned()} layers={page.layers.clone()} stale={state.answers.plan_stale}
                    selected={state.resource.clone().map(AttrValue::from)} on_goto={context.does(Action::Goto)}
                    on_select={context.does(|address: String| Action::Look(Some(address.into())))} />
            }
        </>
    }
}

/// The reason why there is no plan against the recorded state.
fn no_plan(state: &State) -> Option<&'static str> {
    let is_expected = state.plan().is_none() && state.is_live() && !state.document.files.is_blank();
    match (state.applying.live.unseen, state.answers.blocking) {
        _ if !is_expected => None,
        (true, _) => Some("The observed state is not known, so there is no plan."),
        (false, 1..) => Some("The files have errors, so there is no plan. Fix them first."),
        (false, 0) if state.applying.recorded.is_some() => Some("Checking for drift."),
        (false, 0) => None,
    }
}

/// The run that is on screen.
pub fn run(page: &Page) -> Html {
    let context = &page.context;
    let applying = &context.state().applying;
    let on_select = context.does(|address: String| Action::Look(Some(address.into())));
    run_pane(&RunPaneProps {
        live: applying.live.clone(),
        steps: applying.steps.clone(),
        layers: page.layers.clone(),
        on_event: events(context),
        on_goto: context.does(Action::Goto),
        on_select,
    })
}

/// The time of the observation that the plan was made against.
fn seen(state: &State) -> Html {
    if state.is_live() { live::seen(&state.applying.live) } else { Html::default() }
}

/// The notices above a plan: the holder of the state, and errors.
fn notices(context: &Context) -> Html {
    let state = context.state();
    if !state.is_live() {
        return Html::default();
    }
    let live = &state.applying.live;
    // The plan says itself that the files have errors.
    let is_known = live.error.as_ref().is_some_and(|it| it.code == codes::apply::BROKEN_FILES.as_str());
    let without = is_known.then(|| ApplyStatus { error: None, ..ApplyStatus::clone(live) });
    live::notices(without.as_ref().unwrap_or(live), &events(context))
}

/// The notice that files are muted, if the plan removes resources that they may describe.
fn muted(state: &State) -> Option<Html> {
    let is_removed =
        |it: &ActionView| it.reason.as_ref().is_some_and(|reason| reason.kind == ReasonKind::Removed);
    state.plan().filter(|plan| plan.actions.iter().any(is_removed))?;
    let files = state.document.files.iter().filter(|file| file.muted);
    let names: Vec<String> = files.map(|file| file.name.to_string()).collect();
    let said = match names.as_slice() {
        [] => return None,
        [name] => format!("{name} is muted"),
        names => format!("{} are muted", names.join(", ")),
    };
    Some(strip(
        IconName::Layers,
        format!("{said}: what is described only there counts as no longer in any file."),
    ))
}

/// The notice that the deployment has no name, if the name is what distinguishes its state from others.
fn unnamed(state: &State) -> Option<Html> {
    let is_real = state.is_live() && state.applying.live.target().is_real();
    let plan = state.plan().filter(|_| is_real && state.answers.counts.name.is_empty())?;
    let words = "These files have no meta.name, so they share one state with all others that have none. Name them before you apply.";
    (plan.deployment.is_empty() || plan.deployment == UNNAMED).then(|| strip(IconName::Warning, words))
}

fn plan_options(context: &Context) -> Html {
    let now = &context.state().document.inputs;
    let Inputs { destroy, knock_on_all, list_unchanged, .. } = *now;
    let on_change = {
        let now = now.clone();
        context.does(move |PlanChoice { destroy, knock_on_all, list_unchanged }| {
            Action::SetInputs(Inputs { destroy, knock_on_all, list_unchanged, ..now.clone() })
        })
    };
    plan_bar(PlanChoice { destroy, knock_on_all, list_unchanged }, seen(context.state()), &on_change)
}
