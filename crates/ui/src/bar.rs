//! Errors of the machine: what happened, what is safe, what to do.

use yew::prelude::*;

use crate::{Icon, IconButton, IconName};

/// Properties of [`MachineBar`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct MachineBarProps {
    /// What happened.
    pub what: AttrValue,
    /// What is safe.
    pub safe: AttrValue,
    /// It is news, not a failure.
    #[prop_or_default]
    pub calm: bool,
    /// What can be done: the words of the buttons, and what they do.
    pub actions: Vec<(AttrValue, Callback<()>)>,
    /// It was read; `None` when it must be dealt with.
    #[prop_or_default]
    pub on_close: Option<Callback<()>>,
}

/// A bar below the top bar.
#[component]
pub fn MachineBar(props: &MachineBarProps) -> Html {
    let (class, role, icon) = if props.calm {
        ("machine-bar calm", "status", IconName::Share)
    } else {
        ("machine-bar", "alert", IconName::Warning)
    };
    html! {
        <div {class} {role}>
            <Icon name={icon} />
            <p><strong>{ &props.what }</strong>{ " " }{ &props.safe }</p>
            { for props.actions.iter().map(|(label, run)| html! {
                <button type="button" class="button" onclick={run.reform(|_: MouseEvent| ())}>{ label }</button>
            }) }
            if let Some(on_close) = &props.on_close {
                <IconButton icon={IconName::Close} label="Dismiss" onclick={on_close.reform(|_: MouseEvent| ())} />
            }
        </div>
    }
}
