//! What outlives a reload: the workspace in the browser's own storage. Each text has its own entry, so that typing
//! writes one file only.

use gloo::storage::{LocalStorage, Storage};
use serde::{Deserialize, Serialize};

use crate::state::{Document, FileEntry, FileKey, Inputs, Screen, State};

const INDEX: &str = "planloom/workspace";
const SCREEN: &str = "planloom/screen";
const TEXT: &str = "planloom/text/";
const RECENT: &str = "planloom/recent";
const BACKUP: &str = "planloom/backup";
const APPLIED: &str = "planloom/applied";

#[derive(Serialize, Deserialize)]
struct Index {
    format: String,
    files: Vec<Entry>,
    selected: Option<FileKey>,
    #[serde(default)]
    inputs: Inputs,
    #[serde(default)]
    pristine: bool,
    /// Counts writes, so that another tab's can be told from ours.
    #[serde(default)]
    written: u64,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    key: FileKey,
    name: String,
    slot: u16,
    package: Option<String>,
}

const FORMAT: &str = "planloom.workspace/1";

/// What was stored.
#[derive(Debug)]
pub struct Stored {
    /// The workspace; `None` on the first visit.
    pub document: Option<Document>,
    /// It is the untouched example.
    pub pristine: bool,
    /// What was open.
    pub screen: Screen,
}

/// What was stored.
pub fn load() -> Stored {
    let index = LocalStorage::get::<Index>(INDEX).ok().filter(|index| index.format == FORMAT);
    let pristine = index.as_ref().is_some_and(|index| index.pristine);
    let screen = LocalStorage::get(SCREEN).unwrap_or_default();
    Stored { document: index.map(document), pristine, screen }
}

fn document(index: Index) -> Document {
    let mut document = Document { selected: index.selected, inputs: index.inputs, ..Document::default() };
    for Entry { key, name, slot, package } in index.files {
        let text = LocalStorage::raw().get_item(&text_key(key)).ok().flatten().unwrap_or_default();
        let package = package.map(Into::into);
        document.files.restore(FileEntry { key, name: name.into(), text: text.into(), package, slot });
    }
    document
}

/// The browser did not store it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// Stores what changed since `before`.
///
/// # Errors
/// When the browser refuses, mostly because its storage is full.
pub fn save(before: Option<&State>, now: &State) -> Result<(), Refused> {
    if before.is_none_or(|before| before.screen != now.screen) {
        set(SCREEN, &now.screen)?;
    }
    if before.is_some_and(|before| before.document == now.document && before.pristine == now.pristine) {
        return Ok(());
    }
    let old = before.map(|before| &before.document.files);
    for file in now.document.files.iter() {
        let unchanged = old.and_then(|old| old.get(file.key)).is_some_and(|old| old.text == file.text);
        if !unchanged {
            LocalStorage::raw().set_item(&text_key(file.key), &file.text).map_err(|_| Refused)?;
        }
    }
    set(INDEX, &index(now))?;
    forget_texts(now);
    Ok(())
}

fn index(state: &State) -> Index {
    let entry = |file: &FileEntry| Entry {
        key: file.key,
        name: file.name.to_string(),
        slot: file.slot,
        package: file.package.as_deref().map(str::to_owned),
    };
    Index {
        format: FORMAT.into(),
        files: state.document.files.iter().map(entry).collect(),
        selected: state.document.selected,
        inputs: state.document.inputs.clone(),
        pristine: state.pristine,
        written: LocalStorage::get::<Index>(INDEX).map_or(0, |index| index.written) + 1,
    }
}

/// Takes away the texts of files that are gone.
fn forget_texts(state: &State) {
    let storage = LocalStorage::raw();
    let keys: Vec<String> =
        (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok()?).collect();
    for key in keys {
        let number = key.strip_prefix(TEXT).and_then(|number| number.parse().ok());
        if number.is_some_and(|number| state.document.files.get(FileKey(number)).is_none()) {
            LocalStorage::delete(&key);
        }
    }
}

fn text_key(key: FileKey) -> String {
    format!("{TEXT}{}", key.0)
}

fn set(key: &str, value: &impl Serialize) -> Result<(), Refused> {
    LocalStorage::set(key, value).map_err(|_| Refused)
}

/// Whether an entry that another tab wrote is part of the workspace.
pub fn is_workspace(key: &str) -> bool {
    key == INDEX || key.starts_with(TEXT)
}

/// The commands given last, latest first.
pub fn recent() -> Vec<String> {
    LocalStorage::get(RECENT).unwrap_or_default()
}

/// Remembers a command.
pub fn remember(command: &str) {
    let mut recent = recent();
    recent.retain(|known| known != command);
    recent.insert(0, command.to_owned());
    recent.truncate(8);
    let _ = LocalStorage::set(RECENT, recent);
}

/// Remembers that something was applied from this browser: its state is to be looked at from the beginning.
pub fn remember_applied() {
    let _ = LocalStorage::raw().set_item(APPLIED, "yes");
}

/// Whether something was.
pub fn has_applied() -> bool {
    LocalStorage::raw().get_item(APPLIED).ok().flatten().is_some()
}

/// Keeps a copy of the files that something else is opened in place of.
pub fn back_up(files: &[workspace::File]) {
    let _ = LocalStorage::set(BACKUP, files);
}

/// That copy.
pub fn backup() -> Option<Vec<workspace::File>> {
    LocalStorage::get(BACKUP).ok()
}
