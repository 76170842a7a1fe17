use std::sync::Arc;

use crate::{
    Actor, Committed, Draft, Key, Operation, Resource, Store, StoreError, Transaction, UpdateOptions,
};

/// The number of times that a modification is retried after conflicts. Each conflict means that another writer succeeded;
/// more than this is a callback that writes the very resource it is given.
const ATTEMPTS: usize = 100;

/// Single operations, each a commit of its own.
impl Store {
    /// Creates a resource.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`]; [`StoreError::OwnerConflict`] if the draft names another owner than the
    /// actor; [`StoreError::Invalid`] for empty names.
    pub fn create(&self, actor: &Actor, draft: Draft) -> Result<Arc<Resource>, StoreError> {
        self.left(actor, Operation::Create(draft))
    }

    /// Updates spec, labels and annotations of a resource that was read and then changed. An update without a
    /// difference makes no version and no event.
    ///
    /// # Errors
    /// In this order [`StoreError::NotFound`], [`StoreError::OwnerConflict`], [`StoreError::UidConflict`],
    /// [`StoreError::VersionConflict`], [`StoreError::PhaseConflict`], [`StoreError::Invalid`].
    pub fn update(
        &self,
        actor: &Actor,
        resource: Resource,
        options: UpdateOptions,
    ) -> Result<Arc<Resource>, StoreError> {
        self.left(actor, Operation::Update(resource, options))
    }

    /// [`modify_with`](Self::modify_with) for a running resource.
    ///
    /// # Errors
    /// As there.
    pub fn modify<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        key: &Key,
        change: impl FnMut(&mut Resource) -> Result<(), E>,
    ) -> Result<Arc<Resource>, E> {
        self.modify_with(actor, key, UpdateOptions::default(), change)
    }

    /// Reads a resource, changes a copy of it and updates it; again, if another writer was faster. `change`
    /// may run more than once and should only depend on its argument.
    ///
    /// # Errors
    /// Those of [`update`](Self::update); those of `change`, without any effect. The phase is checked first.
    pub fn modify_with<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        key: &Key,
        options: UpdateOptions,
        mut change: impl FnMut(&mut Resource) -> Result<(), E>,
    ) -> Result<Arc<Resource>, E> {
        self.again(|| self.modify_once(actor, key, options, &mut change))
    }

    /// [`upsert_with`](Self::upsert_with) that requires the resource, if there is one, to be running.
    ///
    /// # Errors
    /// As there.
    pub fn upsert<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        draft: Draft,
        change: impl FnMut(&mut Resource) -> Result<(), E>,
    ) -> Result<Arc<Resource>, E> {
        self.upsert_with(actor, draft, UpdateOptions::default(), change)
    }

    /// Modifies the resource of the draft's key, or creates it from the draft with the same change applied.
    /// If another client creates or destroys it meanwhile, it is retried (stricter than upstream, which fails
    /// for the later one).
    ///
    /// # Errors
    /// Those of [`create`](Self::create) and [`modify_with`](Self::modify_with).
    pub fn upsert_with<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        draft: Draft,
        options: UpdateOptions,
        mut change: impl FnMut(&mut Resource) -> Result<(), E>,
    ) -> Result<Arc<Resource>, E> {
        self.again(|| match self.modify_once(actor, &draft.key, options, &mut change)? {
            Err(StoreError::NotFound { .. }) => {
                let mut resource = Resource::from(draft.clone());
                change(&mut resource)?;
                let created =
                    Draft { key: draft.key.clone(), owner: draft.owner.clone(), ..Draft::again(resource) };
                Ok(self.create(actor, created))
            }
            other => Ok(other),
        })
    }

    /// Tears a resource down: it is to be destroyed as soon as it has no finalizers. Returns whether it has
    /// none. Idempotent.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::OwnerConflict`].
    pub fn teardown(&self, actor: &Actor, key: &Key) -> Result<bool, StoreError> {
        let committed = self.one(actor, Operation::Teardown(key.clone()))?;
        Ok(committed.ready.first().copied().unwrap_or_default())
    }

    /// Adds finalizers; any client may. Those that it has already change nothing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::PhaseConflict`] for a new one on a resource that is tearing
    /// down; [`StoreError::Invalid`] for an empty name.
    pub fn add_finalizers<N: Into<Arc<str>>>(
        &self,
        key: &Key,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Arc<Resource>, StoreError> {
        let names = names.into_iter().map(Into::into).collect();
        self.left(&Actor::user(), Operation::AddFinalizers(key.clone(), names))
    }

    /// Removes finalizers; any client may. Those that it does not have change nothing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn remove_finalizers<N: Into<Arc<str>>>(
        &self,
        key: &Key,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Arc<Resource>, StoreError> {
        let names = names.into_iter().map(Into::into).collect();
        self.left(&Actor::user(), Operation::RemoveFinalizers(key.clone(), names))
    }

    /// Destroys a resource.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::OwnerConflict`], [`StoreError::PendingFinalizers`]; with
    /// [`strict_destroy`](crate::Options::strict_destroy) [`StoreError::PhaseConflict`].
    pub fn destroy(&self, actor: &Actor, key: &Key) -> Result<(), StoreError> {
        self.one(actor, Operation::Destroy(key.clone())).map(drop)
    }

    fn one(&self, actor: &Actor, operation: Operation) -> Result<Committed, StoreError> {
        self.commit(actor, Transaction::new().then(operation))
    }

    fn left(&self, actor: &Actor, operation: Operation) -> Result<Arc<Resource>, StoreError> {
        let key = operation.key().clone();
        let committed = self.one(actor, operation)?;
        committed.resources.into_iter().next().flatten().ok_or(StoreError::NotFound { key })
    }

    /// The outer error is the caller's, which ends it; the inner one the store's, which may justify another
    /// try.
    fn modify_once<E>(
        &self,
        actor: &Actor,
        key: &Key,
        options: UpdateOptions,
        change: &mut impl FnMut(&mut Resource) -> Result<(), E>,
    ) -> Result<Result<Arc<Resource>, StoreError>, E> {
        let stored = match self.get(key) {
            Ok(stored) => stored,
            Err(error) => return Ok(Err(error)),
        };
        let found = stored.metadata.phase;
        if let Some(expected) = options.expected_phase.filter(|expected| *expected != found) {
            return Ok(Err(StoreError::PhaseConflict { key: key.clone(), expected, found }));
        }
        let mut resource = (*stored).clone();
        change(&mut resource)?;
        // The expected version is the one that was read, whatever the callback did to it.
        let metadata = crate::Metadata {
            labels: resource.metadata.labels,
            annotations: resource.metadata.annotations,
            origin: resource.metadata.origin,
            ..stored.metadata.clone()
        };
        Ok(self.update(actor, Resource { metadata, spec: resource.spec }, options))
    }

    fn again<E: std::convert::From<StoreError>>(
        &self,
        mut attempt: impl FnMut() -> Result<Result<Arc<Resource>, StoreError>, E>,
    ) -> Result<Arc<Resource>, E> {
        for _ in 1..ATTEMPTS {
            match attempt()? {
                Err(error) if worth_another(&error) => {}
                other => return other.map_err(E::from),
            }
        }
        attempt()?.map_err(E::from)
    }
}

/// True if another writer was faster.
fn worth_another(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::VersionConflict { .. }
            | StoreError::UidConflict { .. }
            | StoreError::AlreadyExists { .. }
    )
}
