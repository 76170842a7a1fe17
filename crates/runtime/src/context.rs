use std::{
    cell::RefCell, collections::BTreeSet, future::poll_fn, pin::pin, rc::Rc, sync::Arc, task::Poll,
    time::Duration,
};

use store::{
    Actor, Committed, Draft, Key, Kind, Millis, Operation, Query, Resource, Snapshot, StoreError,
    Transaction, UpdateOptions,
};

use crate::{
    AccessDenied, CallError, Failure, Input, Rejected, Style,
    cause::{Cause, HASTE, Line},
    controller_state::{ControllerState, Order},
    queue::Job,
    register::check_inputs,
};

/// The handle of a controller's run: it reads the inputs and writes the outputs, nothing else.
///
/// Each call is checked against the declaration. Reads see all writes up to this moment, of any writer. A
/// clone may outlive the run; it keeps the controller's rights.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) controller: Rc<ControllerState>,
    pub(crate) line: Rc<Line>,
    actor: Actor,
    /// The resources that this run requires to exist, for [`prune_untouched`](Self::prune_untouched).
    touched: Rc<RefCell<BTreeSet<Key>>>,
}

impl Context {
    pub(crate) fn new(controller: Rc<ControllerState>, cause: Cause) -> Self {
        let actor = controller.actor.clone();
        Self { controller, line: Rc::new(Line::new(cause)), actor, touched: Rc::default() }
    }

    /// The controller's id: the owner of what it creates, and the finalizer it holds.
    pub fn id(&self) -> &Arc<str> {
        &self.controller.id
    }

    /// True if a resource belongs to the controller, under its id or an earlier one.
    pub fn owns(&self, resource: &Resource) -> bool {
        self.controller.actor.is(resource.metadata.owner.as_ref())
    }

    /// A context with the same rights that writes resources of the user.
    #[must_use]
    pub fn as_user(&self) -> Self {
        Self { actor: Actor::user(), ..self.clone() }
    }

    /// A resource.
    ///
    /// # Errors
    /// If it is neither input nor output; [`StoreError::NotFound`].
    pub fn get(&self, key: &Key) -> Result<Arc<Resource>, CallError> {
        self.controller.rights(|rights| rights.get(key))?;
        Ok(self.controller.shared.store.get(key)?)
    }

    /// A resource, or `None` if it does not exist.
    ///
    /// # Errors
    /// If it is neither input nor output.
    pub fn find(&self, key: &Key) -> Result<Option<Arc<Resource>>, CallError> {
        match self.get(key) {
            Err(error) if error.is_not_found() => Ok(None),
            found => found.map(Some),
        }
    }

    /// The resources of a kind that match.
    ///
    /// # Errors
    /// If the whole kind is neither input nor output.
    pub fn list(&self, kind: &Kind, query: &Query) -> Result<Snapshot, CallError> {
        self.controller.rights(|rights| rights.list(kind))?;
        Ok(self.controller.shared.store.list(kind, query))
    }

    /// Commits a transaction: all of it or nothing.
    ///
    /// # Errors
    /// If one operation is not covered by the declaration, before anything happens; those of the store.
    pub fn commit(&self, transaction: Transaction) -> Result<Committed, CallError> {
        transaction.operations.iter().for_each(|operation| self.touch(operation));
        transaction.operations.iter().try_for_each(|operation| self.may(operation))?;
        let written: Vec<Key> =
            transaction.operations.iter().filter(|it| writes(it)).map(|it| it.key().clone()).collect();
        let store = &self.controller.shared.store;
        let before = store.revision();
        let committed = store.commit(&self.actor, transaction)?;
        if committed.revision != before {
            written.iter().for_each(|key| self.wrote(key));
        }
        Ok(committed)
    }

    /// Creates a resource that the controller owns.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); [`StoreError::AlreadyExists`].
    pub fn create(&self, draft: Draft) -> Result<Arc<Resource>, CallError> {
        self.left(Operation::Create(draft))
    }

    /// Updates spec, labels and annotations of a resource that was read and then changed.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); the conflicts of [`store::Store::update`].
    pub fn update(&self, resource: Resource, options: UpdateOptions) -> Result<Arc<Resource>, CallError> {
        self.left(Operation::Update(resource, options))
    }

