use std::{sync::Arc, vec};

use store::{Query, Resource, Store};

use crate::{Strength, controller::Role, worker::Worker};

/// What there was of an input when its controller started and that it has not been told yet.
pub(crate) struct Backlog {
    pub(crate) worker: usize,
    pub(crate) entry: usize,
    pub(crate) resources: vec::IntoIter<Arc<Resource>>,
}

impl Backlog {
    /// All inputs of a queue controller: also the mapped ones, as the runtime may have ended before what changed last
    /// was mapped. Of a destroy-ready input what is the controller's own: that finds outputs without a primary
    /// resource.
    pub(crate) fn of(number: usize, worker: &Worker, store: &Store) -> Vec<Self> {
        let inputs = worker.entries.iter().enumerate();
        let told = inputs.filter(|(_, entry)| !matches!(entry.role, Role::Whole));
        let backlog = told.map(|(at, entry)| {
            let own = |it: &&Arc<Resource>| worker.desk.actor.is(it.metadata.owner.as_ref());
            let all = entry.input.strength != Strength::DestroyReady;
            let there = store.list(&entry.input.kind, &Query::all());
            let mine = there.iter().filter(|it| entry.input.covers(it.key()) && (all || own(it)));
            let resources: Vec<_> = mine.cloned().collect();
            Self { worker: number, entry: at, resources: resources.into_iter() }
        });
        backlog.filter(|backlog| !backlog.is_empty()).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.resources.as_slice().is_empty()
    }
}
