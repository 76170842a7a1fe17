//! The local home: the user who started `planloom serve` opens the page with a token in the fragment, and adapters that
//! create real resources are served beside the page.
//!
//! The token lives as long as the tab, and is taken out of the address at once: addresses are shown, copied and kept.

use gloo::{
    storage::{SessionStorage, Storage},
    utils::window,
};

const PREFIX: &str = "#token=";
const KEY: &str = "planloom.token";
/// The suffix of the token if the server has files to open.
const WITH_FILES: &str = "&files";
const FILES: &str = "planloom.files";
const SIMULATES: &str = "planloom.simulates";

/// Takes the token out of the address. Returns true if there was one.
pub fn enter() -> bool {
    let fragment = window().location().hash().unwrap_or_default();
    let Some(token) = fragment.strip_prefix(PREFIX) else { return false };
    let (token, files) = token.strip_suffix(WITH_FILES).map_or((token, ""), |token| (token, "yes"));
    // Where nothing can be kept, the page is one like any other.
    let _ = SessionStorage::raw().set_item(KEY, token);
    let _ = SessionStorage::raw().set_item(FILES, files);
    forget_fragment();
    true
}

/// The token that the page was opened with in this tab.
pub fn token() -> Option<String> {
    SessionStorage::raw().get_item(KEY).ok().flatten().filter(|token| !token.is_empty())
}

/// True if the page shows the files of its server.
pub fn has_files() -> bool {
    SessionStorage::raw().get_item(FILES).ok().flatten().is_some_and(|files| !files.is_empty())
}

/// True if this tab was disconnected from what is served beside the page: it uses the simulator, also after a reload.
pub fn simulates() -> bool {
    SessionStorage::raw().get_item(SIMULATES).ok().flatten().is_some()
}

/// Remembers whether this tab uses the simulator.
pub fn set_simulates(simulates: bool) {
    let raw = SessionStorage::raw();
    let _ = if simulates { raw.set_item(SIMULATES, "yes") } else { raw.remove_item(SIMULATES) };
}

/// True if this tab has files of the disk, or applies to real resources: nothing else is opened in it unasked.
pub fn is_real() -> bool {
    has_files() || (token().is_some() && !simulates())
}

/// Opens an address in a new tab, which knows nothing of this one: it has the simulator.
pub fn open_beside(address: &str) {
    let _ = window().open_with_url_and_target_and_features(address, "_blank", "noopener");
}

/// From now on the tab is one like any other.
pub fn forget() {
    SessionStorage::delete(KEY);
}

/// The address without its fragment.
pub fn forget_fragment() {
    let location = window().location();
    let plain =
        format!("{}{}", location.pathname().unwrap_or_default(), location.search().unwrap_or_default());
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&plain));
    }
}
