//! The engine's side of the conversation, without a worker: takes requests in, does one step of work at a time, and
//! answers for the newest revision only.

mod answers;
mod parts;
mod requests;
mod steps;
mod views;

#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, rc::Rc};

use capabilities::{Part, Parts};
use workspace::{PlanOptions, Snapshot, Workspace};

use self::{
    steps::Step,
    views::{Good, Sent},
};
use crate::message::{AnyQuery, Want};

/// A workspace and what is still to be said about it.
#[derive(Debug)]
pub struct Session {
    workspace: Workspace,
    options: PlanOptions,
    /// Links follow the rules of BOSH's director.
    bosh: bool,
    want: Want,
    revision: u64,
    step: Step,
    good: Option<Good>,
    /// The last files without an error, which the plan is of while there are errors.
    sound: Option<Rc<Snapshot>>,
    /// Files of earlier answers, until there is time to drop them.
    retired: Vec<Good>,
    /// The plan options have changed since the last plan.
    options_changed: bool,
    /// A file cannot be read: the views are those of `good`.
    model_stale: bool,
    /// The page shows a plan that could be trusted, and now there is an error.
    plan_stale: bool,
    planned: bool,
    sent: Sent,
    parts: Parts,
    /// Parts that are needed and were not loaded.
    needed: BTreeSet<Part>,
    /// Those that are being loaded.
    loading: BTreeSet<Part>,
    /// Those that could not be loaded, since something changed last.
    failed: BTreeSet<Part>,
    /// Queries that wait for a part.
    waiting: Vec<(Part, u32, AnyQuery)>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            workspace: Workspace::with(capabilities::ALL),
            options: PlanOptions::default(),
            bosh: false,
            want: Want::default(),
            revision: 0,
            step: Step::Idle,
            good: None,
            sound: None,
            retired: Vec::new(),
            options_changed: false,
            model_stale: false,
            plan_stale: false,
            planned: false,
            sent: Sent::default(),
            parts: Parts::default(),
            needed: BTreeSet::new(),
            loading: BTreeSet::new(),
            failed: BTreeSet::new(),
            waiting: Vec::new(),
        }
    }
}

impl Session {
    /// A session that has these parts of the engine from the beginning.
    pub fn with(parts: Parts) -> Self {
        Self { parts, ..Self::default() }
    }
}
