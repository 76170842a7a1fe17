use std::{sync::Arc, time::Duration};

use store::Millis;

use crate::{Action, Outcome, Problem};

/// The counts of a controller's runs so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunCounts {
    /// The number of times that it was woken.
    pub(crate) wakes: u64,
    pub(crate) ok: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
    pub(crate) busy: Duration,
    pub(crate) last_error: Option<LastError>,
    pub(crate) last_skip: Option<Arc<str>>,
}

/// The last error, and when it happened.
#[derive(Clone, Debug)]
pub(crate) struct LastError {
    pub(crate) problem: Problem,
    pub(crate) at: Millis,
}

impl RunCounts {
    /// Counts a run that began at that time and has ended.
    pub(crate) fn ended(&mut self, outcome: &Outcome, began: Millis, now: Millis) {
        self.busy += now.since(began);
        match outcome {
            Ok(Action::Done | Action::RequeueAfter(_)) => self.ok += 1,
            Ok(Action::Skip(reason)) => {
                self.skipped += 1;
                self.last_skip = Some(reason.as_ref().into());
            }
            Err(failure) => self.failed(failure.problem().clone(), now),
        }
    }

    pub(crate) fn failed(&mut self, problem: Problem, at: Millis) {
        self.failed += 1;
        self.last_error = Some(LastError { problem, at });
    }
}
