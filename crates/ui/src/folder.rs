//! The folder of the disk that a workspace was opened from, and the effect of saving into it.

use std::rc::Rc;

use workspace::view::words::count;
use yew::prelude::*;

use crate::{Dialog, IconButton, IconName};

/// A file of the folder that saving would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderChange {
    /// Its path in the folder.
    pub path: String,
    /// True if the file is deleted; otherwise its text is written.
    pub deletes: bool,
    /// True if it was changed elsewhere since it was last read or written.
    pub conflicts: bool,
}

/// The status of the folder.
#[derive(Clone, Debug, PartialEq)]
pub enum FolderStatus {
    /// It is not known yet.
    Reading,
    /// The browser cannot write to folders.
    Unsupported,
    /// No folder is open.
    Closed,
    /// One is open: its name, and the changes that saving would make.
    Open {
        /// Its name.
        name: String,
        /// The files that saving would change.
        changes: Rc<Vec<FolderChange>>,
    },
    /// It cannot be read, mostly because the browser was not allowed to.
    Refused {
        /// Its name.
        name: String,
    },
}

/// An action of the user on the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderEvent {
    /// Chooses a folder, whose files take the place of those of the workspace.
    Choose,
    /// Opens its files again.
    Reopen,
    /// Saves all files that are not in conflict.
    Save,
    /// Saves all files, also over changes that were made elsewhere.
    Overwrite,
    /// Forgets the folder.
    Forget,
}

/// Properties of [`FolderDialog`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct FolderDialogProps {
    /// The status of the folder.
    pub status: FolderStatus,
    /// Called with each action of the user.
    pub on_event: Callback<FolderEvent>,
    /// Called when the dialog is to be closed.
    pub on_close: Callback<()>,
}

/// The dialog of the folder.
#[component]
pub fn FolderDialog(props: &FolderDialogProps) -> Html {
    let close = props.on_close.reform(|_: MouseEvent| ());
    let title = match &props.status {
        FolderStatus::Open { name, .. } | FolderStatus::Refused { name } => format!("Folder {name}"),
        _ => "Open a folder".into(),
    };
    html! {
        <Dialog label={title.clone()} class="connect folder" on_close={props.on_close.clone()}>
            <div class="dialog-head">
                <h2>{ title }</h2>
                { IconButton::new(IconName::Close, "Close", close).html() }
            </div>
            { body(props) }
        </Dialog>
    }
}

fn body(props: &FolderDialogProps) -> Html {
    match &props.status {
        FolderStatus::Reading => {
            html! { <p class="workspaces-note" aria-busy="true">{ "Reading the folder" }</p> }
        }
        FolderStatus::Unsupported => html! {
            <p class="workspaces-note">
                { "This browser cannot write to folders. Import a folder instead, and export the files as a zip. " }
                { "Chrome and Edge can, and `planloom serve` works with every browser." }
            </p>
        },
        FolderStatus::Closed => html! {
            <>
                <p class="workspaces-note">{ "The files of the folder take the place of those of this workspace; undo brings these back. \
                    What you change is written to the folder when you save." }</p>
                <div class="dialog-foot">{ button(props, "Choose a folder…", FolderEvent::Choose, "button main-button") }</div>
            </>
        },
        FolderStatus::Refused { .. } => html! {
            <>
                <p class="workspaces-note" role="alert">{ "The folder cannot be read: it is gone, or the browser was not allowed to. \
                    Your files are safe in this browser." }</p>
                <div class="dialog-foot">
                    { button(props, "Forget the folder", FolderEvent::Forget, "button") }
                    { button(props, "Choose a folder…", FolderEvent::Choose, "button main-button") }
                </div>
            </>
        },
        FolderStatus::Open { changes, .. } => open(props, changes),
    }
}

fn open(props: &FolderDialogProps, changes: &[FolderChange]) -> Html {
    let conflicts = changes.iter().filter(|it| it.conflicts).count();
    let said = match (changes.len(), conflicts) {
        (0, _) => "Everything is saved.".to_owned(),
        (all, 0) => format!("{} to save.", count(all, "changed file")),
        (_, conflicts) => format!(
            "{} changed in the folder since it was read. Save skips {}; Overwrite replaces the folder's version.",
            count(conflicts, "file"),
            if conflicts == 1 { "it" } else { "them" }
        ),
    };
    html! {
        <>
            <p class="workspaces-note" role="status">{ said }</p>
            <ul class="folder-changes">{ for changes.iter().map(row) }</ul>
            <div class="dialog-foot">
                { button(props, "Forget the folder", FolderEvent::Forget, "button") }
                { button(props, "Reload from the folder", FolderEvent::Reopen, "button") }
                if conflicts > 0 { { button(props, "Overwrite", FolderEvent::Overwrite, "button danger") } }
                if changes.len() > conflicts { { button(props, "Save", FolderEvent::Save, "button main-button") } }
            </div>
        </>
    }
}

fn row(change: &FolderChange) -> Html {
    let word = if change.deletes { "delete" } else { "write" };
    html! {
        <li key={change.path.clone()} class={classes!(change.conflicts.then_some("folder-conflict"))}>
            <span class="folder-word">{ word }</span>
            <span>{ &change.path }</span>
            if change.conflicts { <span class="muted">{ "changed in the folder" }</span> }
        </li>
    }
}

fn button(props: &FolderDialogProps, label: &'static str, event: FolderEvent, class: &'static str) -> Html {
    let onclick = props.on_event.reform(move |_: MouseEvent| event);
    html! { <button type="button" {class} {onclick}>{ label }</button> }
}
