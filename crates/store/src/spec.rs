use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::Value;

use crate::StoreError;

/// A resource's content, as canonical JSON (keys sorted, no spaces), which the store compares and does not
/// interpret.
///
/// Cheap to clone: the text is shared.
#[derive(Clone)]
pub struct Spec {
    text: Arc<str>,
    /// The result of [`shared_value`](Self::shared_value).
    value: OnceLock<Arc<Value>>,
}

impl Spec {
    /// The spec for a value.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] if it has no JSON form (a map whose keys are not texts).
    pub fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, StoreError> {
        let value =
            serde_json::to_value(value).map_err(|error| StoreError::invalid("spec", error.to_string()))?;
        Ok(value.into())
    }

    /// Parses a spec from JSON.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] if it is not JSON.
    pub fn parse(text: &str) -> Result<Self, StoreError> {
        let value: Result<Value, _> = serde_json::from_str(text);
        value.map(Self::from).map_err(|error| StoreError::invalid("spec", error.to_string()))
    }

    /// The spec whose [`text`](Self::text) this is, without parsing it: for what a backing store wrote and
    /// verified. Another text makes a spec that is not equal to its parsed form.
    pub fn canonical(text: &str) -> Self {
        Self { text: text.into(), value: OnceLock::new() }
    }

    /// The spec as a `T`.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] if it does not have that shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        serde_json::from_str(&self.text).map_err(|error| StoreError::invalid("spec", error.to_string()))
    }

    /// The canonical text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The spec as untyped JSON.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The same, kept beside the text: for who reads a resource again and again, at the price of its memory.
    pub fn shared_value(&self) -> &Arc<Value> {
        self.value.get_or_init(|| Arc::new(self.value()))
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Spec {}

impl Hash for Spec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl std::convert::From<Value> for Spec {
    fn from(mut value: Value) -> Self {
        value.sort_all_objects();
        Self { text: value.to_string().into(), value: OnceLock::new() }
    }
}

impl Default for Spec {
    fn default() -> Self {
        Self { text: "null".into(), value: OnceLock::new() }
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}
