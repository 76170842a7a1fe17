//! What `js/keep.js` offers.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/keep.js")]
extern "C" {
    /// Takes a lock that all tabs share.
    pub fn hold(name: &str, steal: bool) -> Promise;

    /// A lock that is held.
    pub type HeldLock;

    /// Gives it back.
    #[wasm_bindgen(method)]
    pub fn release(this: &HeldLock);

    /// Sends one request.
    pub fn send(
        url: &str,
        method: &str,
        headers: &Array,
        body: &JsValue,
        most: f64,
        signal: &web_sys::AbortSignal,
    ) -> Promise;

    /// Whether anything answers at an address.
    pub fn answers(url: &str, signal: &web_sys::AbortSignal) -> Promise;
}
