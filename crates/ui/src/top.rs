//! The top bar: what this is, how it is, what can be done.

use workspace::view::SummaryView;
use yew::prelude::*;

use crate::{
    Icon, IconButton, IconName, MainButton, PlanChip, ProblemsChip, StateChip, StateSign, Theme, dom::chord,
};

/// What a person does in the top bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopEvent {
    /// Shows the problems.
    Problems,
    /// Shows the plan.
    Plan,
    /// Shows the state.
    State,
    /// Opens the commands.
    Palette,
    /// Makes a link.
    Share,
    /// Switches the colours.
    Theme,
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
    /// Presses the main button.
    Main,
}

/// Properties of [`TopBar`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct TopBarProps {
    /// The deployment's name; empty when there is none.
    pub deployment: AttrValue,
    /// How many errors; `None` before anything was checked.
    pub errors: Option<usize>,
    /// How many warnings.
    pub warnings: usize,
    /// The plan's counts.
    pub summary: Option<SummaryView>,
    /// The plan is older than the text.
    pub plan_stale: bool,
    /// How what is desired stands to what is.
    pub sign: StateSign,
    /// The colours.
    pub theme: Theme,
    /// What undo would take back.
    pub undoes: Option<AttrValue>,
    /// What redo would make again.
    pub redoes: Option<AttrValue>,
    /// What the main button does.
    pub main: AttrValue,
    /// Why it cannot.
    pub main_reason: Option<AttrValue>,
    /// Something is done.
    pub on_event: Callback<TopEvent>,
}

/// The top bar.
#[component]
pub fn TopBar(props: &TopBarProps) -> Html {
    let emit = |event: TopEvent| props.on_event.reform(move |_: MouseEvent| event);
    html! {
        <header class="top">
            <span class="top-mark"><Icon name={IconName::Mark} /></span>
            <h1 class="top-name">
                <span class="top-product">{ "Planloom" }</span>
                if !props.deployment.is_empty() {
                    <span class="top-slash" aria-hidden="true">{ "/" }</span>
                    <span class="top-deployment">{ &props.deployment }</span>
                }
            </h1>
            <div class="chips" role="group" aria-label="Status">
                <ProblemsChip errors={props.errors} warnings={props.warnings} onclick={emit(TopEvent::Problems)} />
                <PlanChip summary={props.summary.clone()} stale={props.plan_stale} onclick={emit(TopEvent::Plan)} />
                <StateChip sign={props.sign.clone()} onclick={emit(TopEvent::State)} />
            </div>
            <div class="top-actions">
                <IconButton icon={IconName::Undo} class="top-undo" label={label("Undo", &props.undoes)}
                    disabled={props.undoes.is_none()} onclick={emit(TopEvent::Undo)} />
                <IconButton icon={IconName::Redo} class="top-undo" label={label("Redo", &props.redoes)}
                    disabled={props.redoes.is_none()} onclick={emit(TopEvent::Redo)} />
                <button type="button" class="top-command" title="Commands" aria-haspopup="dialog"
                    onclick={emit(TopEvent::Palette)}>
                    <Icon name={IconName::Search} />
                    <span class="top-command-word">{ "Commands" }</span>
                    <kbd>{ chord("K") }</kbd>
                </button>
                <IconButton icon={IconName::Share} class="top-share" label="Copy a link to this workspace"
                    onclick={emit(TopEvent::Share)} />
                <IconButton icon={props.theme.icon()} label={format!("Colours: {}", props.theme.id())}
                    onclick={emit(TopEvent::Theme)} />
                <MainButton label={props.main.clone()} reason={props.main_reason.clone()}
                    onclick={props.on_event.reform(|()| TopEvent::Main)} />
            </div>
        </header>
    }
}

fn label(verb: &'static str, what: &Option<AttrValue>) -> String {
    match what {
        Some(what) => format!("{verb} {what}"),
        None => verb.into(),
    }
}
