use std::{collections::VecDeque, sync::Arc};

use crate::{
    BackingStore, ChangeCheck, Commit, Committed, StoreError, Submission, log::Step, overlay::Overlay,
    seal::Sealed, submission::Ticket,
};

/// The order of writers, with the transactions that are submitted and not yet kept.
pub(crate) struct Queue {
    pub(crate) place: Place,
    pub(crate) pending: VecDeque<Pending>,
    pub(crate) overlay: Overlay,
}

/// The place where transactions are kept, besides memory.
pub(crate) enum Place {
    /// Nowhere.
    Memory,
    /// In a backing store that each writer calls in turn.
    Backing(Box<dyn BackingStore>),
    /// In the backing store of a [`Writer`](crate::Writer).
    Writer(Option<ChangeCheck>),
}

/// A transaction, or only a result, that depends on those before it.
pub(crate) struct Pending {
    /// `None` if it changes nothing.
    pub(crate) change: Option<(Commit, Vec<Step>)>,
    pub(crate) ticket: Arc<Ticket>,
}

impl Queue {
    pub(crate) fn new(place: Place) -> Self {
        Self { place, pending: VecDeque::new(), overlay: Overlay::default() }
    }

    /// Adds a transaction for the writer.
    pub(crate) fn push<E: std::convert::From<StoreError>>(
        &mut self,
        sealed: Sealed,
        commit: Commit,
    ) -> Submission<E> {
        self.overlay.add(&sealed.steps, sealed.counters);
        let ticket = Arc::<Ticket>::default();
        self.pending.push_back(Pending { change: Some((commit, sealed.steps)), ticket: ticket.clone() });
        Submission::pending(Ok(sealed.committed), ticket)
    }

    /// A result without a change: it may depend on what is not kept yet, so it is not returned before that is.
    pub(crate) fn answer<E: std::convert::From<StoreError>>(
        &mut self,
        outcome: Result<Committed, E>,
    ) -> Submission<E> {
        if self.pending.is_empty() {
            return Submission::ready(outcome);
        }
        let ticket = Arc::<Ticket>::default();
        self.pending.push_back(Pending { change: None, ticket: ticket.clone() });
        Submission::pending(outcome, ticket)
    }

    /// The first transactions that change anything, at most that many.
    pub(crate) fn commits(&self, most: usize) -> Vec<Commit> {
        let changes = self.pending.iter().filter_map(|it| it.change.as_ref());
        changes.take(most).map(|(commit, _)| commit.clone()).collect()
    }

    /// Removes the first of `kept` transactions that are kept now, or a result that depends on nothing else.
    pub(crate) fn pop(&mut self, kept: &mut usize) -> Option<Pending> {
        let changes = self.pending.front()?.change.is_some();
        if changes && *kept == 0 {
            return None;
        }
        *kept -= usize::from(changes);
        let first = self.pending.pop_front()?;
        if let Some((commit, steps)) = &first.change {
            self.overlay.settle(steps, commit.counters.revision);
        }
        if self.pending.is_empty() {
            self.overlay.clear();
        }
        Some(first)
    }

    /// Removes all: what they are built on will never be kept.
    pub(crate) fn fail(&mut self) -> Vec<Pending> {
        self.overlay.clear();
        self.pending.drain(..).collect()
    }
}
