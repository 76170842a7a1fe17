use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use store::{Key, Millis, Resource};

/// So many states of one resource are kept; beyond, all primary resources are looked at instead.
const STATES: usize = 32;

/// States of resources that could not be mapped, so that nobody knows whom they concern: each is mapped again later.
#[derive(Debug, Default)]
pub(crate) struct Unmapped {
    left: BTreeMap<InputKey, UnmappedStates>,
    due: BTreeSet<(Millis, InputKey)>,
}

/// Which input could not be told of which resource.
pub(crate) type InputKey = (usize, Key);

/// The states of a resource that could not be mapped.
#[derive(Debug)]
pub(crate) struct UnmappedStates {
    pub(crate) states: Vec<Arc<Resource>>,
    /// In a row.
    pub(crate) failures: u32,
    /// Whether one of it is worth trying after a terminal failure.
    pub(crate) significant: bool,
    /// Some states were too many to keep.
    pub(crate) lost: bool,
    at: Millis,
}

impl Unmapped {
    /// Keeps what could not be mapped until then; with what is left of the resource already, until that is due.
    pub(crate) fn keep(&mut self, place: InputKey, new: UnmappedStates) {
        let Some(left) = self.left.get_mut(&place) else {
            self.due.insert((new.at, place.clone()));
            self.left.insert(place, new);
            return;
        };
        new.states.into_iter().for_each(|state| left.add(state));
        left.significant |= new.significant;
        left.lost |= new.lost;
    }

    /// Takes what is due.
    pub(crate) fn take(&mut self, now: Millis) -> Option<(InputKey, UnmappedStates)> {
        self.due.first().filter(|(at, _)| *at <= now)?;
        let (_, place) = self.due.pop_first()?;
        self.left.remove_entry(&place)
    }

    /// When the next is due.
    pub(crate) fn next(&self) -> Option<Millis> {
        self.due.first().map(|(at, _)| *at)
    }
}

impl UnmappedStates {
    pub(crate) fn new(states: Vec<Arc<Resource>>, failures: u32, significant: bool, at: Millis) -> Self {
        let mut left = Self { states: Vec::new(), failures, significant, lost: false, at };
        states.into_iter().for_each(|state| left.add(state));
        left
    }

    fn add(&mut self, state: Arc<Resource>) {
        let which = |it: &Resource| (it.metadata.uid, it.metadata.version);
        if self.states.iter().any(|kept| which(kept) == which(&state)) {
            return;
        }
        if self.states.len() == STATES {
            self.states.clear();
            self.lost = true;
        }
        self.states.push(state);
    }
}
