use std::sync::Arc;

use crate::{Draft, Key, Phase, Resource, Revision, Uid};

/// Several operations that happen together or not at all.
///
/// Each sees what those before it did. On the whole a resource gets one version and one event, or two where it was
/// destroyed and created anew, or none where nothing is different in the end. Versions and uids that operations expect
/// are those from before the transaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transaction {
    /// In order.
    pub operations: Vec<Operation>,
}

/// One step of a [`Transaction`].
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A new resource.
    Create(Draft),
    /// The spec, labels and annotations of a resource as it was read and then changed; nothing else of it counts.
    /// One that this transaction creates is named by what [`Resource::from`] makes of its draft.
    Update(Resource, UpdateOptions),
    /// It shall go as soon as nobody needs it.
    Teardown(Key),
    /// These need it. Anybody may; nobody new once it is tearing down.
    AddFinalizers(Key, Vec<Arc<str>>),
    /// These no longer need it. Anybody may.
    RemoveFinalizers(Key, Vec<Arc<str>>),
    /// It goes.
    Destroy(Key),
    /// Nothing, if this holds; else nothing of the whole transaction.
    Expect(Key, Expectation),
}

/// A precondition of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// There is no such resource.
    Absent,
    /// It is this one, whatever it says by now.
    Uid(Uid),
    /// It is this one and nobody has written it since it was read.
    Version(Uid, u64),
}

/// How to update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdateOptions {
    /// The phase it must be in; `None` is any. By default [`Phase::Running`].
    pub expected_phase: Option<Phase>,
    /// Whether an update that changes nothing makes a version and an event all the same.
    pub touch: bool,
}

/// The result of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Committed {
    /// The store's revision after it. One that did nothing leaves it as it was.
    pub revision: Revision,
    /// For each operation, its resource as it is after the whole transaction; `None`: gone.
    pub resources: Vec<Option<Arc<Resource>>>,
    /// For each operation, whether its resource is left tearing down with nobody needing it.
    pub ready: Vec<bool>,
}

impl Default for UpdateOptions {
    fn default() -> Self {
        Self { expected_phase: Some(Phase::Running), touch: false }
    }
}

impl UpdateOptions {
    /// In any phase.
    pub fn any_phase() -> Self {
        Self { expected_phase: None, ..Self::default() }
    }

    /// Also where nothing changes.
    #[must_use]
    pub fn touch(mut self) -> Self {
        self.touch = true;
        self
    }
}

impl Transaction {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// [`Operation::Create`].
    #[must_use]
    pub fn create(self, draft: Draft) -> Self {
        self.then(Operation::Create(draft))
    }

    /// [`Operation::Update`] of one that is running.
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

    /// One more operation.
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
