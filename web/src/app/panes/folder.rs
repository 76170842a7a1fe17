//! The folder of the disk that the workspace was opened from.

use std::rc::Rc;

use js_sys::{Array, JsString, Object, Reflect};
use ui::{FolderChange, FolderDialog, FolderEvent, FolderStatus};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use workspace::{
    File,
    view::{FileView, words::count},
};
use yew::prelude::*;

use crate::{
    app::{
        context::{Context, Overlay},
        lazy::Page,
    },
    host::{self, FolderModule},
    import::{self, Imported},
    message::query::Recognise,
    state::{Document, Files},
    storage::{self, workspaces},
};

/// The dialog of the folder.
pub fn folder(page: &Page) -> Html {
    html! { <Folder page={page.clone()} saves=false /> }
}

/// Saves into the folder; the dialog is only there for what a person has to decide.
pub fn save_folder(page: &Page) -> Html {
    html! { <Folder page={page.clone()} saves=true /> }
}

#[derive(Clone, PartialEq, Properties)]
struct FolderProps {
    page: Page,
    saves: bool,
}

#[component]
fn Folder(FolderProps { page, saves }: &FolderProps) -> Html {
    let status = use_state_eq(|| FolderStatus::Reading);
    let at = Session { context: page.context.clone(), status: status.setter() };
    {
        let (at, saves) = (at.clone(), *saves);
        use_effect_with((), move |()| spawn_local(async move { at.begin(saves).await }));
    }
    let on_event = {
        let at = at.clone();
        Callback::from(move |event| {
            let at = at.clone();
            spawn_local(async move { at.act(event).await.unwrap_or_else(|| at.refuse()) });
        })
    };
    // Saving at once needs no dialog that comes and goes.
    if *saves && matches!(&*status, FolderStatus::Reading) {
        return Html::default();
    }
    let on_close = Callback::from(move |()| at.close());
    html! { <FolderDialog status={(*status).clone()} {on_event} {on_close} /> }
}

/// The folder of this page's workspace, and the setter of its status.
#[derive(Clone)]
struct Session {
    context: Context,
    status: UseStateSetter<FolderStatus>,
}

impl Session {
    async fn begin(&self, saves: bool) {
        let Some(module) = module().await else { return self.refuse() };
        if !module.is_supported() {
            return self.status.set(FolderStatus::Unsupported);
        }
        if storage::folder().is_none() {
            return self.status.set(FolderStatus::Closed);
        }
        let Some(changes) = self.changes(&module).await else { return self.refuse() };
        let is_safe = changes.iter().all(|it| !it.deletes && !it.conflicts);
        if saves && is_safe {
            self.save(&module, changes).await.unwrap_or_else(|| self.refuse());
        } else {
            self.show(changes);
        }
    }

    async fn act(&self, event: FolderEvent) -> Option<()> {
        let module = module().await?;
        match event {
            FolderEvent::Choose => {
                let Some(name) = settled(module.choose(key())).await?.as_string() else { return Some(()) };
                storage::set_folder(Some(&name));
                self.open(&module, name).await
            }
            FolderEvent::Reopen => self.open(&module, storage::folder()?).await,
            FolderEvent::Save => {
                let changes = self.changes(&module).await?.into_iter().filter(|it| !it.conflicts);
                self.save(&module, changes.collect()).await
            }
            FolderEvent::Overwrite => {
                let changes = self.changes(&module).await?;
                self.save(&module, changes).await
            }
            FolderEvent::Forget => {
                storage::set_folder(None);
                self.close();
                settled(module.close(key())).await.map(drop)
            }
        }
    }

    /// Opens the files of the folder in the place of those of the workspace.
    async fn open(&self, module: &FolderModule, name: String) -> Option<()> {
        let picked = import::pathed(settled(module.read(key())).await?).await;
        let Imported { texts, refused, .. } = import::read_all(picked);
        let context = self.context.clone();
        if let Some(why) = refused.first() {
            context.say(why.clone());
        }
        if texts.is_empty() {
            context.say(format!("There is no YAML file in {name}."));
        }
        let at = self.clone();
        let query = Recognise { files: texts.clone() };
        let then = Callback::from(move |known: Option<Vec<FileView>>| {
            let Some(known) = known else { return at.refuse() };
            let files = import::route(texts.clone(), &known, true).files;
            let (at, name) = (at.clone(), name.clone());
            spawn_local(async move { at.take(files, name).await.unwrap_or_else(|| at.refuse()) });
        });
        self.context.engine.ask(query, then);
        Some(())
    }

    async fn take(&self, files: Vec<File>, name: String) -> Option<()> {
        settled(module().await?.remember(key(), &pairs(files.iter().map(|it| (&*it.name, &*it.text)))))
            .await?;
        let files: Files = files.into_iter().collect();
        let selected = files.at(0).map(|file| file.key);
        let document = Document { files, selected, ..Document::default() };
        self.context.open_document(document, None, format!("Opened the folder {name}"));
        self.close();
        Some(())
    }

    async fn changes(&self, module: &FolderModule) -> Option<Vec<FolderChange>> {
        let found: Array = settled(module.changes(key(), &self.files())).await?.dyn_into().ok()?;
        found.iter().map(|it| change(&it)).collect()
    }

    async fn save(&self, module: &FolderModule, changes: Vec<FolderChange>) -> Option<()> {
        let wanted: Array = changes.iter().map(object).collect();
        let refused: Array = settled(module.save(key(), &self.files(), &wanted)).await?.dyn_into().ok()?;
        let name = storage::folder().unwrap_or_default();
        self.context.say(match refused.get(0).as_string() {
            Some(path) => format!("{path} could not be written to {name}"),
            None if changes.is_empty() => format!("Everything is saved in {name}"),
            None => format!("Saved {} into {name}", count(changes.len(), "file")),
        });
        let left = self.changes(module).await?;
        if left.is_empty() {
            self.close()
        } else {
            self.show(left)
        }
        Some(())
    }

    fn show(&self, changes: Vec<FolderChange>) {
        let name = storage::folder().unwrap_or_default();
        self.status.set(FolderStatus::Open { name, changes: Rc::new(changes) });
    }

    fn refuse(&self) {
        self.status.set(FolderStatus::Refused { name: storage::folder().unwrap_or_default() });
    }

    fn close(&self) {
        self.context.overlay.set(Overlay::None);
    }

    fn files(&self) -> JsValue {
        pairs(self.context.state().document.files.iter().map(|it| (&*it.name, &*it.text)))
    }
}

fn key() -> u32 {
    workspaces::open_id()
}

async fn module() -> Option<FolderModule> {
    settled(host::folder_module()).await.map(JsCast::unchecked_into)
}

/// The value of a promise; `None` if it is rejected.
async fn settled(promise: js_sys::Promise) -> Option<JsValue> {
    JsFuture::from(promise).await.ok()
}

fn pairs<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> JsValue {
    let pair = |(name, text)| Array::of2(&JsString::from(name), &JsString::from(text));
    files.map(pair).collect::<Array>().into()
}

fn change(value: &JsValue) -> Option<FolderChange> {
    let field = |name: &str| Reflect::get(value, &name.into()).ok();
    let is = |name: &str| Some(field(name)?.is_truthy());
    let path = field("path")?.as_string()?;
    Some(FolderChange { path, deletes: is("deletes")?, conflicts: is("conflicts")? })
}

fn object(change: &FolderChange) -> JsValue {
    let object = Object::new();
    for (name, value) in [("path", JsValue::from(&*change.path)), ("deletes", change.deletes.into())] {
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}
