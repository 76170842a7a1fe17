use std::{cell::RefCell, collections::BTreeSet, rc::Rc, sync::Arc, time::Duration};

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

/// The handle of a controller's run: it reads its inputs, writes its outputs, nothing else.
///
/// Each call is checked against the declaration. Reads see what was written, by whomever, up to this moment. A copy
/// may outlive the run; it keeps the controller's rights.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) controller: Rc<ControllerState>,
    pub(crate) line: Rc<Line>,
    actor: Actor,
    /// What this run wants to be there, for [`prune_untouched`](Self::prune_untouched).
    touched: Rc<RefCell<BTreeSet<Key>>>,
}

impl Context {
    pub(crate) fn new(desk: Rc<ControllerState>, cause: Cause) -> Self {
        let actor = desk.actor.clone();
        Self { controller: desk, line: Rc::new(Line::new(cause)), actor, touched: Rc::default() }
    }

    /// The controller's id: the owner of what it creates, and the finalizer it holds.
    pub fn id(&self) -> &Arc<str> {
        &self.controller.id
    }

    /// Whether a resource belongs to the controller, under its id or an earlier one.
    pub fn owns(&self, resource: &Resource) -> bool {
        self.controller.actor.is(resource.metadata.owner.as_ref())
    }

    /// The same rights, but writing what belongs to the user.
    #[must_use]
    pub fn as_user(&self) -> Self {
        Self { actor: Actor::user(), ..self.clone() }
    }

    /// A resource.
    ///
    /// # Errors
    /// Where it is neither input nor output; [`StoreError::NotFound`].
    pub fn get(&self, key: &Key) -> Result<Arc<Resource>, CallError> {
        self.controller.rights(|rights| rights.get(key))?;
        Ok(self.controller.shared.store.get(key)?)
    }

    /// A resource, or that there is none.
    ///
    /// # Errors
    /// Where it is neither input nor output.
    pub fn find(&self, key: &Key) -> Result<Option<Arc<Resource>>, CallError> {
        match self.get(key) {
            Err(error) if error.is_not_found() => Ok(None),
            found => found.map(Some),
        }
    }

    /// The resources of a kind that match.
    ///
    /// # Errors
    /// Where the whole kind is neither input nor output.
    pub fn list(&self, kind: &Kind, query: &Query) -> Result<Snapshot, CallError> {
        self.controller.rights(|rights| rights.list(kind))?;
        Ok(self.controller.shared.store.list(kind, query))
    }

    /// All of it or nothing.
    ///
    /// # Errors
    /// Where one operation is not covered by the declaration, before anything happens; the store's.
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

    /// A new resource, which will be the controller's.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); [`StoreError::AlreadyExists`].
    pub fn create(&self, draft: Draft) -> Result<Arc<Resource>, CallError> {
        self.left(Operation::Create(draft))
    }

    /// Spec, labels and annotations of a resource as it was read and then changed.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); the conflicts of [`store::Store::update`].
    pub fn update(&self, resource: Resource, options: UpdateOptions) -> Result<Arc<Resource>, CallError> {
        self.left(Operation::Update(resource, options))
    }

    /// The controller's resource of this key says this from now on, whether there was one or not.
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

    /// It shall go. Whether nobody needs it any more.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); [`StoreError::NotFound`].
    pub fn teardown(&self, key: &Key) -> Result<bool, CallError> {
        let committed = self.one(Operation::Teardown(key.clone()))?;
        Ok(committed.ready.first().copied().unwrap_or_default())
    }

    /// It goes.
    ///
    /// # Errors
    /// As [`commit`](Self::commit); [`StoreError::NotFound`], [`StoreError::PendingFinalizers`].
    pub fn destroy(&self, key: &Key) -> Result<(), CallError> {
        self.one(Operation::Destroy(key.clone())).map(drop)
    }

    /// Tears down and destroys what is the controller's. Whether it is gone; if not, a destroy-ready input tells when
    /// to come back. What is not there, or belongs to another, is gone.
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

