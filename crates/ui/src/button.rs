//! Buttons with labels for their actions and, when they are disabled, reasons.

use yew::prelude::*;

use crate::IconName;

/// A button that shows only an icon.
#[derive(Clone, Debug)]
pub struct IconButton {
    icon: IconName,
    label: AttrValue,
    disabled: bool,
    pressed: Option<bool>,
    expanded: Option<bool>,
    class: &'static str,
    onclick: Callback<MouseEvent>,
}

impl IconButton {
    /// A button whose label names its action; the label is also its tooltip.
    pub fn new(icon: IconName, label: impl Into<AttrValue>, onclick: Callback<MouseEvent>) -> Self {
        let label = label.into();
        Self { icon, label, disabled: false, pressed: None, expanded: None, class: "", onclick }
    }

    /// One more class.
    #[must_use]
    pub const fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// It cannot do it now.
    #[must_use]
    pub const fn disabled(mut self, disabled: bool) -> Self {
        self.disabled = disabled;
        self
    }

    /// Makes it a toggle button: true if it is on.
    #[must_use]
    pub const fn pressed(mut self, on: bool) -> Self {
        self.pressed = Some(on);
        self
    }

    /// Makes it a menu button: true if the menu is open.
    #[must_use]
    pub const fn expanded(mut self, open: bool) -> Self {
        self.expanded = Some(open);
        self
    }

    /// The button.
    pub fn html(self) -> Html {
        html! {
            <button type="button" class={classes!("icon-button", self.class)} aria-label={self.label.clone()}
                title={self.label} disabled={self.disabled} aria-pressed={self.pressed.map(|on| on.to_string())}
                aria-haspopup={self.expanded.map(|_| "menu")}
                aria-expanded={self.expanded.map(|open| open.to_string())} onclick={self.onclick}>
                { self.icon.html() }
            </button>
        }
    }
}

/// The one button that the page is about. With a reason it cannot do it now; it can be reached all the same, so that
/// the reason can be read.
pub fn main_button(label: &AttrValue, loud: bool, reason: Option<&AttrValue>, onclick: Callback<()>) -> Html {
    let stopped = reason.is_some();
    let onclick = Callback::from(move |_: MouseEvent| {
        if !stopped {
            onclick.emit(());
        }
    });
    html! {
        <span class="tooltip-host">
            <button type="button" class={classes!("main-button", loud.then_some("danger"))} aria-disabled={stopped.then_some("true")}
                aria-describedby={stopped.then_some("main-button-reason")} {onclick}>
                { label }
            </button>
            if let Some(reason) = reason {
                <span class="tooltip" role="tooltip" id="main-button-reason">{ reason }</span>
            }
        </span>
    }
}
