//! A window over the page: the browser's own, so the focus stays in it and Escape closes it.

use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// Properties of [`Dialog`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct DialogProps {
    /// Its name, for assistive technology.
    pub label: AttrValue,
    /// More classes.
    #[prop_or_default]
    pub class: Classes,
    /// It was closed by Escape or a press beside it.
    pub on_close: Callback<()>,
    /// Its content.
    pub children: Html,
}

/// A modal dialog: shown as long as it is there.
#[component]
pub fn Dialog(props: &DialogProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let dialog = node.cast::<HtmlDialogElement>();
            if let Some(dialog) = dialog.as_ref().filter(|dialog| !dialog.open()) {
                let _ = dialog.show_modal();
            }
            move || {
                if let Some(dialog) = dialog.filter(HtmlDialogElement::open) {
                    dialog.close();
                }
            }
        });
    }
    let oncancel = {
        let on_close = props.on_close.clone();
        Callback::from(move |event: Event| {
            event.prevent_default();
            on_close.emit(());
        })
    };
    // The dialog itself is hit only on its backdrop: its content covers the rest.
    let onpointerdown = {
        let (on_close, node) = (props.on_close.clone(), node.clone());
        Callback::from(move |event: PointerEvent| {
            if node.get().is_some_and(|dialog| event.target_dyn_into::<web_sys::Node>() == Some(dialog)) {
                on_close.emit(());
            }
        })
    };
    html! {
        <dialog ref={node} class={classes!("dialog", props.class.clone())} aria-label={props.label.clone()}
            {oncancel} {onpointerdown}>
            <div class="dialog-body">{ props.children.clone() }</div>
        </dialog>
    }
}
