//! The plan pane: one sentence, then the dangerous actions, then the rest.

mod action;
mod changes;
mod copy;
mod filter;
mod notices;
mod open;
mod sentence;

use std::rc::Rc;

use web_sys::HtmlInputElement;
use workspace::view::{Action, ActionView, LocationView, PlanView, Severity, SummaryView};
use yew::prelude::*;

pub(crate) use self::copy::code;
pub use self::{copy::markdown, sentence::plan_sentence};

use self::{
    action::ActionRow,
    copy::CopyButtons,
    filter::matches,
    notices::{notices, of_plan},
    open::{Open, OpenStep},
    sentence::Part,
};
use super::{
    Same,
    place::stale_strip,
    same::{use_same, use_stable},
};
use crate::{IconName, LayerBadge, action_class, action_mark};

/// Properties of [`PlanPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct PlanPaneProps {
    /// The plan; `None` while there has never been one.
    pub plan: Option<Rc<PlanView>>,
    /// The files, for origin chips.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The files cannot be read at the moment; this is the last plan.
    #[prop_or_default]
    pub stale: bool,
    /// The resource that is selected elsewhere.
    #[prop_or_default]
    pub selected: Option<AttrValue>,
    /// Called with the place a value comes from.
    pub on_goto: Callback<LocationView>,
    /// Called with the address of an action that is opened or followed.
    pub on_select: Callback<String>,
}

/// The plan: its actions, each with its reason.
#[component]
pub fn PlanPane(props: &PlanPaneProps) -> Html {
    let (plan, layers) = (use_same(&Rc::new(props.plan.clone())), use_same(&props.layers));
    let (on_goto, on_select) = (use_stable(&props.on_goto), use_stable(&props.on_select));
    let body = match &*plan {
        None => empty(IconName::Plan, "No plan yet", "Add a descriptor: its changes are shown here."),
        Some(plan) if plan.actions.is_empty() && has_error(plan) => refused(plan, &layers.0, &on_goto),
        Some(plan) => html! {
            <Planned plan={Same(plan.clone())} {layers} selected={props.selected.clone()} {on_goto} {on_select} />
        },
    };
    html! {
        <section class="plan pane" aria-label="Plan">
            { stale_strip(props.stale) }
            { body }
        </section>
    }
}

fn has_error(plan: &PlanView) -> bool {
    plan.diagnostics.iter().any(|problem| problem.severity == Severity::Error)
}

fn empty(icon: IconName, title: &str, words: &str) -> Html {
    html! {
        <div class="pane-empty">
            { icon.html() }
            <p class="pane-empty-title">{ title }</p>
            <p>{ words }</p>
        </div>
    }
}

