use std::sync::Arc;

use crate::{
    Actor, Change, Commit, Committed, Counters, Metadata, Millis, Options, Resource, Revision, StoreError,
    Transaction, log::Step, overlay::Base, stage::Slot, stage::Stage,
};

/// A transaction that was checked, with its overall effect.
pub(crate) struct Sealed {
    pub(crate) steps: Vec<Step>,
    pub(crate) counters: Counters,
    pub(crate) committed: Committed,
    /// True if any operation had an effect.
    pub(crate) effective: bool,
}

impl Sealed {
    /// Executes a transaction on a state without changing it.
    pub(crate) fn of(
        base: Base<'_>,
        actor: &Actor,
        transaction: Transaction,
        options: &Options,
        now: Millis,
    ) -> Result<Self, StoreError> {
        let mut stage = Stage::new(base, actor, options.strict_destroy);
        let places: Result<Vec<usize>, _> =
            transaction.operations.into_iter().map(|operation| stage.run(operation)).collect();
        let (places, uid, effective) = (places?, stage.uid, stage.effective);
        let revision = Revision(base.revision().0 + u64::from(effective));
        let mut steps = Vec::new();
        let mut left = Vec::new();
        for slot in stage.slots {
            left.push(seal(slot, revision, now, &mut steps));
        }
        let resources: Vec<_> = places.into_iter().map(|place| left[place].clone()).collect();
        let ready =
            resources.iter().map(|it| it.as_ref().is_some_and(|it| it.metadata.destroy_ready())).collect();
        let committed = Committed { revision, resources, ready };
        Ok(Self { steps, counters: Counters { revision, uid }, committed, effective })
    }

    /// The part of it that the backing store keeps.
    pub(crate) fn commit(&self) -> Commit {
        Commit { changes: self.changes(), counters: self.counters }
    }

    /// The changes for the backing store: the last step of each resource is enough.
    fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::with_capacity(self.steps.len());
        for (at, step) in self.steps.iter().enumerate() {
            let replaced = self.steps.get(at + 1).is_some_and(|next| next.key() == step.key());
            match step {
                Step::Created(new) | Step::Updated { new, .. } => changes.push(Change::Put(new.clone())),
                Step::Destroyed(_) if replaced => {}
                Step::Destroyed(old) => changes.push(Change::Delete(old.key().clone())),
            }
        }
        changes
    }
}

/// Returns the final resource, with its final metadata.
fn seal(slot: Slot, revision: Revision, now: Millis, steps: &mut Vec<Step>) -> Option<Arc<Resource>> {
    match (slot.base, slot.value) {
        (None, None) => None,
        (None, Some(new)) => Some(create(new, revision, now, steps)),
        (Some(old), None) => {
            steps.push(Step::Destroyed(old));
            None
        }
        (Some(old), Some(new)) if old.metadata.uid != new.metadata.uid => {
            steps.push(Step::Destroyed(old));
            Some(create(new, revision, now, steps))
        }
        (Some(old), Some(new)) if !slot.touched && old.says_the_same(&new) => Some(old),
        (Some(old), Some(new)) => Some(update(old, new, revision, now, steps)),
    }
}

fn create(mut new: Arc<Resource>, revision: Revision, now: Millis, steps: &mut Vec<Step>) -> Arc<Resource> {
    let metadata: &mut Metadata = &mut Arc::make_mut(&mut new).metadata;
    (metadata.version, metadata.generation, metadata.revision) = (1, 1, revision);
    (metadata.created, metadata.updated) = (now, now);
    steps.push(Step::Created(new.clone()));
    new
}

fn update(
    old: Arc<Resource>,
    mut new: Arc<Resource>,
    revision: Revision,
    now: Millis,
    steps: &mut Vec<Step>,
) -> Arc<Resource> {
    let of_spec = u64::from(old.spec != new.spec);
    let metadata = &mut Arc::make_mut(&mut new).metadata;
    metadata.version = old.metadata.version + 1;
    metadata.generation = old.metadata.generation + of_spec;
    metadata.revision = revision;
    metadata.updated = now.max(old.metadata.updated);
    steps.push(Step::Updated { old, new: new.clone() });
    new
}
