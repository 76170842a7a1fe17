use std::sync::Arc;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Annotations, Finalizers, Key, Labels, Metadata, Millis, Origin, Phase, Revision, Spec, StoreError, Uid,
};

/// A resource in the store: shared, never changed in place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// The metadata that the store maintains.
    pub metadata: Metadata,
    /// The content.
    #[serde(default)]
    pub spec: Spec,
}

/// A resource to create, as its author specifies it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Its name.
    #[serde(flatten)]
    pub key: Key,
    /// The owner to be; `None` is the one that creates it. Any other owner that creates it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Arc<str>>,
    /// The finalizers that it has from the beginning.
    #[serde(default)]
    pub finalizers: Finalizers,
    /// Texts that queries can select by.
    #[serde(default)]
    pub labels: Labels,
    /// Texts that queries cannot select by.
    #[serde(default)]
    pub annotations: Annotations,
    /// The write that it is a copy of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Box<Origin>>,
    /// The content.
    #[serde(default)]
    pub spec: Spec,
}

impl Resource {
    /// Its name.
    pub fn key(&self) -> &Key {
        &self.metadata.key
    }

    /// Its id in its kind.
    pub fn id(&self) -> &Arc<str> {
        &self.metadata.key.id
    }

    /// The spec as a `T`.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] if it does not have that shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        self.spec.read()
    }

    /// True if both have the same content, regardless of version and times.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.metadata, &other.metadata);
        self.spec == other.spec
            && (a.phase, &a.owner, &a.finalizers) == (b.phase, &b.owner, &b.finalizers)
            && a.labels == b.labels
            && (&a.annotations, &a.origin) == (&b.annotations, &b.origin)
    }
}

impl Draft {
    /// A draft with this key and spec.
    pub fn new(key: Key, spec: Spec) -> Self {
        Self {
            key,
            owner: None,
            finalizers: Finalizers::new(),
            labels: Labels::new(),
            annotations: Annotations::new(),
            origin: None,
            spec,
        }
    }

    /// Adds a label.
    #[must_use]
    pub fn label(mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Self {
        self.labels.insert(name.into(), value.into());
        self
    }

    /// Adds an annotation.
    #[must_use]
    pub fn annotation(mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Self {
        self.annotations.insert(name.into(), value.into());
        self
    }

    /// Adds a finalizer, in the same commit: it cannot be destroyed before the holder has seen it.
    #[must_use]
    pub fn finalizer(mut self, name: impl Into<Arc<str>>) -> Self {
        self.finalizers.insert(name.into());
        self
    }

    /// Sets the owner.
    #[must_use]
    pub fn owner(mut self, owner: impl Into<Arc<str>>) -> Self {
        self.owner = Some(owner.into());
        self
    }

    /// The part of a copy that its author determines.
    pub(crate) fn again(resource: Resource) -> Self {
        let Metadata { key, owner, finalizers, labels, annotations, origin, .. } = resource.metadata;
        Self { key, owner, finalizers, labels, annotations, origin, spec: resource.spec }
    }
}

/// A resource that is not stored yet: uid and version are 0.
impl std::convert::From<Draft> for Resource {
    fn from(draft: Draft) -> Self {
        let metadata = Metadata {
            key: draft.key,
            uid: Uid::default(),
            version: 0,
            revision: Revision::default(),
            generation: 0,
            owner: draft.owner,
            phase: Phase::Running,
            origin: draft.origin,
            finalizers: draft.finalizers,
            labels: draft.labels,
            annotations: draft.annotations,
            created: Millis::default(),
            updated: Millis::default(),
        };
        Self { metadata, spec: draft.spec }
    }
}