/// Nothing is planned from files with errors in them.
fn refused(plan: &PlanView, layers: &Rc<Vec<LayerBadge>>, on_goto: &Callback<LocationView>) -> Html {
    if of_plan(plan).next().is_some() {
        return html! {
            <div class="pane-scroll">
                <p class="plan-refused">{ IconName::Error.html_with("severity-error") }<strong>{ "No plan" }</strong></p>
                { notices(plan, layers, on_goto) }
            </div>
        };
    }
    let errors: Vec<_> =
        plan.diagnostics.iter().filter(|problem| problem.severity == Severity::Error).collect();
    let words = match errors.len() {
        1 => "One error has to be fixed first. Nothing is planned until then.".to_owned(),
        count => format!("{count} errors have to be fixed first. Nothing is planned until then."),
    };
    let first = errors.first().and_then(|problem| {
        let (line, column) = (problem.line?, problem.column?);
        let (end_line, end_column) = (problem.end_line.unwrap_or(line), problem.end_column.unwrap_or(column));
        Some(LocationView { file: problem.file.clone()?, line, column, end_line, end_column })
    });
    let go = first.map(|place| {
        (format!("Go to {}:{}", place.file, place.line), on_goto.reform(move |_: MouseEvent| place.clone()))
    });
    html! {
        <div class="pane-empty">
            { IconName::Error.html_with("severity-error") }
            <p class="pane-empty-title">{ "No plan" }</p>
            <p>{ words }</p>
            if let Some((words, onclick)) = go { <button type="button" class="pane-empty-button"
                {onclick}>{ words }</button> }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PlannedProps {
    plan: Same<PlanView>,
    layers: Same<Vec<LayerBadge>>,
    selected: Option<AttrValue>,
    on_goto: Callback<LocationView>,
    on_select: Callback<String>,
}

#[component]
fn Planned(props: &PlannedProps) -> Html {
    let plan = &*props.plan;
    let query = use_state(String::new);
    let open = use_reducer(Open::default);
    let follow = use_stable(&{
        let (open, on_select, plan) = (open.dispatcher(), props.on_select.clone(), props.plan.clone());
        let query = query.clone();
        Callback::from(move |address: String| {
            if plan.actions.iter().any(|action| action.address == address) {
                query.set(String::new());
                open.dispatch(OpenStep::Follow(address.clone()));
            }
            on_select.emit(address);
        })
    });
    let toggle = use_stable(&{
        let open = open.dispatcher();
        Callback::from(move |address| open.dispatch(OpenStep::Toggle(address)))
    });
    let node = use_node_ref();
    use_effect_with((open.followed().cloned(), node.clone()), |(followed, node)| {
        if let (Some((address, _)), Some(root)) = (followed, node.cast::<web_sys::Element>()) {
            action::reveal(&root, address);
        }
    });
    let nothing = plan.actions.iter().all(|action| action.action == Action::NoOp);
    html! {
        <>
            if nothing {
                { empty(IconName::Check, "Nothing to do", &as_described(plan.summary.unchanged)) }
            } else {
                <header class="plan-head">
                    <p class="plan-sentence">{ for plan_sentence(plan).into_iter().map(part) }</p>
                    { tally(plan.summary) }
                </header>
                <div class="pane-bar">
                    { filter_box(&query) }
                    <CopyButtons plan={props.plan.clone()} />
                </div>
            }
            <div class="pane-scroll plan-list" ref={node} onkeydown={Callback::from(walk)}>
                { notices(plan, &props.layers.0, &props.on_goto) }
                { for Action::BY_RISK.into_iter().map(|group| group_of(props, group, &query, &open, (&toggle, &follow))) }
                if !query.is_empty() && !plan.actions.iter().any(|action| matches(action, &query)) {
                    <p class="pane-note">{ format!("No action is about “{}”.", *query) }</p>
                }
                if plan.summary.unchanged > 0 && !nothing {
                    <p class="plan-unchanged">{ action_mark(Action::NoOp, false) }{ unchanged(plan.summary.unchanged) }</p>
                }
            </div>
        </>
    }
}

fn as_described(unchanged: usize) -> String {
    match unchanged {
        0 => "Everything matches the files.".into(),
        count => format!("Everything matches the files: {}.", self::unchanged(count)),
    }
}

fn unchanged(count: usize) -> String {
    if count == 1 { "1 resource is unchanged".into() } else { format!("{count} resources are unchanged") }
}

fn part(Part { text, action }: Part) -> Html {
    match action {
        None => html! { { text } },
        Some(action) => {
            html! { <strong class={classes!("plan-part", action_class(action), action.destroys().then_some("loud"))}>{
            text }</strong> }
        }
    }
}

/// `−1 ±1 ~0 +3`, risk first.
fn tally(summary: SummaryView) -> Html {
    html! {
        <ul class="plan-tally" aria-label="Summary">
            { for summary.by_risk().map(|(action, count)| {
                let symbol = action.words();
                html! {
                    <li class={classes!(action_class(action), (count == 0).then_some("none"))}
                        title={format!("{count} {}", symbol.word)}>
                        <span aria-hidden="true">{ format!("{}{count}", symbol.symbol) }</span>
                        <span class="visually-hidden">{ format!("{count} {}", symbol.word) }</span>
                    </li>
                }
            }) }
        </ul>
    }
}

fn filter_box(query: &UseStateHandle<String>) -> Html {
    let oninput = {
        let query = query.clone();
        Callback::from(move |event: InputEvent| {
            query.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    html! {
        <label class="pane-search">
            { IconName::Filter.html() }
            <input type="search" placeholder="Filter: web, image_hash, rebuild" aria-label="Filter the plan"
                value={(**query).clone()}
                {oninput} spellcheck="false" autocomplete="off" />
        </label>
    }
}

/// More rows than this wait for a click: nobody reads them, and they cost time to draw.
const MOST_ROWS: usize = 200;

fn group_of(
    props: &PlannedProps,
    action: Action,
    query: &str,
    open: &UseReducerHandle<Open>,
    (toggle, follow): (&Callback<String>, &Callback<String>),
) -> Html {
    let symbol = action.words();
    let actions: Vec<(usize, &ActionView)> = props
        .plan
        .actions
        .iter()
        .enumerate()
        .filter(|(_, row)| row.action == action && matches(row, query))
        .collect();
    if actions.is_empty() {
        return Html::default();
    }
    let folded = open.folds(action) && query.is_empty();
    let most = if open.shows_all(action) { usize::MAX } else { MOST_ROWS };
    let left = actions.len().saturating_sub(most);
    let dispatch = |step: OpenStep| {
        let open = open.dispatcher();
        Callback::from(move |_: MouseEvent| open.dispatch(step.clone()))
    };
    html! {
        <section key={action.as_str()} class={classes!("plan-group", action_class(action),
            action.destroys().then_some("loud"))}>
            <h3>
                <button type="button" class="plan-group-title"
                    aria-expanded={if folded { "false" } else { "true" }}
                    onclick={dispatch(OpenStep::Fold(action))}>
                    { (if folded { IconName::ChevronRight } else { IconName::ChevronDown }).html() }
                    <span class="action-symbol" aria-hidden="true">{ symbol.symbol }</span>
                    <span>{ symbol.heading }</span><span class="count">{ actions.len() }</span>
                </button>
            </h3>
            if !folded {
                <ul class="plan-rows">
                    { for actions.iter().take(most).map(|(at, row)| html! {
                        <ActionRow key={row.id.clone()} plan={props.plan.clone()} {at}
                            layers={props.layers.clone()}
                            open={open.is_open(row)}
                                selected={props.selected.as_deref() == Some(row.address.as_str())}
                            on_toggle={toggle.clone()} on_follow={follow.clone()}
                                on_goto={props.on_goto.clone()} />
                    }) }
                </ul>
                if left > 0 {
                    <button type="button" class="plan-more" onclick={dispatch(OpenStep::ShowAll(action))}>
                        { format!("Show {left} more") }
                    </button>
                }
            }
        </section>
    }
}

/// Up, Down, Home and End go from row to row.
fn walk(event: KeyboardEvent) {
    super::rove::by_key(&event, ".plan-list", ".plan-row-toggle");
}
