//! What `js/network.js` offers.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/network.js")]
extern "C" {
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
