//! What a page could not send before it was reloaded. It is in the storage of the tab.

use std::rc::Rc;

use gloo::storage::{SessionStorage, Storage};

use super::sync::{self, Sync};
use crate::state::{Document, Files};

const KEY: &str = "planloom.unsent";

type Unsent = Vec<(String, Option<String>, String)>;

/// Keeps what is not sent yet; whether that was possible.
pub fn keep(sync: &Sync, files: &Files) -> bool {
    let kept =
        |it: sync::Unsent| (it.name.to_string(), it.etag.map(|it| it.to_string()), it.text.to_string());
    let texts: Unsent = sync.unsent(files).into_iter().map(kept).collect();
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
