//! The data that outlives a reload. The workspace is kept in the browser's database, each text as an entry of its own,
//! so that typing writes one file only. Data that has to be known before anything is drawn, or must be written before a
//! page is gone, is in the local storage: the screen, the commands given last, and a [`change`] that is not in the
//! database yet.

mod change;
#[cfg(test)]
mod kept;
mod legacy;
mod record;
mod steps;
pub mod workspaces;

use std::cell::RefCell;

use database::{DATABASE, Database, DatabaseError, Found, Mode, Put, Reads};
use gloo::storage::{LocalStorage, SessionStorage, Storage};

use crate::state::{Document, History, Screen};
use change::Change;
use record::{Keys, Record};

const SCREEN: &str = "planloom/screen";
const RECENT: &str = "planloom/recent";
const APPLIED: &str = "planloom/applied";
const WATCHING: &str = "planloom/watching";
const JOURNAL: &str = "planloom/journal";
const FOLDER: &str = "planloom/folder";
const WRITTEN: &str = "planloom/written";

thread_local! {
    /// The connection to the database of the page.
    static OPEN: RefCell<Option<Database>> = const { RefCell::new(None) };
}

/// The keys of this page's workspace.
fn keys() -> Keys {
    Keys::of(workspaces::open_id())
}

/// An entry of the local storage that belongs to the workspace of this page.
fn own(entry: &str) -> String {
    format!("{entry}{}", keys().suffix())
}

/// The local storage did not take something, mostly because it is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// The stored part of the page's state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The workspace.
    pub document: Document,
    /// It is the untouched example.
    pub pristine: bool,
    /// The changes that can be undone or redone.
    pub history: History,
}

impl Snapshot {
    /// True if the contents are the same, whatever led to them.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.document, self.pristine) == (&other.document, other.pristine)
    }
}

/// The stored data that a page opens with.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// The content of the database; `None` on the first visit.
    pub saved: Option<Snapshot>,
    /// The same with the changes that an earlier page could not write to the database any more.
    pub latest: Option<Snapshot>,
    /// The number of writes to the database.
    pub written: u64,
    /// The database cannot be read: nothing may be written over what it holds.
    pub refused: bool,
    /// The files are those of a server: the data stored in this browser only adds to them.
    pub is_elsewhere: bool,
    /// The open views.
    pub screen: Screen,
}

/// Reads what is kept.
pub async fn load() -> Stored {
    let screen = LocalStorage::get(SCREEN).unwrap_or_default();
    let (kept, refused) = match read().await {
        Ok(Some(kept)) => (Some(kept), false),
        Ok(None) if keys() == Keys::of(0) => (legacy::move_over().await, false),
        Ok(None) => (None, false),
        Err(_) => (None, true),
    };
    let (kept, written) = kept.map_or((None, 0), |(kept, written)| (Some(kept), written));
    let saved = kept.clone().filter(|_| written > 0);
    // Only now: a page that is just going may have written it while the database was read.
    let journal = LocalStorage::get::<Change>(own(JOURNAL)).ok();
    let latest = match journal.filter(|journal| journal.base() == written) {
        Some(journal) => Some(latest(journal, saved.as_ref())),
        None => kept,
    };
    Stored { saved, latest, written, refused, is_elsewhere: false, screen }
}

/// The page of a server whose files could not be read.
pub fn nothing_served() -> Stored {
    workspaces::open_served("");
    let screen = LocalStorage::get(SCREEN).unwrap_or_default();
    Stored { latest: Some(Snapshot::default()), is_elsewhere: true, screen, ..Stored::default() }
}

/// The changes that an earlier page could not write to the database any more, as one change that can be undone.
fn latest(journal: Change, saved: Option<&Snapshot>) -> Snapshot {
    let mut latest = journal.apply(saved);
    if let Some(saved) = saved.filter(|saved| saved.document.files != latest.document.files) {
        latest.history.record("the changes before this page was opened", saved.document.clone());
    }
    latest
}

/// The workspace in the database, and the number of writes to it; `None` if there is none.
async fn read() -> Result<Option<(Snapshot, u64)>, DatabaseError> {
    let keys = keys();
    let texts = Some((keys.texts(), format!("{}~", keys.texts())));
    let reads = Reads { keys: vec![keys.index(), keys.inputs()], range: texts };
    transact(Mode::Read, reads, |found| (Vec::new(), Record::read(found))).await
}