    /// Creates or updates the controller's resource of this key.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); [`StoreError::PhaseConflict`] while an earlier one is still leaving.
    pub fn put(&self, draft: Draft) -> Result<Arc<Resource>, CallError> {
        let Some(stored) = self.stored(&draft.key)? else { return self.create(draft) };
        let mut resource = (*stored).clone();
        resource.spec = draft.spec;
        resource.metadata.labels = draft.labels;
        resource.metadata.annotations = draft.annotations;
        self.update(resource, UpdateOptions::default())
    }

    /// Tears a resource down. Returns whether it has no finalizers left.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); [`StoreError::NotFound`].
    pub fn teardown(&self, key: &Key) -> Result<bool, CallError> {
        let committed = self.one(Operation::Teardown(key.clone()))?;
        Ok(committed.ready.first().copied().unwrap_or_default())
    }

    /// Destroys a resource.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); [`StoreError::NotFound`], [`StoreError::PendingFinalizers`].
    pub fn destroy(&self, key: &Key) -> Result<(), CallError> {
        self.one(Operation::Destroy(key.clone())).map(drop)
    }

    /// Tears down and destroys a resource of the controller. Returns whether it is gone; if not, a
    /// destroy-ready input wakes the controller when it can be destroyed. A resource that does not exist, or
    /// belongs to another owner, counts as gone.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn remove(&self, key: &Key) -> Result<bool, CallError> {
        let Some(stored) = self.stored(key)? else { return Ok(true) };
        if !self.actor.is(stored.metadata.owner.as_ref()) {
            return Ok(true);
        }
        if !self.teardown(key)? {
            return Ok(false);
        }
        self.destroy(key).map(|()| true)
    }

    /// Removes the controller's resources of a kind that this run has not created, put or updated, or tried
    /// to. Returns whether all of them are gone; if not, a destroy-ready input wakes the controller when one
    /// can be destroyed. For [`Controller::whole`](crate::Controller::whole); a run for one key does not
    /// touch what other runs require.
    ///
    /// # Errors
    /// The first error, after all were tried; as [`remove`](Self::remove).
    pub fn prune_untouched(&self, kind: &Kind) -> Result<bool, CallError> {
        let there = self.list(kind, &Query::all())?;
        let left = |it: &&Arc<Resource>| self.owns(it) && !self.touched.borrow().contains(it.key());
        let removed: Vec<_> = there.iter().filter(left).map(|it| self.remove(it.key())).collect();
        removed.into_iter().try_fold(true, |all, gone| Ok(all && gone?))
    }

    /// Adds the controller's finalizer to an input.
    ///
    /// # Errors
    /// If it is not a strong input; [`StoreError::NotFound`]; [`StoreError::PhaseConflict`] once it is
    /// tearing down.
    pub fn hold(&self, key: &Key) -> Result<Arc<Resource>, CallError> {
        self.left(Operation::AddFinalizers(key.clone(), vec![self.controller.id.clone()]))
    }

    /// Removes the controller's finalizer from an input, under all of its ids. It is no error if the resource
    /// is gone.
    ///
    /// # Errors
    /// If it is not a strong input.
    pub fn release(&self, key: &Key) -> Result<(), CallError> {
        let names = self.names().cloned().collect();
        match self.one(Operation::RemoveFinalizers(key.clone(), names)) {
            Err(error) if error.is_not_found() => Ok(()),
            other => other.map(drop),
        }
    }

    /// True if the controller has a finalizer on a resource, under its id or an earlier one.
    pub fn holds(&self, resource: &Resource) -> bool {
        self.names().any(|name| resource.metadata.finalizers.contains(name))
    }

    /// The current time.
    pub fn now(&self) -> Millis {
        self.controller.shared.timer.now()
    }

    /// Waits for a duration.
    pub async fn sleep(&self, duration: Duration) {
        let at = self.now() + duration;
        // A host's timer may fire early.
        while self.now() < at {
            self.controller.shared.timer.sleep_until(at).await;
        }
    }

    /// Waits for work, at most until a resource is tearing down or gone: `None` if that came first, and then the work is dropped
    /// at its next `await`. A run that waits for something long does so through this, so that its queue is not blocked by
    /// work that is not needed any more; the teardown wakes the controller as any change does.
    ///
    /// # Errors
    /// If the resource is neither input nor output; [`StoreError::Cancelled`] once the store is closed.
    pub async fn until_teardown<T>(
        &self,
        key: &Key,
        work: impl Future<Output = T>,
    ) -> Result<Option<T>, CallError> {
        self.controller.rights(|rights| rights.get(key))?;
        let store = self.controller.shared.store.clone();
        let (mut teardown, mut work) = (pin!(store.wait_for_teardown(key)), pin!(work));
        poll_fn(|cx| match teardown.as_mut().poll(cx) {
            Poll::Ready(ended) => Poll::Ready(ended.map(|()| None).map_err(CallError::Store)),
            Poll::Pending => work.as_mut().poll(cx).map(|done| Ok(Some(done))),
        })
        .await
    }

    /// Schedules a run of a queue controller for this key after a delay, or sooner. Runs that each request
    /// the next one immediately form a chain, as with writes: one that is too long is slowed down.
    pub fn requeue(&self, key: &Key, delay: Duration) {
        if self.controller.style == Style::Queue {
            self.controller.order(Order::Requeue(Job::Key(key.clone()), delay, self.chain(delay)));
        }
    }

    /// Wakes a whole-set or manual controller after a delay, or sooner; as with [`requeue`](Self::requeue),
    /// an endless chain is slowed down.
    pub fn wake(&self, delay: Duration) {
        if self.controller.style != Style::Queue {
            self.controller.order(Order::Requeue(Job::Whole, delay, self.chain(delay)));
        }
    }

    /// For a manual controller: waits until an input has changed since the last call. Ready immediately the
    /// first time. Clears the resources that [`prune_untouched`](Self::prune_untouched) keeps.
    pub async fn wait_for_changes(&self) {
        self.line.cause.set(self.controller.news.notified().await);
        self.touched.borrow_mut().clear();
    }

    /// Replaces the inputs: rights change immediately, and if some are new there is one additional wake.
    /// Queue controllers keep the inputs that they registered.
    ///
    /// # Errors
    /// [`Rejected`]; nothing changes in that case.
    pub fn set_inputs(&self, inputs: Vec<Input>) -> Result<(), Rejected> {
        if self.controller.style == Style::Queue {
            return Err(Rejected::FixedInputs { controller: self.controller.id.clone() });
        }
        check_inputs(&self.controller.id, &inputs)?;
        let before = self.controller.inputs.replace(inputs);
        let new = self.controller.inputs.borrow().iter().any(|input| !before.contains(input));
        self.controller.order(Order::Inputs { new });
        Ok(())
    }

    /// The cause of a wake that the run itself requests so soon. A run that has ended, or that of a manual
    /// controller that waits, does nothing by itself, so then the caller is outside of it.
    fn chain(&self, delay: Duration) -> Option<Cause> {
        let outside = self.line.over.get() || self.controller.news.is_awaited();
        (delay < HASTE && !outside).then(|| self.line.cause.get())
    }

    fn may(&self, operation: &Operation) -> Result<(), AccessDenied> {
        self.controller.rights(|rights| match operation {
            Operation::Create(_) | Operation::Update(..) => rights.write(operation.key()),
            Operation::Teardown(key) | Operation::Destroy(key) => rights.remove(key),
            Operation::AddFinalizers(key, _) | Operation::RemoveFinalizers(key, _) => rights.finalize(key),
            Operation::Expect(key, _) => rights.get(key),
        })
    }

    fn touch(&self, operation: &Operation) {
        if matches!(operation, Operation::Create(_) | Operation::Update(..)) {
            self.touched.borrow_mut().insert(operation.key().clone());
        }
    }

    fn wrote(&self, key: &Key) {
        self.controller.wrote(&key.kind);
        self.controller.shared.causes.wrote(key, self.line.cause.get());
    }

    fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        std::iter::once(&self.controller.id).chain(&self.controller.actor.aliases)
    }

    fn stored(&self, key: &Key) -> Result<Option<Arc<Resource>>, CallError> {
        self.controller.rights(|rights| rights.remove(key))?;
        self.find(key)
    }

    fn one(&self, operation: Operation) -> Result<Committed, CallError> {
        self.commit(Transaction::new().then(operation))
    }

    fn left(&self, operation: Operation) -> Result<Arc<Resource>, CallError> {
        let key = operation.key().clone();
        let left = self.one(operation)?.resources.into_iter().next().flatten();
        left.ok_or(CallError::Store(StoreError::NotFound { key }))
    }
}

/// The result of a manual controller's run: it is finished, or it failed.
pub type ManualOutcome = Result<(), Failure>;

fn writes(operation: &Operation) -> bool {
    !matches!(operation, Operation::Expect(..))
}
