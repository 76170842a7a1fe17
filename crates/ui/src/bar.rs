//! Bars about errors of the machine: the event, the data that is safe, and the possible actions.

use yew::prelude::*;

use crate::{IconButton, IconName};

/// Something about the machine.
#[derive(Clone, Debug)]
pub struct MachineBar {
    /// The event, as a sentence.
    pub what: AttrValue,
    /// The data that is not affected by the event, as a sentence.
    pub safe: AttrValue,
    /// True if it is news, false if it is a failure.
    pub calm: bool,
    /// The possible actions: the labels of the buttons and their callbacks.
    pub actions: Vec<(AttrValue, Callback<()>)>,
    /// Called when the bar is dismissed; `None` if it stays until one of the actions is taken.
    pub on_close: Option<Callback<()>>,
}

/// A bar below the top bar.
pub fn machine_bar(bar: &MachineBar) -> Html {
    let (class, role, icon) = if bar.calm {
        ("machine-bar calm", "status", IconName::Share)
    } else {
        ("machine-bar", "alert", IconName::Warning)
    };
    html! {
        <div {class} {role}>
            { icon.html() }
            <p><strong>{ &bar.what }</strong>{ " " }{ &bar.safe }</p>
            { for bar.actions.iter().map(|(label, run)| html! {
                <button type="button" class="button" onclick={run.reform(|_: MouseEvent| ())}>{ label }</button>
            }) }
            if let Some(on_close) = &bar.on_close {
                { IconButton::new(IconName::Close, "Dismiss", on_close.reform(|_: MouseEvent| ())).html() }
            }
        </div>
    }
}
