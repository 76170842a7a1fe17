use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    time::Duration,
};

use store::{Key, Millis};

/// The origin of a run: the number of runs that led to it, each waking the next by its writes, and the start
/// time.
///
/// A chain of transforms has as many steps as controllers; only a loop whose writes never settle has no end.
/// So a loop is distinguished from mere load by the length of the chain, not by the number of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) steps: u32,
    pub(crate) since: Millis,
}

/// A run that requests the next one sooner than this continues its chain, instead of starting a new one by
/// time: otherwise a controller that wakes itself immediately, for ever, would look like mere load.
pub(crate) const HASTE: Duration = Duration::from_millis(10);

/// The chain of causes of a run, shared by its contexts and the runtime.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) cause: Cell<Cause>,
    /// True if the run has ended; a context that outlives it acts on behalf of another caller.
    pub(crate) over: Cell<bool>,
}

impl Line {
    pub(crate) fn new(cause: Cause) -> Self {
        Self { cause: Cell::new(cause), over: Cell::new(false) }
    }
}

/// The causes of runs, and of writes that have not been delivered yet.
#[derive(Debug, Default)]
pub(crate) struct Causes(RefCell<BTreeMap<Key, Cause>>);

impl Cause {
    /// A cause outside of the runtime, or time.
    pub(crate) fn outside(now: Millis) -> Self {
        Self { steps: 0, since: now }
    }

    /// The cause of runs that its writes wake.
    pub(crate) fn next(self) -> Self {
        Self { steps: self.steps.saturating_add(1), ..self }
    }

    /// Combines two causes: the shorter chain counts. Constant events from outside would otherwise lengthen
    /// the chains of controllers that also wake themselves; in a loop, there is no shorter chain.
    pub(crate) fn with(self, other: Self) -> Self {
        if other.steps < self.steps { other } else { self }
    }
}

impl Causes {
    pub(crate) fn wrote(&self, key: &Key, cause: Cause) {
        self.0.borrow_mut().insert(key.clone(), cause.next());
    }

    /// Clears all causes, once all writes have been delivered.
    pub(crate) fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// Takes the cause of a change.
    pub(crate) fn of(&self, key: &Key, now: Millis) -> Cause {
        self.0.borrow_mut().remove(key).unwrap_or(Cause::outside(now))
    }
}
