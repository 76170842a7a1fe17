//! The texts that a page could not send before it was reloaded. They are in the storage of the tab.

use std::rc::Rc;

use gloo::storage::{SessionStorage, Storage};

use super::sync::{self, Sync};
use crate::state::{Document, Files};

const KEY: &str = "planloom.unsent";
/// The texts that those of [`KEY`] replace.
const BASES: &str = "planloom.unsent.bases";

type Unsent = Vec<(String, Option<String>, String)>;
type Bases = Vec<Option<String>>;

/// Stores the texts that are not sent yet. Returns true if that was possible.
pub fn keep(sync: &Sync, files: &Files) -> bool {
    let text = |it: &sync::Unsent| {
        (it.name.to_string(), it.etag.as_ref().map(ToString::to_string), it.text.to_string())
    };
    let unsent = sync.unsent(files);
    SessionStorage::delete(BASES);
    if unsent.is_empty() {
        SessionStorage::delete(KEY);
        return true;
    }
    let is_kept = SessionStorage::set(KEY, unsent.iter().map(text).collect::<Unsent>()).is_ok();
    // Without them a conflict cannot be merged, and nothing is lost.
    let bases = unsent.iter().map(|it| it.base.as_ref().map(ToString::to_string));
    let _ = SessionStorage::set(BASES, bases.collect::<Bases>());
    is_kept
}

/// Takes it in again.
pub fn restore(sync: &mut Sync, document: &mut Document) {
    let texts: Unsent = SessionStorage::get(KEY).unwrap_or_default();
    let mut bases: Bases = SessionStorage::get(BASES).unwrap_or_default();
    SessionStorage::delete(KEY);
    SessionStorage::delete(BASES);
    bases.resize(texts.len(), None);
    for ((name, etag, text), base) in texts.into_iter().zip(bases) {
        let (etag, base) = (etag.map(Rc::from), base.map(Rc::from));
        sync.restore(sync::Unsent { name: name.into(), etag, base, text: text.into() }, document);
    }
}
