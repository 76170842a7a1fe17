//! The dialog with the workspaces of this browser.

use web_sys::HtmlInputElement;
use workspace::view::words::count;
use yew::prelude::*;

use crate::{Dialog, IconButton, IconName};

/// A workspace of this browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceItem {
    /// Its identity.
    pub id: u32,
    /// Its name.
    pub name: AttrValue,
    /// The number of its files.
    pub files: usize,
    /// True if it is the one on this page.
    pub is_open: bool,
}

/// An action of the user on workspaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkspacesEvent {
    /// Opens one in this tab.
    Open(u32),
    /// Makes one, and opens it: empty, or as a copy of the one on this page.
    New {
        /// Its name.
        name: String,
        /// True if it is a copy.
        copy: bool,
    },
    /// Gives one another name.
    Rename(u32, String),
    /// Deletes one, for good.
    Delete(u32),
}

/// Properties of [`Workspaces`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct WorkspacesProps {
    /// All of them.
    pub items: Vec<WorkspaceItem>,
    /// Called with each action of the user.
    pub on_event: Callback<WorkspacesEvent>,
    /// Called when the dialog is to be closed.
    pub on_close: Callback<()>,
}

/// All workspaces, and a field for a new one.
#[component]
pub fn Workspaces(props: &WorkspacesProps) -> Html {
    let close = props.on_close.reform(|_: MouseEvent| ());
    html! {
        <Dialog label="Workspaces" class="connect workspaces" on_close={props.on_close.clone()}>
            <div class="dialog-head">
                <h2>{ "Workspaces" }</h2>
                { IconButton::new(IconName::Close, "Close", close).html() }
            </div>
            <p class="workspaces-note">{ "Kept in this browser, each with its files, layers and environments." }</p>
            <ul class="workspaces-list">
                { for props.items.iter().map(|item| html! {
                    <Item key={item.id} item={item.clone()} on_event={props.on_event.clone()} />
                }) }
            </ul>
            <New on_event={props.on_event.clone()} />
        </Dialog>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ItemProps {
    item: WorkspaceItem,
    on_event: Callback<WorkspacesEvent>,
}

#[component]
fn Item(props: &ItemProps) -> Html {
    let WorkspaceItem { id, name, files, is_open } = props.item.clone();
    let deleting = use_state_eq(|| false);
    let onchange = props.on_event.reform(move |event: Event| {
        WorkspacesEvent::Rename(id, event.target_unchecked_into::<HtmlInputElement>().value())
    });
    let open = props.on_event.reform(move |_: MouseEvent| WorkspacesEvent::Open(id));
    let delete = props.on_event.reform(move |_: MouseEvent| WorkspacesEvent::Delete(id));
    let ask = {
        let deleting = deleting.setter();
        move |ask: bool| {
            let deleting = deleting.clone();
            Callback::from(move |_: MouseEvent| deleting.set(ask))
        }
    };
    html! {
        <li class={classes!("workspaces-item", is_open.then_some("open"))}>
            <input type="text" class="workspaces-name" aria-label={format!("Name of {name}")} value={name.clone()} {onchange}
                autocomplete="off" spellcheck="false" />
            <span class="muted">{ if is_open { "open".to_owned() } else { count(files, "file") } }</span>
            if *deleting {
                <span class="workspaces-ask">{ "Delete it with all its files?" }</span>
                <button type="button" class="button danger" onclick={delete}>{ "Delete" }</button>
                <button type="button" class="button" onclick={ask(false)}>{ "Keep" }</button>
            } else if !is_open {
                <button type="button" class="button" aria-label={format!("Open {name}")} onclick={open}>{ "Open" }</button>
                if id != 0 { { IconButton::new(IconName::Trash, format!("Delete {name}"), ask(true)).html() } }
            }
        </li>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct NewProps {
    on_event: Callback<WorkspacesEvent>,
}

#[component]
fn New(props: &NewProps) -> Html {
    let field = use_node_ref();
    let make = {
        let (field, on_event) = (field.clone(), props.on_event.clone());
        move |copy: bool| {
            let name = field.cast::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default();
            let name = if name.trim().is_empty() { "Workspace".to_owned() } else { name.trim().to_owned() };
            on_event.emit(WorkspacesEvent::New { name, copy });
        }
    };
    let onsubmit = {
        let make = make.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            make(false);
        })
    };
    let copy = Callback::from(move |_: MouseEvent| make(true));
    html! {
        <form class="workspaces-new" {onsubmit}>
            <label class="field"><span>{ "New workspace" }</span>
                <input ref={field} type="text" placeholder="Name" autocomplete="off" spellcheck="false" /></label>
            <button type="submit" class="button">{ "Create" }</button>
            <button type="button" class="button" onclick={copy}>{ "Copy this one" }</button>
        </form>
    }
}
