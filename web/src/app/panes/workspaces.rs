//! The workspaces of this browser.

use gloo::utils::window;
use ui::{WorkspaceItem, Workspaces, WorkspacesEvent};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::{
    app::{
        context::{Context, Overlay},
        lazy::Page,
    },
    home,
    storage::{
        Snapshot,
        workspaces::{self, KeptWorkspace},
    },
};

/// The dialog with all workspaces.
pub fn workspaces(page: &Page) -> Html {
    html! { <Listed page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct ListedProps {
    page: Page,
}

#[component]
fn Listed(ListedProps { page }: &ListedProps) -> Html {
    let items = use_state(Vec::<WorkspaceItem>::new);
    let changes = use_state(|| 0_u32);
    {
        let (items, context) = (items.setter(), page.context.clone());
        use_effect_with(*changes, move |_| {
            spawn_local(async move {
                match workspaces::list().await {
                    Ok(found) => items.set(found.into_iter().map(item).collect()),
                    Err(_) => context.say("This browser does not keep workspaces"),
                }
            });
        });
    }
    let on_event = {
        let (context, changes) = (page.context.clone(), changes.clone());
        Callback::from(move |event| {
            let (context, changes) = (context.clone(), changes.clone());
            spawn_local(async move {
                if act(&context, event).await.is_none() {
                    context.say("This browser does not keep workspaces");
                }
                changes.set(*changes + 1);
            });
        })
    };
    let on_close = {
        let overlay = page.context.overlay.clone();
        Callback::from(move |()| overlay.set(Overlay::None))
    };
    html! { <Workspaces items={(*items).clone()} {on_event} {on_close} /> }
}

fn item(kept: KeptWorkspace) -> WorkspaceItem {
    let KeptWorkspace { id, name, files } = kept;
    WorkspaceItem { id, name: name.into(), files, is_open: id == workspaces::open_id() }
}

/// `None` where the browser refuses.
async fn act(context: &Context, event: WorkspacesEvent) -> Option<()> {
    match event {
        WorkspacesEvent::Open(id) => open(id),
        WorkspacesEvent::New { name, copy } => {
            let id = workspaces::add(name).await.ok()?;
            let document = if copy { context.state().document.clone() } else { Default::default() };
            workspaces::fill(id, Snapshot { document, ..Snapshot::default() }).await.ok()?;
            open(id);
        }
        WorkspacesEvent::Rename(id, name) if !name.trim().is_empty() => {
            workspaces::rename(id, name.trim().to_owned()).await.ok()?;
        }
        WorkspacesEvent::Rename(..) => {}
        WorkspacesEvent::Delete(id) => workspaces::delete(id).await.ok()?,
    }
    Some(())
}

/// Opens another workspace as another page: nothing of this one is in it. Unsaved changes are saved when this page
/// closes. A tab that has the files of a server keeps them.
fn open(id: u32) {
    if home::has_files() {
        workspaces::open_elsewhere(id);
        return home::open_beside("./");
    }
    workspaces::open_next(id);
    let _ = window().location().reload();
}
