//! The functions of `js/host.js`.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/host.js")]
extern "C" {
    /// Opens an editor in an element; a promise of its handle.
    #[wasm_bindgen(js_name = openEditor)]
    pub fn open_editor(parent: &web_sys::HtmlElement, options: &JsValue) -> Promise;

    /// The module that reads and writes a folder of the disk: a promise of a [`FolderModule`].
    #[wasm_bindgen(js_name = folderModule)]
    pub fn folder_module() -> Promise;

    /// `js/folder.js`. Folders are named by the workspace that they belong to.
    pub type FolderModule;

    /// True if the browser can write to folders.
    #[wasm_bindgen(method, js_name = isSupported)]
    pub fn is_supported(this: &FolderModule) -> bool;

    /// Asks for a folder; a promise of its name, or of null.
    #[wasm_bindgen(method)]
    pub fn choose(this: &FolderModule, key: u32) -> Promise;

    /// Forgets it.
    #[wasm_bindgen(method)]
    pub fn close(this: &FolderModule, key: u32) -> Promise;

    /// Its files: a promise of [`PathedFile`]s.
    #[wasm_bindgen(method)]
    pub fn read(this: &FolderModule, key: u32) -> Promise;

    /// Remembers what it holds of the workspace.
    #[wasm_bindgen(method)]
    pub fn remember(this: &FolderModule, key: u32, files: &JsValue) -> Promise;

    /// The changes that saving would make: a promise of them.
    #[wasm_bindgen(method)]
    pub fn changes(this: &FolderModule, key: u32, files: &JsValue) -> Promise;

    /// Does it; a promise of the paths that were refused.
    #[wasm_bindgen(method)]
    pub fn save(this: &FolderModule, key: u32, files: &JsValue, changes: &JsValue) -> Promise;

    /// Bytes, smaller.
    pub fn deflate(bytes: &Uint8Array) -> Promise;

    /// Bytes as they were.
    pub fn inflate(bytes: &Uint8Array) -> Promise;

    /// Bytes as base64url without padding: what the page needs of it is with the browser already.
    #[wasm_bindgen(js_name = toBase64Url)]
    pub fn to_base64url(bytes: &[u8]) -> String;

    /// The bytes of base64url, which the engine wrote.
    #[wasm_bindgen(js_name = fromBase64Url)]
    pub fn from_base64url(text: &str) -> Vec<u8>;

    /// The files of what was dropped: `[{path, file}]`.
    #[wasm_bindgen(js_name = droppedFiles)]
    pub fn dropped_files(transfer: &web_sys::DataTransfer) -> Promise;

    /// One of them.
    pub type PathedFile;

    /// Its name with its folders.
    #[wasm_bindgen(method, getter)]
    pub fn path(this: &PathedFile) -> String;

    /// The file.
    #[wasm_bindgen(method, getter)]
    pub fn file(this: &PathedFile) -> web_sys::File;
}

/// Milliseconds of some clock.
pub fn now() -> f64 {
    gloo::utils::window().performance().map_or(0.0, |clock| clock.now())
}

/// The time, in milliseconds since 1970.
#[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970 fit")]
pub fn time() -> i64 {
    js_sys::Date::now() as i64
}

/// Saves bytes as a file of the user.
pub fn download(name: &str, mime: &str, bytes: &[u8]) {
    download_blob(name, gloo::file::Blob::new_with_options(bytes, Some(mime)));
}

/// Saves a file of the user.
pub fn download_blob(name: &str, blob: gloo::file::Blob) {
    let url = gloo::file::ObjectUrl::from(blob);
    let link = gloo::utils::document()
        .create_element("a")
        .ok()
        .and_then(|link| link.dyn_into::<web_sys::HtmlAnchorElement>().ok());
    if let Some(link) = link {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The browser reads the address after this call.
    gloo::timers::callback::Timeout::new(10_000, move || drop(url)).forget();
}
