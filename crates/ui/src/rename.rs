//! The dialog that renames a resource or a part of one, in all files.

use web_sys::HtmlInputElement;
use workspace::view::RenameView;
use yew::prelude::*;

use crate::{Dialog, IconButton, IconName, dom};

/// What a new name would do.
#[derive(Clone, Debug, PartialEq)]
pub enum RenamePreview {
    /// It is the present one, or not known yet.
    Nothing,
    /// It would edit this.
    Edits(RenameView),
    /// It cannot be given: why.
    Refused(AttrValue),
}

/// Properties of [`Rename`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct RenameProps {
    /// The address of what is renamed.
    pub address: AttrValue,
    /// What the name in the field would do.
    pub preview: RenamePreview,
    /// Called with each name that is written.
    pub on_name: Callback<String>,
    /// Called when the previewed edits are to be made.
    pub on_rename: Callback<RenameView>,
    /// It is closed without anything done.
    pub on_close: Callback<()>,
}

/// The dialog that renames something.
#[component]
pub fn Rename(props: &RenameProps) -> Html {
    let field = use_node_ref();
    let name = props.address.split_once('.').map_or(&*props.address, |(_, name)| name).to_owned();
    {
        let field = field.clone();
        use_effect_with((), move |()| {
            dom::focus(&field);
            field.cast::<HtmlInputElement>().into_iter().for_each(|field| field.select());
        });
    }
    let oninput = props.on_name.reform(|event: InputEvent| {
        event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
    });
    let onsubmit = {
        let props = props.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let RenamePreview::Edits(edits) = &props.preview {
                props.on_rename.emit(edits.clone());
            }
        })
    };
    let close = props.on_close.reform(|_: MouseEvent| ());
    let can_rename = matches!(props.preview, RenamePreview::Edits(_));
    html! {
        <Dialog label={format!("Rename {}", props.address)} class="connect rename" on_close={props.on_close.clone()}>
            <form {onsubmit}>
                <div class="dialog-head">
                    <h2>{ format!("Rename {}", props.address) }</h2>
                    { IconButton::new(IconName::Close, "Close", close.clone()).html() }
                </div>
                <div class="review-body">
                    <label class="field"><span>{ "New name" }</span>
                        <input ref={field} type="text" value={name} autocomplete="off" spellcheck="false"
                            aria-describedby="rename-preview" {oninput} /></label>
                    <div id="rename-preview" role="status">{ preview(&props.preview) }</div>
                </div>
                <div class="dialog-foot">
                    <button type="button" class="button" onclick={close}>{ "Cancel" }</button>
                    <button type="submit" class="main-button" aria-disabled={(!can_rename).then_some("true")}>{ "Rename" }</button>
                </div>
            </form>
        </Dialog>
    }
}

fn preview(preview: &RenamePreview) -> Html {
    match preview {
        RenamePreview::Nothing => {
            html! { <p class="muted">{ "Every reference to it is renamed too, in all files." }</p> }
        }
        RenamePreview::Refused(why) => html! { <p class="severity-error">{ why }</p> },
        RenamePreview::Edits(edits) => html! {
            <>
                <p>{ format!("Changes {}.", edits.summary) }</p>
                if edits.moved {
                    <p class="muted">{ "It is recorded in the state. A moved record is added, so that it is renamed there \
                                        instead of destroyed and created again." }</p>
                }
            </>
        },
    }
}
