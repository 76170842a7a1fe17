use std::sync::Arc;

use store::{Kind, Query, Resource, Snapshot, Store};

use crate::{
    Strength,
    controller::Role,
    worker::{Entry, Worker},
};

/// The number of resources of a backlog that are read at a time.
const CHUNK: usize = 256;

/// The resources of an input that existed when its controller started and that were not passed to it yet.
pub(crate) struct Backlog {
    pub(crate) worker: usize,
    pub(crate) entry: usize,
    there: Snapshot,
    /// The id of the last one that was passed to it.
    reported: Option<Arc<str>>,
}

impl Backlog {
    /// The backlogs of all inputs of a queue controller, including mapped ones, as the runtime may have ended
    /// before the last change was mapped. With `missed`, it is not the start, but changes of this kind were
    /// missed; inputs whose changes only cause their own run have been handled by then.
    pub(crate) fn of(number: usize, worker: &Worker, store: &Store, missed: Option<&Kind>) -> Vec<Self> {
        let mapped = worker.entries.iter().any(|it| it.is_mapped() && Some(&it.input.kind) == missed);
        let plain = |entry: &Entry| entry.is_primary() && entry.input.strength != Strength::DestroyReady;
        let was_handled = |entry: &Entry| !mapped && plain(entry) && Some(&entry.input.kind) == missed;
        let inputs = worker.entries.iter().enumerate();
        let pending = inputs.filter(|(_, entry)| !matches!(entry.role, Role::Whole) && !was_handled(entry));
        let backlog = pending.map(|(at, entry)| {
            let there = store.list(&entry.input.kind, &Query::all());
            Self { worker: number, entry: at, there, reported: None }
        });
        backlog.filter(|backlog| !backlog.there.is_empty()).collect()
    }

    /// The next part of it, and whether there may be more. Of a destroy-ready input only the controller's own
    /// resources are included: that finds outputs without a primary resource.
    pub(crate) fn next(&mut self, worker: &Worker) -> (Vec<Arc<Resource>>, bool) {
        let chunk: Vec<_> = match &self.reported {
            None => self.there.iter().take(CHUNK).cloned().collect(),
            Some(id) => self.there.after(id).take(CHUNK).cloned().collect(),
        };
        self.reported = chunk.last().map(|last| last.id().clone());
        let more = chunk.len() == CHUNK;
        let Some(entry) = worker.entries.get(self.entry) else { return (Vec::new(), false) };
        let all = entry.input.strength != Strength::DestroyReady;
        let own = |it: &Arc<Resource>| worker.controller.actor.is(it.metadata.owner.as_ref());
        let mine = chunk.into_iter().filter(|it| entry.input.covers(it.key()) && (all || own(it)));
        (mine.collect(), more)
    }
}
