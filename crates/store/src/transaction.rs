use std::sync::Arc;

use crate::{Draft, Key, Phase, Resource, Revision, Uid};

/// Several operations that are executed together or not at all.
///
/// Each operation sees the effects of those before it. Overall a resource gets one version and one event, or
/// two if it was destroyed and created again, or none if nothing is different in the end. Versions and uids
/// that operations expect are those from before the transaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transaction {
    /// The operations, in order.
    pub operations: Vec<Operation>,
}

/// One step of a [`Transaction`].
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Creates a resource.
    Create(Draft),
    /// Updates spec, labels, annotations and origin of a resource that was read and then changed; the rest of it is
    /// ignored. A resource that this transaction creates is referred to by the result of [`Resource::from`]
    /// for its draft.
    Update(Resource, UpdateOptions),
    /// Tears a resource down: it is to be destroyed as soon as it has no finalizers.
    Teardown(Key),
    /// Adds finalizers. Any actor may; new ones are refused once it is tearing down.
    AddFinalizers(Key, Vec<Arc<str>>),
    /// Removes finalizers. Any actor may.
    RemoveFinalizers(Key, Vec<Arc<str>>),
    /// Destroys a resource.
    Destroy(Key),
    /// Has no effect if the expectation holds; otherwise the whole transaction fails.
    Expect(Key, Expectation),
}

/// A precondition of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// The resource does not exist.
    Absent,
    /// It is this incarnation, in any version.
    Uid(Uid),
    /// It is this incarnation in this version.
    Version(Uid, u64),
}

/// Options of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdateOptions {
    /// The phase it must be in; `None` is any. By default [`Phase::Running`].
    pub expected_phase: Option<Phase>,
    /// True if an update that changes nothing makes a version and an event nevertheless.
    pub touch: bool,
}

/// The result of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Committed {
    /// The store's revision after it. A transaction without effect does not change it.
    pub revision: Revision,
    /// For each operation, its resource after the whole transaction; `None` if it is gone.
    pub resources: Vec<Option<Arc<Resource>>>,
    /// For each operation, whether its resource is tearing down without finalizers.
    pub ready: Vec<bool>,
}

impl Default for UpdateOptions {
    fn default() -> Self {
        Self { expected_phase: Some(Phase::Running), touch: false }
    }
}

impl UpdateOptions {
    /// Accepts any phase.
    pub fn any_phase() -> Self {
        Self { expected_phase: None, ..Self::default() }
    }

    /// Makes a version even if nothing changes.
    #[must_use]
    pub fn touch(mut self) -> Self {
        self.touch = true;
        self
    }
}

impl Transaction {
    /// An empty transaction.
    pub fn new() -> Self {
        Self::default()
    }

    /// [`Operation::Create`].
    #[must_use]
    pub fn create(self, draft: Draft) -> Self {
        self.then(Operation::Create(draft))
    }

    /// [`Operation::Update`] of a running resource.
    #[must_use]
    pub fn update(self, resource: Resource) -> Self {
        self.update_with(resource, UpdateOptions::default())
    }

    /// [`Operation::Update`].
    #[must_use]
    pub fn update_with(self, resource: Resource, options: UpdateOptions) -> Self {
        self.then(Operation::Update(resource, options))
    }

    /// [`Operation::Teardown`].
    #[must_use]
    pub fn teardown(self, key: Key) -> Self {
        self.then(Operation::Teardown(key))
    }

    /// [`Operation::AddFinalizers`].
    #[must_use]
    pub fn add_finalizers<N: Into<Arc<str>>>(self, key: Key, names: impl IntoIterator<Item = N>) -> Self {
        self.then(Operation::AddFinalizers(key, names.into_iter().map(Into::into).collect()))
    }

    /// [`Operation::RemoveFinalizers`].
    #[must_use]
    pub fn remove_finalizers<N: Into<Arc<str>>>(self, key: Key, names: impl IntoIterator<Item = N>) -> Self {
        self.then(Operation::RemoveFinalizers(key, names.into_iter().map(Into::into).collect()))
    }

    /// [`Operation::Destroy`].
    #[must_use]
    pub fn destroy(self, key: Key) -> Self {
        self.then(Operation::Destroy(key))
    }

    /// [`Operation::Expect`].
    #[must_use]
    pub fn expect(self, key: Key, expectation: Expectation) -> Self {
        self.then(Operation::Expect(key, expectation))
    }

    /// Adds an operation.
    #[must_use]
    pub fn then(mut self, operation: Operation) -> Self {
        self.operations.push(operation);
        self
    }
}

impl Operation {
    /// The resource it is about.
    pub fn key(&self) -> &Key {
        match self {
            Self::Create(draft) => &draft.key,
            Self::Update(resource, _) => resource.key(),
            Self::Teardown(key)
            | Self::AddFinalizers(key, _)
            | Self::RemoveFinalizers(key, _)
            | Self::Destroy(key)
            | Self::Expect(key, _) => key,
        }
    }
}
