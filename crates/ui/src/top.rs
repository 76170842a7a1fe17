//! The top bar: the deployment, its status and the available actions.

use workspace::view::SummaryView;
use yew::prelude::*;

use crate::{
    IconButton, IconName, StateSign, Target, Theme,
    button::main_button,
    chips::{LastRun, PlanAge, Problems, blank_chip, plan_chip, problems_chip, state_chip},
    dom::{chord, note_drawn},
    target::target_chip,
};

/// An action of the user in the top bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopEvent {
    /// Shows the problems.
    Problems,
    /// Shows the plan.
    Plan,
    /// Shows the state.
    State,
    /// Shows the target of an apply.
    Target,
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
    /// True if nothing is written yet.
    pub blank: bool,
    /// The number of errors; `None` before the first check.
    pub errors: Option<usize>,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of errors that prevent a plan.
    pub blocking: usize,
    /// The outcome of the last run, until something is planned or applied again.
    pub run: LastRun,
    /// The plan's counts.
    pub summary: Option<SummaryView>,
    /// The version of the text that the plan was made from.
    pub plan_age: PlanAge,
    /// The relation of the desired state to the recorded and the observed state.
    pub sign: StateSign,
    /// The target of an apply.
    pub target: Target,
    /// The colours.
    pub theme: Theme,
    /// The change that undo would take back, if there is one.
    pub undoes: Option<AttrValue>,
    /// The change that redo would make again, if there is one.
    pub redoes: Option<AttrValue>,
    /// The label of the main button.
    pub main: AttrValue,
    /// True if the action of the main button is dangerous.
    pub main_loud: bool,
    /// The reason that the main button is disabled, if it is.
    pub main_reason: Option<AttrValue>,
    /// Called with each action of the user.
    pub on_event: Callback<TopEvent>,
}

/// The top bar.
#[component]
pub fn TopBar(bar: &TopBarProps) -> Html {
    note_drawn("TopBar");
    let emit = |event: TopEvent| bar.on_event.reform(move |_: MouseEvent| event);
    html! {
        <header class="top">
            <span class="top-mark">{ IconName::Mark.html() }</span>
            <h1 class="top-name">
                <span class="top-product">{ "Planloom" }</span>
                if !bar.deployment.is_empty() {
                    <span class="top-slash" aria-hidden="true">{ "/" }</span>
                    <span class="top-deployment">{ &bar.deployment }</span>
                }
            </h1>
            <div class="chips" role="group" aria-label="Status">
                if bar.blank {
                    { blank_chip(emit(TopEvent::Problems)) }
                } else {
                    { problems_chip(&Problems::of(bar), emit(problems(bar))) }
                }
                { plan_chip(bar.summary.as_ref(), bar.plan_age, emit(TopEvent::Plan)) }
                { state_chip(&bar.sign, emit(TopEvent::State)) }
                { target_chip(&bar.target, emit(TopEvent::Target)) }
            </div>
            <div class="top-actions">
                { undo(IconName::Undo, "top-undo", "Undo", &bar.undoes, emit(TopEvent::Undo)) }
                { undo(IconName::Redo, "top-redo", "Redo", &bar.redoes, emit(TopEvent::Redo)) }
                <button type="button" class="top-command" title="Commands" aria-haspopup="dialog"
                    onclick={emit(TopEvent::Palette)}>
                    { IconName::Search.html() }
                    <span class="top-command-word">{ "Commands" }</span>
                    <kbd>{ chord("K") }</kbd>
                </button>
                { IconButton::new(IconName::Share, "Copy a link to this workspace", emit(TopEvent::Share))
                    .class("top-share").html() }
                { IconButton::new(bar.theme.icon(), format!("Colours: {}", bar.theme.id()), emit(TopEvent::Theme))
                    .class("top-theme").html() }
                { main_button(&bar.main, bar.main_loud, bar.main_reason.as_ref(), bar.on_event.reform(|()| TopEvent::Main)) }
            </div>
        </header>
    }
}

impl Problems {
    fn of(bar: &TopBarProps) -> Self {
        let TopBarProps { errors, warnings, blocking, run, .. } = *bar;
        Self { errors, warnings, blocking, run }
    }
}

/// The destination of the first chip: the problems, or the report of a run that failed without any in the files.
fn problems(bar: &TopBarProps) -> TopEvent {
    let is_clean = bar.errors == Some(0) && bar.warnings == 0;
    if bar.run != LastRun::Fine && is_clean { TopEvent::Plan } else { TopEvent::Problems }
}

/// The undo or redo button, with the change that it takes back or makes again.
fn undo(
    icon: IconName,
    class: &'static str,
    verb: &'static str,
    what: &Option<AttrValue>,
    onclick: Callback<MouseEvent>,
) -> Html {
    let label = what.as_ref().map_or_else(|| verb.to_owned(), |what| format!("{verb} {what}"));
    IconButton::new(icon, label, onclick).class(class).disabled(what.is_none()).html()
}