/// Saves the differences from `before`, which was saved by the write of that number. Changes that another tab has
/// written since are replaced. Returns the saved snapshot and the number of this write. If there is no room for the
/// history, the rest is saved without it.
///
/// # Errors
/// The browser refuses, mostly because its storage is full. Nothing is written then.
pub async fn save(
    before: Option<Snapshot>,
    written: u64,
    now: Snapshot,
) -> Result<(Snapshot, u64), DatabaseError> {
    let done = match write(before.clone(), written, now.clone()).await {
        Err(error) if error.is_full && !now.history.is_empty() => {
            write(before, written, Snapshot { history: History::default(), ..now }).await
        }
        done => done,
    };
    let (kept, number) = done?;
    LocalStorage::delete(own(JOURNAL));
    // Other tabs hear of it.
    let _ = LocalStorage::raw().set_item(&own(WRITTEN), &number.to_string());
    Ok((kept, number))
}

async fn write(
    before: Option<Snapshot>,
    written: u64,
    now: Snapshot,
) -> Result<(Snapshot, u64), DatabaseError> {
    let keys = keys();
    let reads = Reads { keys: vec![keys.index()], range: None };
    let decide = move |found: Found| {
        let (puts, number, history) = record::write(keys, &found, before.as_ref(), written, &now);
        (puts, (Snapshot { history, ..now }, number))
    };
    transact(Mode::Relaxed, reads, decide).await
}

/// Remembers at once what is not in the database yet, for a page that may be gone before that has answered.
///
/// # Errors
/// The change is too large for the local storage.
pub fn write_journal(before: Option<&Snapshot>, written: u64, now: &Snapshot) -> Result<(), Refused> {
    LocalStorage::set(own(JOURNAL), Change::between(before, written, now)).map_err(|_| Refused)
}

/// Keeps which parts of the page are open.
///
/// # Errors
/// The browser refuses.
pub fn save_screen(screen: &Screen) -> Result<(), Refused> {
    LocalStorage::set(SCREEN, screen).map_err(|_| Refused)
}

/// True if an entry of the local storage that another page wrote says that it has kept its workspace.
pub fn is_written(key: &str) -> bool {
    key == own(WRITTEN) || key == own(JOURNAL)
}

/// One transaction in the database of the page.
async fn transact<T: 'static>(
    mode: Mode,
    reads: Reads,
    decide: impl FnOnce(Found) -> (Vec<Put>, T) + 'static,
) -> Result<T, DatabaseError> {
    let known = OPEN.with(|open| open.borrow().clone());
    let database = match known {
        Some(database) => database,
        None => Database::open(DATABASE).await?,
    };
    let done = database.transact(mode, reads, decide).await;
    // A connection that failed may be closed: the next one is a new one.
    OPEN.with(|open| open.replace(done.is_ok().then_some(database)));
    done
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

/// The name of the folder that the workspace of this page was opened from.
pub fn folder() -> Option<String> {
    LocalStorage::get(own(FOLDER)).ok()
}

/// Remembers it, or that there is none.
pub fn set_folder(name: Option<&str>) {
    match name {
        Some(name) => drop(LocalStorage::set(own(FOLDER), name)),
        None => LocalStorage::delete(own(FOLDER)),
    }
}

/// Remembers that something was applied from this browser: its state is to be read as soon as a page opens.
pub fn remember_applied() {
    let _ = LocalStorage::raw().set_item(APPLIED, "yes");
}

/// True if something was applied from this browser.
pub fn has_applied() -> bool {
    LocalStorage::raw().get_item(APPLIED).ok().flatten().is_some()
}

/// Remembers for this tab whether it keeps resources in sync: a reload ends that.
pub fn remember_watching(watches: bool) {
    match watches {
        true => drop(SessionStorage::raw().set_item(WATCHING, "yes")),
        false => SessionStorage::delete(WATCHING),
    }
}

/// True if this tab did when its last page was closed.
pub fn was_watching() -> bool {
    SessionStorage::raw().get_item(WATCHING).ok().flatten().is_some()
}

/// Keeps a copy of the files that something else is opened in place of.
///
/// # Errors
/// The browser refuses.
pub async fn back_up(files: &[workspace::File]) -> Result<(), DatabaseError> {
    let text = serde_json::to_string(files).unwrap_or_default();
    let put = Put::Text(keys().backup(), text);
    let reads = Reads { keys: vec![keys().backup()], range: None };
    transact(Mode::Relaxed, reads, |_| (vec![put], ())).await
}

/// The copy that [`back_up`] keeps.
pub async fn backup() -> Option<Vec<workspace::File>> {
    let reads = Reads { keys: vec![keys().backup()], range: None };
    let found = transact(Mode::Read, reads, |found| (Vec::new(), found.texts)).await.ok()?;
    serde_json::from_str(&found.into_iter().flatten().next()?).ok()
}
