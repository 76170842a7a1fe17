use std::sync::Arc;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Annotations, Finalizers, Key, Labels, Metadata, Millis, Phase, Revision, Spec, StoreError, Uid};

/// A resource as the store holds it: handed out shared, never changed in place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// What the store keeps about it.
    pub metadata: Metadata,
    /// What it says.
    #[serde(default)]
    pub spec: Spec,
}

/// A resource to create, as its author gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Its name.
    #[serde(flatten)]
    pub key: Key,
    /// Who it shall belong to; `None`: whoever creates it. Anyone else who creates it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Arc<str>>,
    /// Who needs it from the first moment on.
    #[serde(default)]
    pub finalizers: Finalizers,
    /// What queries can ask for.
    #[serde(default)]
    pub labels: Labels,
    /// What queries cannot ask for.
    #[serde(default)]
    pub annotations: Annotations,
    /// What it says.
    #[serde(default)]
    pub spec: Spec,
}

impl Resource {
    /// Its name.
    pub fn key(&self) -> &Key {
        &self.metadata.key
    }

    /// Its name in its kind.
    pub fn id(&self) -> &Arc<str> {
        &self.metadata.key.id
    }

    /// What it says, as a `T`.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] where it does not have that shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        self.spec.read()
    }

    /// Whether both say the same, whenever and as the how-manieth version they say it.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.metadata, &other.metadata);
        self.spec == other.spec
            && (a.phase, &a.owner, &a.finalizers) == (b.phase, &b.owner, &b.finalizers)
            && a.labels == b.labels
            && a.annotations == b.annotations
    }
}

impl Draft {
    /// A resource with this name that says this.
    pub fn new(key: Key, spec: Spec) -> Self {
        Self {
            key,
            owner: None,
            finalizers: Finalizers::new(),
            labels: Labels::new(),
            annotations: Annotations::new(),
            spec,
        }
    }

    /// With a label.
    #[must_use]
    pub fn label(mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Self {
        self.labels.insert(name.into(), value.into());
        self
    }

    /// With an annotation.
    #[must_use]
    pub fn annotation(mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Self {
        self.annotations.insert(name.into(), value.into());
        self
    }

    /// With a finalizer, in the same commit: nobody can destroy it before its holder has seen it.
    #[must_use]
    pub fn finalizer(mut self, name: impl Into<Arc<str>>) -> Self {
        self.finalizers.insert(name.into());
        self
    }

    /// Belonging to this owner.
    #[must_use]
    pub fn owner(mut self, owner: impl Into<Arc<str>>) -> Self {
        self.owner = Some(owner.into());
        self
    }

    /// A copy's part that an author decides.
    pub(crate) fn again(resource: Resource) -> Self {
        let Metadata { key, owner, finalizers, labels, annotations, .. } = resource.metadata;
        Self { key, owner, finalizers, labels, annotations, spec: resource.spec }
    }
}

/// Not stored yet: uid and version are 0.
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
            finalizers: draft.finalizers,
            labels: draft.labels,
            annotations: draft.annotations,
            created: Millis::default(),
            updated: Millis::default(),
        };
        Self { metadata, spec: draft.spec }
    }
}
