//! The Controllers pane: the controllers of a runtime and the kinds they read and write, drawn and in words.

mod canvas;
mod drawing;
mod list;
mod moved;
mod read;
mod snapshot;
mod words;

use std::rc::Rc;
use workspace::view::GraphFormat;

use yew::prelude::*;

pub use self::snapshot::{ControllerItem, EdgeItem, KindItem, LintItem, Place, Snapshot, Way};
use self::{
    canvas::{Canvas, legend},
    list::{lints, list},
};
use super::Same;
use crate::IconName;

/// A user's action in the Controllers pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControllersEvent {
    /// The graph is to be copied as `mermaid` or `dot`.
    Copy(GraphFormat),
    /// Tries again to start the controllers that could not be started.
    Retry,
}

/// The loading state of the controllers.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ControllersState {
    /// They are being loaded.
    #[default]
    Starting,
    /// There is nothing that they could apply.
    Nothing,
    /// They cannot be had, for this reason.
    Failed(AttrValue),
    /// This is how they are.
    Live(Rc<Snapshot>),
}

/// Properties of [`ControllersPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ControllersPaneProps {
    /// The loading state of the controllers.
    pub state: ControllersState,
    /// Called with the user's action.
    pub on_event: Callback<ControllersEvent>,
}

/// The controllers.
#[component]
pub fn ControllersPane(props: &ControllersPaneProps) -> Html {
    let body = match &props.state {
        ControllersState::Starting => html! {
            <div class="pane-empty pane-waiting" aria-busy="true" role="status"><p>{ "Starting the controllers" }</p></div>
        },
        ControllersState::Nothing => html! {
            <div class="pane-empty">
                { IconName::Controllers.html() }
                <p class="pane-empty-title">{ "Nothing is applied" }</p>
                <p>{ "Add descriptors without errors: what observes, plans and applies them is shown here." }</p>
            </div>
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
    html! {
        <>
            { bar(snapshot.running, &props.on_event) }
            <div class="pane-scroll controllers-scroll" tabindex="0" role="region" aria-label="The running controllers">
                <p class="controllers-intro">
                    { "These controllers plan and apply this workspace. Each reads and writes only the kinds that it is connected to." }
                </p>
                <div class="controllers-columns">
                    <div class="controllers-rest">{ list(snapshot) }</div>
                    <div class="controllers-graph">
                        { lints(&snapshot.lints) }
                        <Canvas snapshot={Same(snapshot.clone())} />
                        { legend(snapshot) }
                    </div>
                </div>
            </div>
        </>
    }
}

fn bar(running: bool, on_event: &Callback<ControllersEvent>) -> Html {
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
            <span role="status">{ if running { "The runtime is running" } else { "The runtime is stopped" } }</span>
            <span class="pane-bar-space" />
            { copy(GraphFormat::Mermaid, "Mermaid") }
            { copy(GraphFormat::Dot, "DOT") }
        </div>
    }
}
