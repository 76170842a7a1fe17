//! Counts of work done: tests check that nothing is done twice for one change.

use std::sync::atomic::{AtomicU32, Ordering};

/// The number of times that each phase ran since the workspace was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Files that were parsed.
    pub parsed: u32,
    /// Models that were made: merged, lowered, drawn.
    pub modelled: u32,
    /// Choices of package versions.
    pub solved: u32,
    /// Plans.
    pub planned: u32,
    /// Lists of diagnostics that were made into views.
    pub converted: u32,
}

/// The same while it is counted.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) parsed: Counter,
    pub(crate) modelled: Counter,
    pub(crate) solved: Counter,
    pub(crate) planned: Counter,
    pub(crate) converted: Counter,
}

/// One count.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU32);

impl Counter {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    pub(crate) fn read(&self) -> Work {
        Work {
            parsed: self.parsed.get(),
            modelled: self.modelled.get(),
            solved: self.solved.get(),
            planned: self.planned.get(),
            converted: self.converted.get(),
        }
    }
}
