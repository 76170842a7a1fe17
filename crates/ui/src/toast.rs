//! Short messages about the last action.

use gloo::timers::callback::Timeout;
use yew::prelude::*;

use crate::{IconButton, IconName, dom};

/// A short message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToastView {
    /// Its identity.
    pub id: u64,
    /// Its text.
    pub text: AttrValue,
    /// True if the last change can be undone from here.
    pub undo: bool,
}

/// Properties of [`Toasts`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ToastsProps {
    /// Oldest first.
    pub toasts: Vec<ToastView>,
    /// One was read or is over.
    pub on_close: Callback<u64>,
    /// The last change is to be undone.
    pub on_undo: Callback<()>,
}

/// The newest message, one at a time; read out politely. The message that it covers is shown again when it goes.
#[component]
pub fn Toasts(props: &ToastsProps) -> Html {
    dom::note_drawn("Toasts");
    html! {
        <div class="toasts" role="status" aria-live="polite">
            { for props.toasts.last().into_iter().map(|toast| html! {
                <Toast key={toast.id} toast={toast.clone()} on_close={props.on_close.clone()}
                    on_undo={props.on_undo.clone()} />
            }) }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ToastProps {
    toast: ToastView,
    on_close: Callback<u64>,
    on_undo: Callback<()>,
}

#[component]
fn Toast(props: &ToastProps) -> Html {
    const SHOWN: u32 = 7_000;
    let ToastView { id, text, undo } = props.toast.clone();
    let held = use_state_eq(|| false);
    {
        let on_close = props.on_close.clone();
        use_effect_with(*held, move |held| {
            let timer = (!held).then(|| Timeout::new(SHOWN, move || on_close.emit(id)));
            move || drop(timer)
        });
    }
    let hold = |on: bool| {
        let held = held.setter();
        move || held.set(on)
    };
    let (over, out, focus, blur) = (hold(true), hold(false), hold(true), hold(false));
    let undo_it = {
        let (on_undo, on_close) = (props.on_undo.clone(), props.on_close.clone());
        Callback::from(move |_: MouseEvent| {
            on_close.emit(id);
            on_undo.emit(());
        })
    };
    html! {
        <div class="toast" onmouseenter={move |_| over()} onmouseleave={move |_| out()} onfocusin={move |_| focus()}
            onfocusout={move |_| blur()}>
            <span class="toast-text">{ text }</span>
            if undo { <button type="button" class="toast-undo" onclick={undo_it}>{ "Undo" }</button> }
            { IconButton::new(IconName::Close, "Dismiss", props.on_close.reform(move |_| id)).html() }
        </div>
    }
}
