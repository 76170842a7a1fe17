use std::{future::poll_fn, pin::Pin, sync::Arc};

use futures_core::Stream;

use crate::{
    Actor, Event, Expectation, From, Key, Phase, Resource, Scope, Store, StoreError, Transaction, Uid,
};

/// Operations that wait for changes. Dropping the future ends the waiting and reverts nothing.
impl Store {
    /// Waits until a resource meets a condition, which gets `None` if it does not exist. Returns the
    /// resource.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if it existed, and is destroyed without having met the condition (upstream
    /// waits for ever); [`StoreError::Cancelled`] when the store is closed.
    pub async fn wait_for(
        &self,
        key: &Key,
        mut condition: impl FnMut(Option<&Resource>) -> bool,
    ) -> Result<Option<Arc<Resource>>, StoreError> {
        let mut watch = self.watch(Scope::One(key.clone()), From::State)?;
        let mut seen = false;
        while let Some(event) = poll_fn(|cx| Pin::new(&mut watch).poll_next(cx)).await {
            let Some(found) = state(event) else { continue };
            if condition(found.as_deref()) {
                return Ok(found);
            }
            if seen && found.is_none() {
                return Err(StoreError::NotFound { key: key.clone() });
            }
            seen = found.is_some();
        }
        Err(StoreError::Cancelled)
    }

    /// Waits until a resource is tearing down or gone; one that does not exist is gone.
    ///
    /// # Errors
    /// [`StoreError::Cancelled`] when the store is closed.
    pub async fn wait_for_teardown(&self, key: &Key) -> Result<(), StoreError> {
        let going = |found: Option<&Resource>| found.is_none_or(|it| it.metadata.phase == Phase::TearingDown);
        self.wait_for(key, going).await.map(drop)
    }

    /// Tears a resource down, waits until it has no finalizers, and destroys it. Succeeds too if another
    /// client destroys it meanwhile; a resource that is created again under its key is left alone.
    ///
    /// # Errors
    /// Those of [`teardown`](Self::teardown); [`StoreError::Cancelled`] when the store is closed: the
    /// resource stays tearing down in that case.
    pub async fn teardown_and_destroy(&self, actor: &Actor, key: &Key) -> Result<(), StoreError> {
        let torn_down = self.commit(actor, Transaction::new().teardown(key.clone()))?;
        let Some(resource) = torn_down.resources.into_iter().next().flatten() else { return Ok(()) };
        let uid = resource.metadata.uid;
        loop {
            self.drained(key, uid).await?;
            let last = Transaction::new().expect(key.clone(), Expectation::Uid(uid)).destroy(key.clone());
            match self.commit(actor, last) {
                Ok(_) | Err(StoreError::NotFound { .. } | StoreError::UidConflict { .. }) => return Ok(()),
                Err(StoreError::PendingFinalizers { .. }) => {}
                Err(other) => return Err(other),
            }
        }
    }

    /// Waits until this incarnation has no finalizers, or is gone.
    async fn drained(&self, key: &Key, uid: Uid) -> Result<(), StoreError> {
        let drained = |found: Option<&Resource>| {
            found.is_none_or(|it| it.metadata.uid != uid || it.metadata.finalizers.is_empty())
        };
        self.wait_for(key, drained).await.map(drop)
    }
}

/// The state of a resource after an event; `None` if the event does not determine it.
#[expect(
    clippy::option_option,
    reason = "the outer option is whether there is an answer, the inner one is the answer"
)]
fn state(event: Event) -> Option<Option<Arc<Resource>>> {
    match event {
        Event::InitApply(found) | Event::Created { new: found, .. } | Event::Updated { new: found, .. } => {
            Some(Some(found))
        }
        Event::Absent(_) | Event::Destroyed { .. } => Some(None),
        Event::Init | Event::InitDone(_) | Event::Resync(_) => None,
    }
}
