//! Workspaces of earlier versions of the app, which kept them in the local storage, each text as an entry of its own.

use gloo::storage::{LocalStorage, Storage};
use serde::Deserialize;

use super::{Snapshot, back_up, record::Entry, save};
use crate::state::{Document, FileKey, Inputs};

const INDEX: &str = "planloom/workspace";
const TEXT: &str = "planloom/text/";
const BACKUP: &str = "planloom/backup";
const FORMAT: &str = "planloom.workspace/1";

#[derive(Deserialize)]
struct Index {
    format: String,
    files: Vec<Entry>,
    selected: Option<FileKey>,
    #[serde(default)]
    inputs: Inputs,
    #[serde(default)]
    pristine: bool,
}

/// Moves such a workspace to the database, and the copy of files with it. It is taken away from where it was only once
/// the database has it; the number of that write is 0 where it has it not.
pub(super) async fn move_over() -> Option<(Snapshot, u64)> {
    let index = LocalStorage::get::<Index>(INDEX).ok().filter(|index| index.format == FORMAT)?;
    let keys: Vec<FileKey> = index.files.iter().map(|file| file.key).collect();
    let snapshot = snapshot(index);
    let backup = LocalStorage::get::<Vec<workspace::File>>(BACKUP).ok();
    let copied = match &backup {
        Some(files) => back_up(files).await.is_ok(),
        None => true,
    };
    let Ok((_, written)) = save(None, 0, snapshot.clone()).await else { return Some((snapshot, 0)) };
    if copied {
        LocalStorage::delete(BACKUP);
    }
    LocalStorage::delete(INDEX);
    keys.into_iter().for_each(|key| LocalStorage::delete(text_key(key)));
    Some((snapshot, written))
}

fn snapshot(index: Index) -> Snapshot {
    let mut document = Document { selected: index.selected, inputs: index.inputs, ..Document::default() };
    for file in index.files {
        let text = LocalStorage::raw().get_item(&text_key(file.key)).ok().flatten().unwrap_or_default();
        document.files.restore(file.with(text.into()));
    }
    Snapshot { document, pristine: index.pristine, ..Snapshot::default() }
}

fn text_key(key: FileKey) -> String {
    format!("{TEXT}{}", key.0)
}
