//! Files, places in them and packages, as JavaScript passes them.

use std::collections::BTreeSet;

use capabilities::Cursor;
use js_sys::{ArrayBuffer, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use workspace::File;

use crate::{argument::text, failure::bad_argument};

/// A place in a file as people count.
pub(crate) struct Place {
    file: String,
    line: u32,
    column: u32,
}

impl Place {
    /// The same, lent.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        Cursor { file: &self.file, line: self.line, column: self.column }
    }
}

/// A file name, a line and a column.
pub(crate) fn place(file: &JsValue, line: &JsValue, column: &JsValue) -> Result<Place, JsValue> {
    Ok(Place { file: text(file, "file")?, line: count(line, "line")?, column: count(column, "column")? })
}

/// A whole number from 1.
fn count(value: &JsValue, name: &str) -> Result<u32, JsValue> {
    let number =
        value.as_f64().filter(|number| number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(number));
    number
        .map(|number| number as u32)
        .ok_or_else(|| bad_argument(&format!("`{name}` must be a whole number from 1")))
}

/// `[{ name, text, package? }]` with unique names.
pub(crate) fn files(value: JsValue, name: &str) -> Result<Vec<File>, JsValue> {
    let refused =
        |why: &str| bad_argument(&format!("`{name}` must be a list of {{ name, text, package? }}: {why}"));
    if !js_sys::Array::is_array(&value) {
        return Err(refused("it is not an array"));
    }
    let files: Vec<File> =
        serde_wasm_bindgen::from_value(value).map_err(|error| refused(&error.to_string()))?;
    let mut seen = BTreeSet::new();
    match files.iter().map(|file| file.name.as_str()).filter(|name| !seen.insert(*name)).min() {
        Some(twice) => Err(refused(&format!("there are two files \"{twice}\""))),
        None => Ok(files),
    }
}

/// A `Uint8Array`, another view, or an `ArrayBuffer`, of whatever realm.
pub(crate) fn bytes(value: &JsValue, name: &str) -> Result<Vec<u8>, JsValue> {
    let whole = value.dyn_ref::<ArrayBuffer>().map(|buffer| Uint8Array::new(buffer));
    let bytes = whole.or_else(|| ArrayBuffer::is_view(value).then(|| view(value))?);
    Ok(bytes
        .ok_or_else(|| bad_argument(&format!("`{name}` must be a Uint8Array or an ArrayBuffer")))?
        .to_vec())
}

fn view(value: &JsValue) -> Option<Uint8Array> {
    let number = |key: &str| Some(Reflect::get(value, &key.into()).ok()?.as_f64()? as u32);
    let buffer = Reflect::get(value, &"buffer".into()).ok()?;
    Some(Uint8Array::new_with_byte_offset_and_length(&buffer, number("byteOffset")?, number("byteLength")?))
}
