//! Errors of the machine: what happened, what is safe, what to do.

use yew::prelude::*;

use crate::{IconButton, IconName};

/// Something about the machine.
#[derive(Clone, Debug)]
pub struct MachineBar {
    /// What happened.
    pub what: AttrValue,
    /// What is safe.
    pub safe: AttrValue,
    /// It is news, not a failure.
    pub calm: bool,
    /// What can be done: the words of the buttons, and what they do.
    pub actions: Vec<(AttrValue, Callback<()>)>,
    /// It was read; `None` when it must be dealt with.
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
