//! JavaScript arguments to Rust data; whatever is passed, the answer is data or a thrown error.

#[cfg(any(feature = "descriptors", feature = "controllers"))]
use wasm_bindgen::JsValue;

#[cfg(any(feature = "descriptors", feature = "controllers"))]
use crate::failure::bad_argument;

/// A string.
#[cfg(any(feature = "descriptors", feature = "controllers"))]
pub(crate) fn text(value: &JsValue, name: &str) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| bad_argument(&format!("`{name}` must be a string")))
}

/// A boolean.
#[cfg(feature = "descriptors")]
pub(crate) fn flag(value: &JsValue, name: &str) -> Result<bool, JsValue> {
    value.as_bool().ok_or_else(|| bad_argument(&format!("`{name}` must be true or false")))
}

/// Options as JSON text; `{}` for `undefined` and `null`.
#[cfg(any(feature = "descriptors", feature = "controllers"))]
pub(crate) fn json(value: &JsValue, name: &str) -> Result<String, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok("{}".to_owned());
    }
    plain_text(value, name)
}

#[cfg(any(feature = "descriptors", feature = "controllers"))]
fn plain_text(value: &JsValue, name: &str) -> Result<String, JsValue> {
    let text = js_sys::JSON::stringify(value).ok().and_then(|text| text.as_string());
    text.ok_or_else(|| bad_argument(&format!("`{name}` must be plain data")))
}

/// Plain data of a type; it may be null.
#[cfg(feature = "descriptors")]
pub(crate) fn data<T: serde::de::DeserializeOwned>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    serde_json::from_str(&plain_text(value, name)?)
        .map_err(|error| bad_argument(&format!("`{name}`: {}", why(&error))))
}

/// The message of a JSON error without its position, which means nothing to a caller who passed an object.
pub(crate) fn why(error: &serde_json::Error) -> String {
    let (message, place) =
        (error.to_string(), format!(" at line {} column {}", error.line(), error.column()));
    message.strip_suffix(&place).map_or(message.clone(), Into::into)
}
