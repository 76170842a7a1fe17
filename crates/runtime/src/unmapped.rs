use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use store::{Key, Millis, Resource};

/// The number of states of one resource that are kept; if there are more, all primary resources are woken
/// instead.
const STATES: usize = 32;

/// States of resources that could not be mapped, so that it is not known which jobs they affect: each is
/// mapped again later.
#[derive(Debug, Default)]
pub(crate) struct Unmapped {
    left: BTreeMap<InputKey, UnmappedStates>,
    due: BTreeSet<(Millis, InputKey)>,
}

/// The input and the resource.
pub(crate) type InputKey = (usize, Key);

/// The states of a resource that could not be mapped.
#[derive(Debug)]
pub(crate) struct UnmappedStates {
    pub(crate) states: Vec<Arc<Resource>>,
    /// The number of failures in a row.
    pub(crate) failures: u32,
    /// True if one of them justifies another try after a terminal failure.
    pub(crate) significant: bool,
    /// True if there were too many states to keep.
    pub(crate) lost: bool,
    at: Millis,
}

impl Unmapped {
    /// Keeps states that could not be mapped until that time; together with those that are kept already,
    /// until these are due.
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

    /// Takes states that are due.
    pub(crate) fn take(&mut self, now: Millis) -> Option<(InputKey, UnmappedStates)> {
        self.due.first().filter(|(at, _)| *at <= now)?;
        let (_, place) = self.due.pop_first()?;
        self.left.remove_entry(&place)
    }

    /// The time when the next are due.
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
