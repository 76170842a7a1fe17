//! Rust data to plain JavaScript data.
//!
//! Answers cross as JSON text and are read with `JSON.parse`, not built property by property with
//! serde-wasm-bindgen: a user's key `__proto__` stays a key (an assignment would change the prototype and lose the
//! value), numbers are spelt as on the command line, and a large answer is one call instead of one for each property.

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::failure;

/// The result of an exported method: plain data, or the error that is thrown.
pub(crate) type Answer = Result<JsValue, JsValue>;

/// The data as plain objects.
pub(crate) fn plain(data: &impl Serialize) -> Answer {
    parsed(&serde_json::to_string(data).map_err(|error| failure::internal(&error.to_string()))?)
}

/// JSON text as plain objects.
pub(crate) fn parsed(json: &str) -> Answer {
    js_sys::JSON::parse(json)
}
