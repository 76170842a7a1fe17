//! Buttons that say what they do and, when they cannot, why.

use yew::prelude::*;

use crate::{Icon, IconName};

/// Properties of [`IconButton`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct IconButtonProps {
    /// What it shows.
    pub icon: IconName,
    /// What it does; also its tooltip.
    pub label: AttrValue,
    /// The key that does the same.
    #[prop_or_default]
    pub keys: Option<AttrValue>,
    /// It cannot do it now.
    #[prop_or_default]
    pub disabled: bool,
    /// It is switched on; `None` when it is not a switch.
    #[prop_or_default]
    pub pressed: Option<bool>,
    /// It opens a menu: whether that is open.
    #[prop_or_default]
    pub expanded: Option<bool>,
    /// More classes.
    #[prop_or_default]
    pub class: Classes,
    /// It was pressed.
    pub onclick: Callback<MouseEvent>,
}

/// A button that shows only an icon.
#[component]
pub fn IconButton(props: &IconButtonProps) -> Html {
    let title = match &props.keys {
        Some(keys) => format!("{} ({keys})", props.label),
        None => props.label.to_string(),
    };
    html! {
        <button type="button" class={classes!("icon-button", props.class.clone())} aria-label={props.label.clone()}
            {title} disabled={props.disabled} aria-pressed={props.pressed.map(|on| on.to_string())}
            aria-haspopup={props.expanded.map(|_| "menu")}
            aria-expanded={props.expanded.map(|open| open.to_string())} onclick={props.onclick.clone()}>
            <Icon name={props.icon} />
        </button>
    }
}

/// Properties of [`MainButton`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct MainButtonProps {
    /// What it does.
    pub label: AttrValue,
    /// Why it cannot do it now. It can be reached all the same, so that the reason can be read.
    #[prop_or_default]
    pub reason: Option<AttrValue>,
    /// It was pressed while it could do it.
    pub onclick: Callback<()>,
}

/// The one button that the page is about.
#[component]
pub fn MainButton(props: &MainButtonProps) -> Html {
    let onclick = {
        let (onclick, stopped) = (props.onclick.clone(), props.reason.is_some());
        Callback::from(move |_: MouseEvent| {
            if !stopped {
                onclick.emit(());
            }
        })
    };
    html! {
        <span class="tooltip-host">
            <button type="button" class="main-button" aria-disabled={props.reason.is_some().then_some("true")}
                aria-describedby={props.reason.is_some().then_some("main-button-reason")} {onclick}>
                { &props.label }
            </button>
            if let Some(reason) = &props.reason {
                <span class="tooltip" role="tooltip" id="main-button-reason">{ reason }</span>
            }
        </span>
    }
}
