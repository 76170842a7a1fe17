//! The Controllers pane: who works for whom in a runtime, drawn and in words, with what they work on.

mod adding;
mod canvas;
mod drawing;
mod field;
mod list;
mod moved;
mod read;
mod resources;
mod snapshot;
mod words;

use std::rc::Rc;
use workspace::view::GraphFormat;

use yew::prelude::*;

pub use self::snapshot::{ControllerItem, EdgeItem, KindItem, LintItem, Place, ResourceItem, Snapshot, Way};
use self::{
    canvas::{Canvas, legend},
    list::{lints, list},
    resources::table,
};
use super::Same;
use crate::IconName;

/// What a person does with the controllers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControllersEvent {
    /// A number says this from now on, whether there was one or not.
    Put {
        /// Which.
        id: String,
        /// What it says.
        number: i64,
    },
    /// A number shall go.
    Remove {
        /// Which.
        id: String,
    },
    /// The runtime shall run, or stop.
    Run(bool),
    /// The graph is to be copied as `mermaid` or `dot`.
    Copy(GraphFormat),
    /// What could not be started is to be started again.
    Retry,
}

/// How far the runtime is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ControllersState {
    /// It is being loaded.
    #[default]
    Starting,
    /// It cannot be had, for this reason.
    Failed(AttrValue),
    /// This is how it is.
    Live(Rc<Snapshot>),
}

/// Properties of [`ControllersPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ControllersPaneProps {
    /// How far the runtime is.
    pub state: ControllersState,
    /// Why the last change was refused.
    #[prop_or_default]
    pub refused: Option<AttrValue>,
    /// Called with what a person does.
    pub on_event: Callback<ControllersEvent>,
}

/// The controllers.
#[component]
pub fn ControllersPane(props: &ControllersPaneProps) -> Html {
    let body = match &props.state {
        ControllersState::Starting => html! {
            <div class="pane-empty pane-waiting" aria-busy="true" role="status"><p>{ "Starting the controllers" }</p></div>
        },
        ControllersState::Failed(reason) => failed(reason, &props.on_event),
        ControllersState::Live(snapshot) => live(snapshot, props),
    };
    html! { <section class="controllers pane" aria-label="Controllers">{ body }</section> }
}

fn failed(reason: &AttrValue, on_event: &Callback<ControllersEvent>) -> Html {
    html! {
        <div class="pane-empty" role="alert">
            { IconName::Warning.html() }
            <p class="pane-empty-title">{ "The controllers are not available" }</p>
            <p>{ reason }</p>
            <button type="button" class="pane-empty-button"
                onclick={on_event.reform(|_: MouseEvent| ControllersEvent::Retry)}>{ "Try again" }</button>
        </div>
    }
}

fn live(snapshot: &Rc<Snapshot>, props: &ControllersPaneProps) -> Html {
    let (own, others): (Vec<_>, Vec<_>) = snapshot.kinds.iter().partition(|kind| kind.editable);
    let tables = |kinds: Vec<_>| -> Html {
        kinds.into_iter().map(|kind| table(kind, props.refused.as_ref(), &props.on_event)).collect()
    };
    html! {
        <>
            { bar(snapshot.running, &props.on_event) }
            <div class="pane-scroll controllers-scroll" tabindex="0" role="region" aria-label="The running graph">
                <p class="controllers-intro">
                    { "The example chain: edit a number and watch it pass through. " }
                    <span class="muted">{ "Plans are applied by controllers on the same runtime: Plan and \
                     State show them." }</span>
                </p>
                if snapshot.controllers.is_empty() {
                    <p class="pane-note">{ "No controllers are registered. Their inputs and outputs are \
                     drawn here." }</p>
                }
                <div class="controllers-columns">
                    <div class="controllers-own">{ tables(own) }</div>
                    <div class="controllers-graph">
                        { lints(&snapshot.lints) }
                        <Canvas snapshot={Same(snapshot.clone())} />
                        { legend(snapshot) }
                    </div>
                    <div class="controllers-rest">{ list(snapshot) }{ tables(others) }</div>
                </div>
            </div>
        </>
    }
}

fn bar(running: bool, on_event: &Callback<ControllersEvent>) -> Html {
    let (icon, label, title) = if running {
        (IconName::Stop, "Stop", "Stop the runtime: no controller runs, and nothing is lost")
    } else {
        (IconName::Play, "Start", "Start a runtime on the same store: it resumes the pending work")
    };
    let copy = |format: GraphFormat, label: &'static str| {
        let onclick = on_event.reform(move |_: MouseEvent| ControllersEvent::Copy(format));
        html! {
            <button type="button" class="quiet-button" {onclick} aria-label={format!("Copy the graph as {label}")}
                title={format!("Copy the graph as {label}")}>{ IconName::Copy.html() }<span>{ label }</span></button>
        }
    };
    html! {
        <div class="pane-bar">
            <span class={classes!("controllers-lamp", if running { "doing-running" } else { "doing-stopped" })}
                aria-hidden="true" />
            <span role="status">{ if running { "The runtime runs" } else { "The runtime is stopped" } }</span>
            <button type="button" class="quiet-button" {title}
                onclick={on_event.reform(move |_: MouseEvent| ControllersEvent::Run(!running))}>
                { icon.html() }<span>{ label }</span>
            </button>
            <span class="pane-bar-space" />
            { copy(GraphFormat::Mermaid, "Mermaid") }
            { copy(GraphFormat::Dot, "DOT") }
        </div>
    }
}
