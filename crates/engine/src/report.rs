use serde::{Deserialize, Serialize};

use crate::Trouble;

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Whether all was done.
    pub ok: bool,
    /// The steps, in the order of the plan.
    pub steps: Vec<StepView>,
    /// Why it ended before its steps did, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<Trouble>,
    /// The state's serial after it.
    pub serial: u64,
    /// What came of the steps, in numbers.
    pub summary: Summary,
}

/// So many steps ended so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Well.
    pub done: usize,
    /// Not well.
    pub failed: usize,
    /// Not begun, because of another that did not end well.
    pub skipped: usize,
    /// Not begun, because the run ended before.
    pub not_started: usize,
}

/// One step as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepView {
    /// Its id: that of its action; the first half of a rebuild has `-` behind it.
    pub step: String,
    /// The action of the plan that it is part of.
    pub action: String,
    /// Whom it is about.
    pub address: String,
    /// `create`, `update`, `destroy`, `forget`.
    pub verb: &'static str,
    /// How it is.
    pub state: StepState,
    /// What it waits for, or what is happening, in a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How far it is, in percent, where the adapter says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// The step that it was skipped because of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<Trouble>,
}

/// How a step is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// It waits, or the run ended before it began.
    #[default]
    NotStarted,
    /// It is at work.
    Running,
    /// It ended well.
    Done,
    /// It did not end well.
    Failed,
    /// It was not begun, because another did not end well.
    Skipped,
}

impl Report {
    /// This one and what followed from it.
    pub(crate) fn then(self, next: Self) -> Self {
        let steps = [self.steps, next.steps].concat();
        Self::new(steps, next.trouble, next.serial)
    }

    /// Counts its steps.
    pub(crate) fn new(steps: Vec<StepView>, trouble: Option<Trouble>, serial: u64) -> Self {
        let count = |state: &[StepState]| steps.iter().filter(|it| state.contains(&it.state)).count();
        let summary = Summary {
            done: count(&[StepState::Done]),
            failed: count(&[StepState::Failed]),
            skipped: count(&[StepState::Skipped]),
            not_started: count(&[StepState::NotStarted, StepState::Running]),
        };
        let ok = trouble.is_none() && summary.done == steps.len();
        Self { ok, steps, trouble, serial, summary }
    }
}
