//! The dialog that connects an adapter: its address, its token, and the reason if it fails.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::{Dialog, IconButton, IconName, dom};

/// The reason why an adapter could not be connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason, as a sentence.
    pub what: AttrValue,
    /// The remedy.
    pub help: AttrValue,
}

/// Properties of [`Connect`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ConnectProps {
    /// True while a connection attempt has no answer yet.
    pub asking: bool,
    /// The reason why the last attempt failed.
    pub refusal: Option<Refusal>,
    /// Called with address and token.
    pub on_connect: Callback<(String, String)>,
    /// It is closed.
    pub on_close: Callback<()>,
}

/// The dialog that connects an adapter.
#[component]
pub fn Connect(props: &ConnectProps) -> Html {
    let (address, token) = (use_node_ref(), use_node_ref());
    {
        let address = address.clone();
        use_effect_with((), move |()| dom::focus(&address));
    }
    let onsubmit = {
        let (address, token, props) = (address.clone(), token.clone(), props.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let text =
                |node: &NodeRef| node.cast::<HtmlInputElement>().map(|it| it.value()).unwrap_or_default();
            if !props.asking {
                props.on_connect.emit((text(&address), text(&token)));
            }
        })
    };
    let close = props.on_close.reform(|_: MouseEvent| ());
    html! {
        <Dialog label="Connect an adapter" class="connect" on_close={props.on_close.clone()}>
            <form {onsubmit}>
                <div class="dialog-head">
                    <h2>{ "Connect an adapter" }</h2>
                    { IconButton::new(IconName::Close, "Close", close.clone()).html() }
                </div>
                <div class="review-body">
                    <label class="field"><span>{ "Address" }</span>
                        <input ref={address} type="url" required=true autocomplete="off" spellcheck="false"
                            placeholder="http://127.0.0.1:7070/adapters/process" /></label>
                    <label class="field"><span>{ "Token" }</span>
                        <input ref={token} type="password" autocomplete="off" spellcheck="false"
                            aria-describedby="connect-token" /></label>
                    <p class="muted" id="connect-token">{ "Kept in this tab’s memory only: after a reload \
                     you have to enter it again." }</p>
                    <div role="alert">
                        if let Some(Refusal { what, help }) = props.refusal.as_ref().filter(|_| !props.asking) {
                            <div class="connect-refusal">
                                { IconName::Error.html() }
                                <div><p><strong>{ what }</strong></p><p>{ help }</p></div>
                            </div>
                        }
                    </div>
                    if props.asking { <p role="status" class="muted">{ "Connecting" }</p> }
                </div>
                <div class="dialog-foot">
                    <button type="button" class="button" onclick={close}>{ "Cancel" }</button>
                    <button type="submit" class="main-button" aria-disabled={props.asking.then_some("true")}>{ "Connect" }</button>
                </div>
            </form>
        </Dialog>
    }
}
