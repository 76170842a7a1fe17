//! The views, and what they say while they have nothing to show.

use std::rc::Rc;

use ui::{
    InputEvent, InputsView, LayerBadge, PlanChoice, Tab, TabCount, inputs_pane, plan_bar, tabs,
    views::{GraphPane, LinksPane, MergedPane, PlanPane, ProblemsPane, SetValue, VersionsPane},
};
use workspace::{File, view::CheckView};
use yew::prelude::*;

use super::{context::Context, controllers::Controllers, live, versions};
use crate::{
    inputs,
    state::{Action, Input, InputKind, Inputs, State},
};

/// The tabs and the open view.
pub(super) fn views(context: &Context, layers: &Rc<Vec<LayerBadge>>, texts: &Rc<Vec<File>>) -> Html {
    let state = context.state();
    let tab = state.screen.tab;
    html! {
        <>
            { tabs(tab, counts(state), &context.does(Action::Show)) }
            <div class="panel" role="tabpanel" id={format!("panel-{}", tab.id())}
                aria-labelledby={format!("tab-{}", tab.id())}>
                { panel(context, layers, texts, tab) }
            </div>
        </>
    }
}

/// How much is in each view; nothing is said before it is known, and of a state that was not given.
pub(super) fn counts(state: &State) -> [TabCount; 7] {
    let answers = &state.answers;
    let known = answers.check.is_some() && !state.document.files.is_blank();
    let actions = state.plan().map(|plan| {
        let summary = &plan.summary;
        summary.create + summary.update + summary.rebuild + summary.destroy
    });
    let recorded = state.document.inputs.state.as_ref().or(state.applying.recorded.as_ref());
    let recorded = recorded.map(|input| inputs::count(input));
    let counts = &answers.counts;
    let links = TabCount {
        count: known.then_some(counts.links),
        failed: if known { counts.links_failed } else { 0 },
    };
    let versions = TabCount {
        count: known.then_some(counts.versions),
        failed: if known { counts.versions_failed } else { 0 },
    };
    let (resources, overrides) = (known.then_some(counts.resources), known.then_some(counts.overrides));
    [resources.into(), overrides.into(), actions.into(), links, versions, recorded.into(), None.into()]
}

fn panel(context: &Context, layers: &Rc<Vec<LayerBadge>>, texts: &Rc<Vec<File>>, tab: Tab) -> Html {
    let (state, answers) = (context.state(), &context.state().answers);
    let on_goto = context.does(Action::Goto);
    let on_select = context.does(|address: String| Action::Look(Some(address.into())));
    let selected = state.resource.clone().map(AttrValue::from);
    match tab {
        Tab::Graph => match &answers.layout {
            Some(layout) if !layout.graph.nodes.is_empty() => html! {
                <GraphPane layout={layout.clone()} plan={state.plan().cloned()} steps={state.applying.shows_run().then(|| state.applying.steps.clone())}
                    layers={layers.clone()} {selected} stale={answers.model_stale} {on_goto} {on_select} />
            },
            Some(_) => nothing("Declare a service or a network, and it is drawn here with what it needs."),
            None => waiting(),
        },
        Tab::Merged => match &answers.merge {
            Some(merge) => {
                let on_set = {
                    let context = context.clone();
                    Callback::from(move |SetValue { file, pointer, yaml }| {
                        context.set_value(file, pointer, yaml)
                    })
                };
                html! {
                    <MergedPane merge={merge.clone()} layers={layers.clone()} stale={answers.model_stale} reveal={state.pointer.clone().map(AttrValue::from)} {on_goto}
                        on_set={Some(on_set)} />
                }
            }
            None => waiting(),
        },
        Tab::Plan => live::run(context, layers).unwrap_or_else(|| html! {
            <>
                { plan_options(context) }
                { live::notices(context) }
                if state.applying.live.unseen && state.plan().is_none() {
                    { nothing("How things are is not known, so there is no plan.") }
                } else { <PlanPane plan={state.plan().cloned()} layers={layers.clone()} stale={answers.plan_stale} {selected}
                    {on_goto} {on_select} /> }
            </>
        }),
        Tab::Links => match &answers.links {
            Some((links, map)) => {
                let inputs = state.document.inputs.clone();
                let bosh = inputs.bosh;
                let on_bosh = context.does(move |bosh| Action::SetInputs(Inputs { bosh, ..inputs.clone() }));
                html! {
                    <LinksPane links={links.clone()} map={map.clone()} layers={layers.clone()} stale={answers.model_stale} {bosh}
                        {on_goto} {on_bosh} />
                }
            }
            None => waiting(),
        },
        Tab::Versions => match &answers.resolution {
            Some(resolution) => {
                let locked = state.document.files.named(versions::LOCK).is_some();
                html! {
                    <VersionsPane resolution={resolution.clone()} layers={layers.clone()} files={texts.clone()} stale={answers.model_stale}
                        {locked} {on_goto} on_ask={versions::asks(context)} on_event={versions::does(context)} />
                }
            }
            None => waiting(),
        },
        Tab::State => state_view(context),
        Tab::Controllers => html! {
            <Controllers on_say={context.does(|text| Action::Say { text, undo: false })} />
        },
    }
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
    plan_bar(PlanChoice { destroy, knock_on_all, list_unchanged }, &on_change)
}

fn state_view(context: &Context) -> Html {
    let inputs = &context.state().document.inputs;
    let on_event = {
        let context = context.clone();
        let kind = |observed| if observed { InputKind::Observed } else { InputKind::State };
        Callback::from(move |event| match event {
            InputEvent::Pick { observed } => context.pick_input(kind(observed)),
            InputEvent::Clear { observed } => {
                context.act(Action::SetInput { kind: kind(observed), input: None });
            }
            InputEvent::Take => context.take_state_in(),
            InputEvent::Export => context.save_state(),
        })
    };
    let view = |input: &Option<Rc<Input>>| input.as_deref().map(inputs::view);
    let shown = InputsView {
        head: live::head(context),
        foot: live::foot(context),
        state: view(&inputs.state),
        observed: view(&inputs.observed),
        kept: live::recorded(context.state()),
        under_way: context.state().doing().is_busy(),
    };
    inputs_pane(&shown, &on_event)
}

/// The problems below everything.
pub(super) fn problems(
    context: &Context,
    layers: &Rc<Vec<LayerBadge>>,
    files: &Rc<Vec<File>>,
    check: Option<&Rc<CheckView>>,
) -> Html {
    let on_fix = {
        let context = context.clone();
        Callback::from(move |fix| context.fix(&fix))
    };
    match check {
        Some(check) => html! {
            <ProblemsPane check={check.clone()} layers={layers.clone()}
                files={files.clone()} on_goto={context.does(Action::Goto)} {on_fix} />
        },
        None => waiting(),
    }
}

fn nothing(line: &'static str) -> Html {
    html! { <div class="pane pane-empty"><p>{ line }</p></div> }
}

/// Says nothing for a moment: most answers are there before it could be read.
fn waiting() -> Html {
    html! { <div class="pane pane-empty pane-waiting" aria-busy="true"><p>{ "Reading the files" }</p></div> }
}
