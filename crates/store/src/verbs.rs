use std::sync::Arc;

use crate::{
    Actor, Committed, Draft, Key, Operation, Resource, Store, StoreError, Transaction, UpdateOptions,
};

/// So often a modification is tried anew because another was quicker. Each time somebody got on; more than this is a
/// callback that writes the very resource it is shown.
const ATTEMPTS: usize = 100;

/// Single operations, each a commit of its own.
impl Store {
    /// A new resource.
    ///
    /// # Errors
    /// [`StoreError::AlreadyExists`]; [`StoreError::OwnerConflict`] where the draft names another owner than the actor;
    /// [`StoreError::Invalid`] for empty names.
    pub fn create(&self, actor: &Actor, draft: Draft) -> Result<Arc<Resource>, StoreError> {
        self.left(actor, Operation::Create(draft))
    }

    /// Spec, labels and annotations of a resource as it was read and then changed. One that says the same as is stored
    /// is silent: no version, no event.
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

    /// [`modify_with`](Self::modify_with) a resource that is running.
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

    /// Reads a resource, changes a copy of it and updates it; again, if another was quicker. `change` may run more
    /// than once and should only look at what it is shown.
    ///
    /// # Errors
    /// Those of [`update`](Self::update); `change`'s own, and then nothing happened. The phase is looked at first.
    pub fn modify_with<E: std::convert::From<StoreError>>(
        &self,
        actor: &Actor,
        key: &Key,
        options: UpdateOptions,
        mut change: impl FnMut(&mut Resource) -> Result<(), E>,
    ) -> Result<Arc<Resource>, E> {
        self.again(|| self.modify_once(actor, key, options, &mut change))
    }

    /// [`upsert_with`](Self::upsert_with) that needs the resource, if there is one, to be running.
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

    /// Modifies the resource of the draft's key, or creates it from the draft with the same change applied. Whoever
    /// creates or destroys it meanwhile is noticed (stricter than upstream, which fails for the one who is too late).
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

    /// It shall go as soon as nobody needs it. Whether nobody does. Once is enough; more is no harm.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::OwnerConflict`].
    pub fn teardown(&self, actor: &Actor, key: &Key) -> Result<bool, StoreError> {
        let committed = self.one(actor, Operation::Teardown(key.clone()))?;
        Ok(committed.ready.first().copied().unwrap_or_default())
    }

    /// These need it; anybody may say so. Those who do already change nothing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::PhaseConflict`] for a new one on what is tearing down;
    /// [`StoreError::Invalid`] for an empty name.
    pub fn add_finalizers<N: Into<Arc<str>>>(
        &self,
        key: &Key,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Arc<Resource>, StoreError> {
        let names = names.into_iter().map(Into::into).collect();
        self.left(&Actor::user(), Operation::AddFinalizers(key.clone(), names))
    }

    /// These no longer need it; anybody may say so. Those who did not change nothing.
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

    /// It goes.
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

    /// The outer error is the caller's, which ends it; the inner one the store's, which may be worth another try.
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
        // What was read is what is expected, whatever the callback did to it.
        let metadata = crate::Metadata {
            labels: resource.metadata.labels,
            annotations: resource.metadata.annotations,
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

/// Whether another was quicker.
fn worth_another(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::VersionConflict { .. }
            | StoreError::UidConflict { .. }
            | StoreError::AlreadyExists { .. }
    )
}
