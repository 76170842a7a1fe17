//! The browser's locks.

use js_sys::Promise;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/locks.js")]
extern "C" {
    /// Takes a lock that all tabs share.
    pub(crate) fn hold(name: &str, steal: bool) -> Promise;

    /// A promise of true if any tab has the lock.
    #[wasm_bindgen(js_name = isHeld)]
    pub(crate) fn is_held(name: &str) -> Promise;

    /// A lock that is held.
    pub(crate) type HeldLock;

    /// Gives it back.
    #[wasm_bindgen(method)]
    pub(crate) fn release(this: &HeldLock);
}
