//! What a page could not send before it was reloaded. It is in the storage of the tab.

use std::rc::Rc;

use gloo::storage::{SessionStorage, Storage};

use super::sync::Sync;
use crate::state::{Document, Files};

const KEY: &str = "planloom.unsent";

type Unsent = Vec<(String, Option<String>, String)>;

/// Keeps what is not sent yet; whether that was possible.
pub fn keep(sync: &Sync, files: &Files) -> bool {
    let unsent = sync.unsent(files).into_iter();
    let texts: Unsent = unsent
        .map(|(name, etag, text)| (name.to_string(), etag.map(|it| it.to_string()), text.to_string()))
        .collect();
    if texts.is_empty() {
        SessionStorage::delete(KEY);
        return true;
    }
    SessionStorage::set(KEY, texts).is_ok()
}

/// Takes it in again.
pub fn restore(sync: &mut Sync, document: &mut Document) {
    let texts: Unsent = SessionStorage::get(KEY).unwrap_or_default();
    SessionStorage::delete(KEY);
    for (name, etag, text) in texts {
        sync.restore(&name, etag.as_deref(), Rc::from(text), document);
    }
}
