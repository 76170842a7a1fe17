use serde::{Deserialize, Serialize};
use view::Action;

use crate::EngineError;

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// True if every step succeeded.
    pub ok: bool,
    /// The steps, in the order of the plan.
    pub steps: Vec<StepView>,
    /// The error that ended the run before its steps did, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "trouble")]
    pub error: Option<EngineError>,
    /// The state's serial after the run.
    pub serial: u64,
    /// The number of steps by outcome.
    pub summary: Summary,
}

/// The number of steps by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Succeeded.
    pub done: usize,
    /// Failed.
    pub failed: usize,
    /// Not started, because another one failed.
    pub skipped: usize,
    /// Not started, because the run ended before.
    pub not_started: usize,
}

/// A step and its state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepView {
    /// Its id: that of its action; the first half of a rebuild has `-` appended.
    pub step: String,
    /// The action of the plan that it is part of.
    pub action: String,
    /// The address of its resource.
    pub address: String,
    /// Its action: never [`Action::Rebuild`], which is two steps, nor [`Action::NoOp`].
    pub verb: Action,
    /// Its state.
    pub state: StepState,
    /// Its current activity, or what it waits for, in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Its progress in percent, if the adapter reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// The failed step because of which it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "trouble")]
    pub error: Option<EngineError>,
}

/// The state of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// It waits, or the run ended before it started.
    #[default]
    NotStarted,
    /// It is running.
    Running,
    /// It succeeded.
    Done,
    /// It failed.
    Failed,
    /// It was not started, because another one failed.
    Skipped,
}

impl Report {
    /// This report with that of the follow-up plan.
    pub(crate) fn then(self, next: Self) -> Self {
        let steps = [self.steps, next.steps].concat();
        Self::new(steps, next.error, next.serial)
    }

    /// A report with the summary of its steps.
    pub(crate) fn new(steps: Vec<StepView>, error: Option<EngineError>, serial: u64) -> Self {
        let count = |state: &[StepState]| steps.iter().filter(|it| state.contains(&it.state)).count();
        let summary = Summary {
            done: count(&[StepState::Done]),
            failed: count(&[StepState::Failed]),
            skipped: count(&[StepState::Skipped]),
            not_started: count(&[StepState::NotStarted, StepState::Running]),
        };
        let ok = error.is_none() && summary.done == steps.len();
        Self { ok, steps, error, serial, summary }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(step: usize, state: StepState) -> StepView {
        let (message, percent, because, error) = (None, None, None, None);
        let (action, address) = (format!("a{step}"), "services.web".into());
        let verb = Action::Create;
        StepView { step: format!("s{step}"), action, address, verb, state, message, percent, because, error }
    }

    fn report(states: &[StepState], error: Option<EngineError>, serial: u64) -> Report {
        let steps = states.iter().enumerate().map(|(step, state)| view(step, *state));
        Report::new(steps.collect(), error, serial)
    }

    #[test]
    fn steps_are_counted_by_how_they_ended() {
        use StepState::{Done, Failed, NotStarted, Running, Skipped};
        let all = [Done, Failed, Skipped, Done, Running, Done, NotStarted, NotStarted, Skipped, Done];
        let counted = report(&all, None, 7);
        let expected = Summary { done: 4, failed: 1, skipped: 2, not_started: 3 };
        assert_eq!((counted.summary, counted.serial, counted.steps.len()), (expected, 7, 10));
        let lost = || Some(EngineError::new(state::codes::LEASE_LOST, "it is lost"));
        for (states, error, ok) in [
            (&[][..], None, true),
            (&[Done, Done], None, true),
            (&[Done, Done], lost(), false),
            (&[], lost(), false),
            (&[Done, Failed], None, false),
            (&[Done, NotStarted], None, false),
            (&[Skipped], None, false),
        ] {
            let report = report(states, error.clone(), 1);
            assert_eq!((report.ok, report.error), (ok, error), "{states:?}");
        }
    }

    #[test]
    fn reports_of_consecutive_runs_are_joined() {
        use StepState::{Done, Failed};
        let lost = EngineError::new(state::codes::LEASE_LOST, "it is lost");
        let both = report(&[Done], None, 3).then(report(&[Done, Failed], Some(lost.clone()), 5));
        let steps = vec![view(0, Done), view(0, Done), view(1, Failed)];
        assert_eq!(both, Report::new(steps, Some(lost), 5));
    }
}
