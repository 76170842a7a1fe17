use std::sync::Arc;

use serde::{Serialize, de::DeserializeOwned};

use crate::{Draft, Key, Kind, Spec, StoreError};

/// A Rust type that is the spec of one kind.
pub trait Typed: Serialize + DeserializeOwned {
    /// The namespace of its resources.
    const NAMESPACE: &str;
    /// The name of the kind.
    const NAME: &str;

    /// The kind.
    fn kind() -> Kind {
        Kind::new(Self::NAMESPACE, Self::NAME)
    }

    /// The key of one of them.
    fn key(id: impl Into<Arc<str>>) -> Key {
        Self::kind().key(id)
    }

    /// A draft with this spec.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] if it has no JSON form.
    fn draft(&self, id: impl Into<Arc<str>>) -> Result<Draft, StoreError> {
        Ok(Draft::new(Self::key(id), Spec::of(self)?))
    }
}
