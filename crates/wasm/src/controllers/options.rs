//! The options of `Store`'s methods, read strictly: a misspelt key is an error, not silence.

use std::sync::Arc;

use ::store::{Actor, Phase, Query, UpdateOptions};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use wasm_bindgen::JsValue;

use crate::{argument, failure::bad_argument};

/// The options of a store.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct StoreOptions {
    strict_destroy: bool,
    log_bytes: usize,
    log_entries: usize,
}

/// The owner on whose behalf a resource is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Writer {
    owner: Option<Arc<str>>,
}

/// The owner on whose behalf a resource is updated, and the terms of the update.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct OwnedUpdate {
    owner: Option<Arc<str>>,
    expected_phase: Option<ExpectedPhase>,
    touch: bool,
}

/// The terms of a controller's update; the owner is the controller itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Update {
    expected_phase: Option<ExpectedPhase>,
    touch: bool,
}

/// The phase that a resource must be in to be updated.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ExpectedPhase {
    #[default]
    Running,
    TearingDown,
    Any,
}

/// Since when to watch, as JavaScript says it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Since {
    Now,
    State,
    Bookmark(String),
    Tail(usize),
}

/// The query of a watch and the revision it starts from.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct WatchOptions {
    pub(super) from: Option<Since>,
    pub(super) query: Option<Query>,
}

/// Plain data as Rust data.
pub(super) fn read<T: DeserializeOwned>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    let read = serde_json::from_str(&argument::json(value, name)?);
    read.map_err(|error| bad_argument(&format!("`{name}`: {}", argument::why(&error))))
}

/// Checks that an object has no other keys than these.
pub(super) fn check_keys(object: &Value, name: &str, keys: &[&str]) -> Result<(), JsValue> {
    let Some(object) = object.as_object() else {
        return Err(bad_argument(&format!("`{name}` must be an object")));
    };
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => {
            Err(bad_argument(&format!("`{name}`: unknown key `{key}`, expected one of {}", keys.join(", "))))
        }
        None => Ok(()),
    }
}

impl Default for StoreOptions {
    fn default() -> Self {
        let ::store::Options { strict_destroy, log_bytes, log_entries, .. } = ::store::Options::default();
        Self { strict_destroy, log_bytes, log_entries }
    }
}

impl From<StoreOptions> for ::store::Options {
    fn from(options: StoreOptions) -> Self {
        let StoreOptions { strict_destroy, log_bytes, log_entries } = options;
        Self { strict_destroy, log_bytes, log_entries, ..Self::default() }
    }
}

impl Writer {
    pub(super) fn actor(self) -> Actor {
        self.owner.map_or_else(Actor::user, Actor::named)
    }
}

impl OwnedUpdate {
    pub(super) fn actor(&self) -> Actor {
        Writer { owner: self.owner.clone() }.actor()
    }

    pub(super) fn options(&self) -> UpdateOptions {
        ExpectedPhase::options(self.expected_phase, self.touch)
    }
}

impl Update {
    pub(super) fn options(&self) -> UpdateOptions {
        ExpectedPhase::options(self.expected_phase, self.touch)
    }
}

impl ExpectedPhase {
    pub(super) fn options(expected: Option<Self>, touch: bool) -> UpdateOptions {
        let expected_phase = match expected.unwrap_or_default() {
            Self::Running => Some(Phase::Running),
            Self::TearingDown => Some(Phase::TearingDown),
            Self::Any => None,
        };
        UpdateOptions { expected_phase, touch }
    }
}