    /// Removes what is the controller's of a kind and this run has not created, put or updated, even if it tried in
    /// vain. Whether all of it is gone; if not, a destroy-ready input tells when to come back. For
    /// [`Controller::whole`](crate::Controller::whole); a run for one key does not touch what other runs want.
    ///
    /// # Errors
    /// The first, after all were tried; as [`remove`](Self::remove).
    pub fn prune_untouched(&self, kind: &Kind) -> Result<bool, CallError> {
        let there = self.list(kind, &Query::all())?;
        let left = |it: &&Arc<Resource>| self.owns(it) && !self.touched.borrow().contains(it.key());
        let removed: Vec<_> = there.iter().filter(left).map(|it| self.remove(it.key())).collect();
        removed.into_iter().try_fold(true, |all, gone| Ok(all && gone?))
    }

    /// The controller needs this input from now on.
    ///
    /// # Errors
    /// Where it is not a strong input; [`StoreError::NotFound`]; [`StoreError::PhaseConflict`] once it is leaving.
    pub fn hold(&self, key: &Key) -> Result<Arc<Resource>, CallError> {
        self.left(Operation::AddFinalizers(key.clone(), vec![self.controller.id.clone()]))
    }

    /// The controller no longer needs this input, under none of its names. One that is gone is no error.
    ///
    /// # Errors
    /// Where it is not a strong input.
    pub fn release(&self, key: &Key) -> Result<(), CallError> {
        let names = self.names().cloned().collect();
        match self.one(Operation::RemoveFinalizers(key.clone(), names)) {
            Err(error) if error.is_not_found() => Ok(()),
            other => other.map(drop),
        }
    }

    /// Whether the controller holds this one, under its id or an earlier one.
    pub fn holds(&self, resource: &Resource) -> bool {
        self.names().any(|name| resource.metadata.finalizers.contains(name))
    }

    /// The time.
    pub fn now(&self) -> Millis {
        self.controller.shared.timer.now()
    }

    /// Waits so long.
    pub async fn sleep(&self, duration: Duration) {
        let at = self.now() + duration;
        // A host's timer may be early.
        while self.now() < at {
            self.controller.shared.timer.sleep_until(at).await;
        }
    }

    /// Has a queue controller run for this key after so long, or sooner. Runs that ask for the next at
    /// once, and that in turn, are a chain as with writes: one too long is slowed down.
    pub fn requeue(&self, key: &Key, delay: Duration) {
        if self.controller.style == Style::Queue {
            self.controller.order(Order::Requeue(Job::Key(key.clone()), delay, self.chain(delay)));
        }
    }

    /// Has a whole-set or manual controller wake after so long, or sooner; as with
    /// [`requeue`](Self::requeue), not without end at once.
    pub fn wake(&self, delay: Duration) {
        if self.controller.style != Style::Queue {
            self.controller.order(Order::Requeue(Job::Whole, delay, self.chain(delay)));
        }
    }

    /// For a manual controller: waits until an input has changed since the last time. Ready at once the first time.
    /// What [`prune_untouched`](Self::prune_untouched) goes by begins anew.
    pub async fn wait_for_changes(&self) {
        self.line.cause.set(self.controller.news.notified().await);
        self.touched.borrow_mut().clear();
    }

    /// Other inputs from now on: rights follow at once, and if some are new there is one wake more. Queue controllers
    /// keep the inputs they registered.
    ///
    /// # Errors
    /// [`Rejected`]; nothing changes then.
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

    /// What led to being woken again so soon, if that is the run itself: one that is over, or a manual controller's that
    /// waits, does nothing by itself, so it is somebody outside who uses its context.
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

/// The result of a manual controller's run: it has nothing more to do, or it failed.
pub type ManualOutcome = Result<(), Failure>;

fn writes(operation: &Operation) -> bool {
    !matches!(operation, Operation::Expect(..))
}
