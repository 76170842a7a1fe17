use std::sync::Arc;

use store::{Kind, Query, Resource, Snapshot, Store};

use crate::{
    Strength,
    controller::Role,
    worker::{Entry, Worker},
};

/// So much of a backlog is looked at at a time.
const CHUNK: usize = 256;

/// The resources of an input that existed when its controller started and that it has not been told yet.
pub(crate) struct Backlog {
    pub(crate) worker: usize,
    pub(crate) entry: usize,
    there: Snapshot,
    /// The last that was told.
    reported: Option<Arc<str>>,
}

impl Backlog {
    /// All inputs of a queue controller: also the mapped ones, as the runtime may have ended before what changed last
    /// was mapped. `missed`: not at the start, but because changes of this kind were missed; those that are for nothing
    /// but their own run have been told by then.
    pub(crate) fn of(number: usize, worker: &Worker, store: &Store, missed: Option<&Kind>) -> Vec<Self> {
        let mapped = worker.entries.iter().any(|it| it.is_mapped() && Some(&it.input.kind) == missed);
        let plain = |entry: &Entry| entry.is_primary() && entry.input.strength != Strength::DestroyReady;
        let was_told = |entry: &Entry| !mapped && plain(entry) && Some(&entry.input.kind) == missed;
        let inputs = worker.entries.iter().enumerate();
        let reported = inputs.filter(|(_, entry)| !matches!(entry.role, Role::Whole) && !was_told(entry));
        let backlog = reported.map(|(at, entry)| {
            let there = store.list(&entry.input.kind, &Query::all());
            Self { worker: number, entry: at, there, reported: None }
        });
        backlog.filter(|backlog| !backlog.there.is_empty()).collect()
    }

    /// The next of it to tell, and whether there may be more. Of a destroy-ready input it is what is the controller's
    /// own: that finds outputs without a primary resource.
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
