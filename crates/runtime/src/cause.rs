use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    time::Duration,
};

use store::{Key, Millis};

/// How a run came about: how many runs, one waking the next by what it wrote, led to it, and since when.
///
/// A chain of transforms has as many steps as controllers; only a loop whose writes never settle has no end. So a
/// loop is told from mere load by the length of the chain, not by the number of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) steps: u32,
    pub(crate) since: Millis,
}

/// Who asks to run again sooner than this goes on with the chain it is in, rather than time beginning
/// another: else who wakes itself at once, and for ever, would look like mere load.
pub(crate) const HASTE: Duration = Duration::from_millis(10);

/// The chain of causes that a run stands in, shared by its contexts and the runtime.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) cause: Cell<Cause>,
    /// It has ended; a context that outlived it is somebody else's.
    pub(crate) over: Cell<bool>,
}

impl Line {
    pub(crate) fn new(cause: Cause) -> Self {
        Self { cause: Cell::new(cause), over: Cell::new(false) }
    }
}

/// The causes of runs, and of writes that have not been told yet.
#[derive(Debug, Default)]
pub(crate) struct Causes(RefCell<BTreeMap<Key, Cause>>);

impl Cause {
    /// Somebody outside, or time.
    pub(crate) fn outside(now: Millis) -> Self {
        Self { steps: 0, since: now }
    }

    /// What it wrote wakes others.
    pub(crate) fn next(self) -> Self {
        Self { steps: self.steps.saturating_add(1), ..self }
    }

    /// Both led to it: the shorter chain. What comes in from outside all the time makes those long who also wake
    /// themselves; in a loop, nothing shorter comes in.
    pub(crate) fn with(self, other: Self) -> Self {
        if other.steps < self.steps { other } else { self }
    }
}

impl Causes {
    pub(crate) fn wrote(&self, key: &Key, cause: Cause) {
        self.0.borrow_mut().insert(key.clone(), cause.next());
    }

    /// All that was written has been told.
    pub(crate) fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// Takes the cause of a change.
    pub(crate) fn of(&self, key: &Key, now: Millis) -> Cause {
        self.0.borrow_mut().remove(key).unwrap_or(Cause::outside(now))
    }
}
