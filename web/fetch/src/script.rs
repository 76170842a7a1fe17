//! The functions of `js/fetch.js`.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/fetch.js")]
extern "C" {
    /// Sends one request.
    pub(crate) fn send(
        url: &str,
        method: &str,
        headers: &Array,
        body: &JsValue,
        most: f64,
        signal: &web_sys::AbortSignal,
    ) -> Promise;

    /// A promise of true if a server answers at an address.
    pub(crate) fn answers(url: &str, signal: &web_sys::AbortSignal) -> Promise;
}
