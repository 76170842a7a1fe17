//! The dialog that makes a chosen state file the current state, so that a plan against it can be applied.

use yew::prelude::*;

use crate::{Dialog, IconButton, IconName, views::prose::prose};
use workspace::view::words::count;

/// Properties of [`UseState`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct UseStateProps {
    /// The name of the file.
    pub file: AttrValue,
    /// The number of resources that the file records.
    pub resources: usize,
    /// The number of resources that the current state records; `None` if nothing was applied yet.
    pub replaced: Option<usize>,
    /// The target of an apply; `None` for the simulator.
    pub target: Option<AttrValue>,
    /// Called when the file is to be used; with `true`, the simulator gets the recorded resources, too.
    pub on_use: Callback<bool>,
    /// Called when the dialog is closed without an effect.
    pub on_close: Callback<()>,
}

/// The dialog that makes a chosen state file the current state.
#[component]
pub fn UseState(props: &UseStateProps) -> Html {
    let close = props.on_close.reform(|_: MouseEvent| ());
    let press = |simulate| props.on_use.reform(move |_: MouseEvent| simulate);
    let recorded = count(props.resources, "resource");
    html! {
        <Dialog label="Use this state" class="review use-state" on_close={props.on_close.clone()}>
            <div class="dialog-head">
                <h2>{ "Use this state" }</h2>
                { IconButton::new(IconName::Close, "Close", close.clone()).html() }
            </div>
            <div class="review-body">
                <p class="review-where">{ prose(&format!(
                    "This plan is made against `{}`, which records {recorded}. It can be applied once that is the \
                     current state of this browser.", props.file)) }</p>
                if let Some(replaced) = props.replaced {
                    <p class="muted">{ format!(
                        "It replaces the current state, which records {}. That one remains in the history of the State view.",
                        count(replaced, "resource")) }</p>
                }
                { consequence(props) }
            </div>
            <div class="dialog-foot">
                <button type="button" class="button" onclick={close}>{ "Cancel" }</button>
                if props.target.is_some() {
                    <button type="button" class="main-button" onclick={press(false)}>{ "Use as current state" }</button>
                } else {
                    <button type="button" class="button" onclick={press(false)}>{ "Start empty" }</button>
                    <button type="button" class="main-button" onclick={press(true)}>{ "Import the recorded resources" }</button>
                }
            </div>
        </Dialog>
    }
}

fn consequence(props: &UseStateProps) -> Html {
    match &props.target {
        Some(target) => html! {
            <p>{ format!("What it records is then compared with what exists at {target}.") }</p>
        },
        None => html! {
            <p>{ "The simulator can start with these resources, as they are recorded, and then show what the plan does \
                  with them. If it starts empty, they are missing, and the plan creates them again." }</p>
        },
    }
}
