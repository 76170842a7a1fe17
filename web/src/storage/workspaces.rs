//! The workspaces of this browser: the list of them, and the one that this tab has open.

use std::cell::Cell;

use database::{DatabaseError, Found, Mode, Put, Reads};
use gloo::storage::{LocalStorage, SessionStorage, Storage};
use serde::{Deserialize, Serialize};

use super::{
    Snapshot,
    record::{self, Keys, Record},
    transact,
};

/// The key of the list of workspaces.
const LIST: &str = "workspaces";
/// The id of the workspace that is open: of a tab in its session storage, of new tabs in the local storage.
const OPEN: &str = "planloom/open";

/// A workspace of this browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptWorkspace {
    /// Its identity; 0 is the one that a first visit makes.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The number of its files; 0 where nothing was written in it yet.
    #[serde(skip)]
    pub files: usize,
}

thread_local! {
    /// The workspace of the page; it does not change as long as the page lives.
    static OPENED: Cell<Option<u32>> = const { Cell::new(None) };
}

/// The id of the workspace that this page has open.
pub fn open_id() -> u32 {
    if let Some(id) = OPENED.get() {
        return id;
    }
    let id = SessionStorage::get(OPEN).or_else(|_| LocalStorage::get(OPEN)).unwrap_or(0);
    OPENED.set(Some(id));
    // A tab keeps its workspace, whatever others open.
    let _ = SessionStorage::set(OPEN, id);
    id
}

/// Ids from this one on are those of the files of servers, which are in no list.
const SERVED: u32 = 1 << 31;

/// Opens the files of a server in this page: its stored data is found by the server's name for these files.
pub fn open_served(name: &str) {
    OPENED.set(Some(served_id(name)));
}

fn served_id(name: &str) -> u32 {
    let number = name.get(..8).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    SERVED | number.unwrap_or(0)
}

/// Opens a workspace: the next page of this tab has it.
pub fn open_next(id: u32) {
    let _ = SessionStorage::set(OPEN, id);
    open_elsewhere(id);
}

/// Opens a workspace in tabs that are opened from now on.
pub fn open_elsewhere(id: u32) {
    let _ = LocalStorage::set(OPEN, id);
}

/// All workspaces, with the numbers of their files.
///
/// # Errors
/// The browser refuses.
pub async fn list() -> Result<Vec<KeptWorkspace>, DatabaseError> {
    let mut all = names().await?;
    let keys = all.iter().map(|it| Keys::of(it.id).index()).collect();
    let found = transact(Mode::Read, Reads { keys, range: None }, |found| (Vec::new(), found.texts)).await?;
    for (workspace, text) in all.iter_mut().zip(found) {
        workspace.files = text.as_deref().and_then(Record::parse).map_or(0, |it| it.files.len());
    }
    Ok(all)
}

async fn names() -> Result<Vec<KeptWorkspace>, DatabaseError> {
    change(Mode::Read, |_| ()).await.map(|(all, ())| all)
}

/// Adds a workspace, which is empty until something is kept in it; its id.
///
/// # Errors
/// The browser refuses.
pub async fn add(name: String) -> Result<u32, DatabaseError> {
    let add = move |all: &mut Vec<KeptWorkspace>| {
        let id = all.iter().map(|it| it.id + 1).max().unwrap_or(1);
        all.push(KeptWorkspace { id, name, files: 0 });
        id
    };
    change(Mode::Relaxed, add).await.map(|(_, id)| id)
}

/// Keeps the first content of a workspace.
///
/// # Errors
/// The browser refuses.
pub async fn fill(id: u32, content: Snapshot) -> Result<(), DatabaseError> {
    let keys = Keys::of(id);
    let reads = Reads { keys: vec![keys.index()], range: None };
    let decide = move |found: Found| (record::write(keys, &found, None, 0, &content).0, ());
    transact(Mode::Relaxed, reads, decide).await
}

/// Gives a workspace another name.
///
/// # Errors
/// The browser refuses.
pub async fn rename(id: u32, name: String) -> Result<(), DatabaseError> {
    let rename = move |all: &mut Vec<KeptWorkspace>| {
        all.iter_mut().filter(|it| it.id == id).for_each(|it| it.name.clone_from(&name));
    };
    change(Mode::Relaxed, rename).await.map(drop)
}

/// Deletes a workspace with all in it.
///
/// # Errors
/// The browser refuses.
pub async fn delete(id: u32) -> Result<(), DatabaseError> {
    let remove = move |all: &mut Vec<KeptWorkspace>| all.retain(|it| it.id != id);
    change(Mode::Relaxed, remove).await?;
    let index = Keys::of(id).index();
    let puts = vec![Put::NothingBetween(format!("{index}/"), format!("{index}/~")), Put::Nothing(index)];
    transact(Mode::Relaxed, Reads::default(), |_| (puts, ())).await
}

/// Reads the list, changes it, and writes it.
async fn change<T: 'static>(
    mode: Mode,
    change: impl FnOnce(&mut Vec<KeptWorkspace>) -> T + 'static,
) -> Result<(Vec<KeptWorkspace>, T), DatabaseError> {
    let reads = Reads { keys: vec![LIST.into()], range: None };
    let writes = mode != Mode::Read;
    let decide = move |found: Found| {
        let mut all = parse(found.texts.into_iter().next().flatten().as_deref());
        let done = change(&mut all);
        let text = serde_json::to_string(&all).unwrap_or_default();
        let puts = if writes { vec![Put::Text(LIST.into(), text)] } else { Vec::new() };
        (puts, (all, done))
    };
    transact(mode, reads, decide).await
}

/// The list; the workspace of the first visit is always there.
fn parse(text: Option<&str>) -> Vec<KeptWorkspace> {
    let mut all: Vec<KeptWorkspace> = text.and_then(|it| serde_json::from_str(it).ok()).unwrap_or_default();
    if all.iter().all(|it| it.id != 0) {
        all.insert(0, KeptWorkspace { id: 0, name: "Workspace".into(), files: 0 });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_servers_are_no_workspaces_of_the_browser() {
        assert_eq!(served_id(""), SERVED);
        assert!(served_id("00000001abcdef") > SERVED && served_id("ffffffff") == u32::MAX);
        assert_ne!(served_id("7fffffff00"), served_id("7ffffffe00"));
    }

    #[test]
    fn the_first_workspace_is_always_there() {
        assert_eq!(parse(None).len(), 1);
        let all = parse(Some(r#"[{"id":3,"name":"other"}]"#));
        assert_eq!(all.iter().map(|it| it.id).collect::<Vec<_>>(), [0, 3]);
        assert_eq!(parse(Some("no")).len(), 1);
    }
}
