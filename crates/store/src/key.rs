use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::StoreError;

/// A kind of resources in a namespace, which identifies a collection.
///
/// Written `namespace/Name`. The store gives neither part a meaning; an unknown kind has no resources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Kind {
    /// The namespace. Not empty, and without `/`.
    pub namespace: Arc<str>,
    /// The name of the kind. Not empty.
    #[serde(rename = "kind")]
    pub name: Arc<str>,
}

/// The name of one resource, never changed: `namespace/Name/id`.
///
/// Ordered by namespace, name and id, each bytewise. In JSON the three parts are `namespace`, `kind`, `id`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The collection.
    #[serde(flatten)]
    pub kind: Kind,
    /// The id in the collection. Not empty.
    pub id: Arc<str>,
}

impl Kind {
    /// A kind from its parts. They are validated when something is created.
    pub fn new(namespace: impl Into<Arc<str>>, name: impl Into<Arc<str>>) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }

    /// The key of a resource of this kind.
    pub fn key(&self, id: impl Into<Arc<str>>) -> Key {
        Key { kind: self.clone(), id: id.into() }
    }
}

impl Key {
    /// A key from its parts. They are validated when it is created.
    pub fn new(namespace: impl Into<Arc<str>>, name: impl Into<Arc<str>>, id: impl Into<Arc<str>>) -> Self {
        Kind::new(namespace, name).key(id)
    }

    /// Stricter than upstream, which accepts empty names.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let parts = [("namespace", &self.kind.namespace), ("kind", &self.kind.name), ("id", &self.id)];
        if let Some((part, _)) = parts.iter().find(|(_, text)| text.is_empty()) {
            return Err(StoreError::invalid(format!("key `{self}`"), format!("its {part} is empty")));
        }
        match self.kind.namespace.contains('/') {
            true => Err(StoreError::invalid(format!("key `{self}`"), "its namespace contains `/`")),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.id)
    }
}
