//! The dialog that renames a resource or a part of one, in all files.

use web_sys::HtmlInputElement;
use workspace::view::RenameView;
use yew::prelude::*;

use crate::{Dialog, IconButton, IconName, dom};

/// The effect of a new name.
#[derive(Clone, Debug, PartialEq)]
pub enum RenamePreview {
    /// It is the present one, or not known yet.
    Nothing,
    /// It would edit this.
    Edits(RenameView),
    /// The name is refused: the reason.
    Refused(AttrValue),
}

/// Properties of [`Rename`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct RenameProps {
    /// The address of the resource to rename.
    pub address: AttrValue,
    /// The effect of the name in the field.
    pub preview: RenamePreview,
    /// Called with each name that is written.
    pub on_name: Callback<String>,
    /// Called when the previewed edits are to be made.
    pub on_rename: Callback<RenameView>,
    /// It is closed without anything done.
    pub on_close: Callback<()>,
}

/// The dialog that renames a resource.
#[component]
pub fn Rename(props: &RenameProps) -> Html {
    let field = use_node_ref();
    let name = props.address.split_once('.').map_or(&*props.address, |(_, name)| name).to_owned();
    // Enter was pressed before it was known what the name does.
    let is_waiting = use_mut_ref(|| false);
    // The text is set once: as a property, each preview would put the old name over what is being typed.
    {
        let field = field.clone();
        use_effect_with((), move |()| {
            dom::focus(&field);
            if let Some(field) = field.cast::<HtmlInputElement>() {
                field.set_value(&name);
                field.select();
            }
        });
    }
    let rename = {
        let (field, props) = (field.clone(), props.clone());
        move || match &props.preview {
            RenamePreview::Edits(edits) if is_of(edits, &field) => {
                props.on_rename.emit(edits.clone());
                true
            }
            _ => false,
        }
    };
    {
        let (rename, is_waiting) = (rename.clone(), is_waiting.clone());
        use_effect_with(props.preview.clone(), move |_| {
            if is_waiting.take() && !rename() {
                is_waiting.replace(true);
            }
        });
    }
    let oninput = {
        let (on_name, is_waiting) = (props.on_name.clone(), is_waiting.clone());
        Callback::from(move |event: InputEvent| {
            is_waiting.replace(false);
            on_name.emit(
                event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default(),
            );
        })
    };
    let onsubmit = Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        let is_done = rename();
        is_waiting.replace(!is_done);
    });
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
                        <input ref={field} type="text" autocomplete="off" spellcheck="false"
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

/// True if edits are those of the name in the field: a preview of an earlier one may still be shown.
fn is_of(edits: &RenameView, field: &NodeRef) -> bool {
    let name = field.cast::<HtmlInputElement>().map(|field| field.value());
    name.is_some_and(|name| edits.to.split_once('.').is_some_and(|(_, to)| to == name))
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
