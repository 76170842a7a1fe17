//! Upper and lower case. The browser has the tables of Unicode; Rust's would be 24 KB of the page's data.

/// A text in lower case.
#[cfg(target_arch = "wasm32")]
pub fn lower(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// A text in lower case.
#[cfg(not(target_arch = "wasm32"))]
pub fn lower(text: &str) -> String {
    text.to_lowercase()
}

/// A text in upper case.
#[cfg(target_arch = "wasm32")]
pub fn upper(text: &str) -> String {
    js_sys::JsString::from(text).to_upper_case().into()
}

/// A text in upper case.
#[cfg(not(target_arch = "wasm32"))]
pub fn upper(text: &str) -> String {
    text.to_uppercase()
}

/// A text that begins with a capital letter.
pub fn capitalised(text: &str) -> String {
    let length = text.chars().next().map_or(0, char::len_utf8);
    let (first, rest) = text.split_at_checked(length).unwrap_or_default();
    upper(first) + rest
}
