//! The browser's locks.

use js_sys::Promise;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/locks.js")]
extern "C" {
    /// Takes a lock that all tabs share.
    pub(crate) fn hold(name: &str, steal: bool) -> Promise;

    /// A lock that is held.
    pub(crate) type HeldLock;

    /// Gives it back.
    #[wasm_bindgen(method)]
    pub(crate) fn release(this: &HeldLock);
}
