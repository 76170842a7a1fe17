//! Resources, drafts, keys and kinds as JavaScript passes them: a misspelt key is an error, not silence.

use ::store::{Draft, Key, Kind, Resource};
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::options::{check_keys, read};
use crate::{argument, failure::bad_argument};

const DRAFT: [&str; 8] = ["namespace", "kind", "id", "owner", "finalizers", "labels", "annotations", "spec"];
/// The keys of metadata; the metadata of a resource is accepted as a key or a kind as well.
const METADATA: [&str; 14] = [
    "namespace",
    "kind",
    "id",
    "uid",
    "version",
    "revision",
    "generation",
    "owner",
    "phase",
    "finalizers",
    "labels",
    "annotations",
    "created",
    "updated",
];
const RESOURCE: [&str; 2] = ["metadata", "spec"];

pub(super) fn key(value: &JsValue) -> Result<Key, JsValue> {
    key_of(read(value, "key")?, "key")
}

pub(super) fn kind(value: &JsValue, name: &str) -> Result<Kind, JsValue> {
    of_metadata(read(value, name)?, name)
}

pub(super) fn draft(value: &JsValue) -> Result<Draft, JsValue> {
    draft_of(read(value, "draft")?, "draft")
}

pub(super) fn resource(value: &JsValue, name: &str) -> Result<Resource, JsValue> {
    resource_of(read(value, name)?, name)
}

pub(super) fn key_of(value: Value, name: &str) -> Result<Key, JsValue> {
    of_metadata(value, name)
}

pub(super) fn draft_of(value: Value, name: &str) -> Result<Draft, JsValue> {
    check_keys(&value, name, &DRAFT)?;
    made(value, name)
}

/// Refuses a resource without a spec: it had one when it was read, so it was lost on the way.
pub(super) fn resource_of(value: Value, name: &str) -> Result<Resource, JsValue> {
    check_keys(&value, name, &RESOURCE)?;
    if value.get("spec").is_none() {
        return Err(bad_argument(&format!("`{name}` has no spec; null is one")));
    }
    check_metadata(value.get("metadata").unwrap_or(&Value::Null), &format!("{name}.metadata"))?;
    made(value, name)
}

fn of_metadata<T: DeserializeOwned>(value: Value, name: &str) -> Result<T, JsValue> {
    check_metadata(&value, name)?;
    made(value, name)
}

fn check_metadata(value: &Value, name: &str) -> Result<(), JsValue> {
    check_keys(value, name, &METADATA)
}

fn made<T: DeserializeOwned>(value: Value, name: &str) -> Result<T, JsValue> {
    serde_json::from_value(value)
        .map_err(|error| bad_argument(&format!("`{name}`: {}", argument::why(&error))))
}
