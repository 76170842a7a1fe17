//! Chips that show three states: the problems, the plan and the state of applying.

use workspace::view::words::count;
use workspace::view::{Action, SummaryView};
use yew::prelude::*;

use crate::{IconName, action_class};

/// The counts of problems, and the outcome of the last run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    /// The number of errors; `None` before the first check.
    pub errors: Option<usize>,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of errors that prevent a plan.
    pub blocking: usize,
    /// The outcome of the last run, until something is planned or applied again.
    pub run: LastRun,
}

/// The outcome of the last run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastRun {
    /// It did all that it was to do, or something was planned since.
    #[default]
    Fine,
    /// It failed.
    Failed,
    /// It was stopped by hand.
    Stopped,
}

impl LastRun {
    /// `failed`, `was stopped`; `None` where there is nothing to say.
    const fn word(self) -> Option<&'static str> {
        match self {
            Self::Fine => None,
            Self::Failed => Some("failed"),
            Self::Stopped => Some("was stopped"),
        }
    }

    fn chip(self) -> Html {
        match self {
            Self::Fine => {
                html! { <span class="chip-part severity-none">{ IconName::Check.html() }{ "valid" }</span> }
            }
            Self::Failed => {
                html! { <span class="chip-part severity-error">{ IconName::Error.html() }{ "run failed" }</span> }
            }
            Self::Stopped => {
                html! { <span class="chip-part severity-warning">{ IconName::Warning.html() }{ "run stopped" }</span> }
            }
        }
    }
}

impl Problems {
    /// `2 errors, 1 warning`, with a note if the last run did not succeed or none of the errors prevents a plan.
    pub fn sentence(&self) -> String {
        let said = problems_sentence(self.errors, self.warnings);
        match (self.errors, self.run.word()) {
            (Some(_), Some(word)) => format!("{said}; the last run {word}"),
            (Some(errors), None) if errors > 0 && self.blocking == 0 => {
                format!("{said}; none of the errors prevents a plan")
            }
            _ => said,
        }
    }
}

/// The chip of the problems.
pub fn problems_chip(problems: &Problems, onclick: Callback<MouseEvent>) -> Html {
    let said = problems.sentence();
    let content = match (problems.errors, problems.warnings) {
        (None, _) => html! { <span class="chip-quiet">{ "checking" }</span> },
        (Some(0), 0) => problems.run.chip(),
        (Some(errors), warnings) => html! {
            <>
                { severity(errors, IconName::Error, "severity-error") }
                { severity(warnings, IconName::Warning, "severity-warning") }
            </>
        },
    };
    html! {
        <button type="button" class="chip chip-problems" title={said.clone()} {onclick}>
            { spoken(content, said) }
        </button>
    }
}

/// The chip while nothing is written yet.
pub fn blank_chip(onclick: Callback<MouseEvent>) -> Html {
    let said = "Nothing is written yet";
    html! {
        <button type="button" class="chip chip-problems" title={said} {onclick}>
            { spoken(html! { <span class="chip-quiet">{ "empty" }</span> }, said.into()) }
        </button>
    }
}

/// Signs for the eye, and their meaning for screen readers.
fn spoken(signs: Html, said: String) -> Html {
    html! {
        <>
            <span class="chip-signs" aria-hidden="true">{ signs }</span>
            <span class="visually-hidden">{ said }</span>
        </>
    }
}

fn severity(count: usize, icon: IconName, class: &'static str) -> Html {
    if count == 0 {
        return Html::default();
    }
    html! { <span class={classes!("chip-part", class)}>{ icon.html() }{ count }</span> }
}

/// `2 errors, 1 warning`.
pub fn problems_sentence(errors: Option<usize>, warnings: usize) -> String {
    match (errors, warnings) {
        (None, _) => "Checking".into(),
        (Some(0), 0) => "No problems".into(),
        (Some(0), warnings) => count(warnings, "warning"),
        (Some(errors), 0) => count(errors, "error"),
        (Some(errors), warnings) => format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
    }
}

/// The version of the text that a plan was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanAge {
    /// The newest.
    Current,
    /// The last one that was without errors.
    BeforeErrors,
    /// The one before the change that is still being planned.
    BeforeChange,
}

/// The chip of the plan: the number of actions of each kind.
pub fn plan_chip(summary: Option<&SummaryView>, age: PlanAge, onclick: Callback<MouseEvent>) -> Html {
    let said = plan_sentence(summary, age);
    let stale = age != PlanAge::Current;
    let content = match summary {
        Some(summary) => html! {
            <>
                { for summary.by_risk().map(|(action, count)| part(action, count)) }
                if stale { { IconName::Clock.html() } }
            </>
        },
        None => html! { <span class="chip-quiet">{ "no plan" }</span> },
    };
    html! {
        <button type="button" class={classes!("chip", "chip-plan", stale.then_some("stale"))}
            title={said.clone()} {onclick}>
            { spoken(content, said) }
        </button>
    }
}

fn part(action: Action, count: usize) -> Html {
    let class = if count == 0 { "chip-zero" } else { action_class(action) };
    html! { <span class={classes!("chip-part", "chip-action", class)}>{ action.words().symbol }{ count }</span> }
}

/// `Plan: 1 to rebuild, 3 to create`.
pub fn plan_sentence(summary: Option<&SummaryView>, age: PlanAge) -> String {
    let Some(summary) = summary else { return "No plan".into() };
    let parts: Vec<String> = summary
        .by_risk()
        .filter(|(_, count)| *count > 0)
        .map(|(action, count)| format!("{count} to {}", action.words().word))
        .collect();
    let said = if parts.is_empty() { "nothing to do".to_owned() } else { parts.join(", ") };
    match age {
        PlanAge::Current => format!("Plan: {said}"),
        PlanAge::BeforeErrors => format!("Plan before the last errors: {said}"),
        PlanAge::BeforeChange => format!("Planning. Plan before the last change: {said}"),
    }
}

/// The relation of the desired state to the recorded and the observed state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateSign {
    /// No state was given and no adapter is connected.
    NotConnected,
    /// A state was recorded, and something is to be done.
    Recorded(u64),
    /// There is nothing to do.
    InSync(u64),
    /// So many resources differ from their recorded values.
    Drifted(usize),
    /// The given state cannot be used for these files: it is damaged, or belongs to another deployment.
    Refused,
    /// The resources are being observed.
    Looking,
    /// The last run did not finish: `done` of `of` steps succeeded.
    Failed {
        /// It was stopped by hand.
        stopped: bool,
        /// So many.
        done: usize,
        /// Of so many; 0 where it did not begin.
        of: usize,
    },
    /// A plan is carried out: so many steps of so many have ended.
    Running {
        /// Everything is being destroyed.
        destroys: bool,
        /// So many.
        done: usize,
        /// Of so many.
        of: usize,
    },
    /// A watch restores what drifts from the recorded state.
    Watching,
    /// Another run holds the lease of the state.
    Held,
    /// The last check for drift failed, so the observed state is unknown.
    Unknown,
    /// Nothing was applied yet.
    Nothing,
}

impl StateSign {
    /// The word that the chip shows.
    pub fn word(&self) -> String {
        match self {
            Self::NotConnected => "not connected".into(),
            Self::Recorded(serial) => format!("revision {serial}"),
            Self::InSync(_) => "in sync".into(),
            Self::Drifted(count) => format!("{count} drifted"),
            Self::Refused => "unusable".into(),
            Self::Looking => "looking".into(),
            Self::Failed { stopped: true, done, of } => format!("stopped at {done} of {of}"),
            Self::Failed { of: 0, .. } => "not started".into(),
            Self::Failed { done, of, .. } => format!("failed, {done} of {of} done"),
            Self::Running { destroys: false, done, of } => format!("applying {done} of {of}"),
            Self::Running { destroys: true, done, of } => format!("destroying {done} of {of}"),
            Self::Watching => "watching".into(),
            Self::Held => "locked".into(),
            Self::Unknown => "unknown".into(),
            Self::Nothing => "nothing deployed".into(),
        }
    }

    /// The state as a sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::NotConnected => "State: not connected. The plan assumes that nothing exists yet".into(),
            Self::Recorded(serial) => format!("State: planned against the recorded state, revision {serial}"),
            Self::InSync(serial) => format!("State: in sync with the recorded state, revision {serial}"),
            Self::Drifted(1) => "State: 1 resource drifted from its recorded values".into(),
            Self::Drifted(count) => format!("State: {count} resources drifted from their recorded values"),
            Self::Refused => "State: it cannot be used for these files".into(),
            Self::Looking => "State: checking for drift".into(),
            Self::Failed { stopped: true, done, of } => {
                format!("State: the last run was stopped, {done} of {of} steps done")
            }
            Self::Failed { of: 0, .. } => "State: the last run was not started, and nothing was done".into(),
            Self::Failed { done, of, .. } => format!("State: the last run failed, {done} of {of} steps done"),
            Self::Running { .. } => format!("State: {}", self.word()),
            Self::Watching => "State: watching, what drifts from the recorded state is restored".into(),
            Self::Held => "State: locked by another run".into(),
            Self::Unknown => "State: unknown, the last check for drift failed".into(),
            Self::Nothing => "State: nothing is deployed yet".into(),
        }
    }

    const fn class(&self) -> &'static str {
        match self {
            Self::NotConnected => "state-none",
            Self::Recorded(_) => "state-recorded",
            Self::InSync(_) => "state-in-sync",
            Self::Drifted(_) => "state-drifted",
            Self::Failed { stopped: true, .. } => "state-drifted",
            Self::Refused | Self::Unknown | Self::Failed { .. } => "state-refused",
            Self::Looking => "state-looking",
            Self::Running { .. } => "state-running",
            Self::Watching => "state-watching",
            Self::Held => "state-drifted",
            Self::Nothing => "state-none",
        }
    }
}

/// The chip of the state.
pub fn state_chip(sign: &StateSign, onclick: Callback<MouseEvent>) -> Html {
    let said = sign.sentence();
    let content = html! {
        <>
            <span class="state-dot" />
            <span class="chip-word">{ sign.word() }</span>
        </>
    };
    html! {
        <button type="button" class={classes!("chip", "chip-state", sign.class())} title={said.clone()}
            {onclick}>
            { spoken(content, said) }
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_count() {
        assert_eq!(problems_sentence(Some(1), 2), "1 error, 2 warnings");
        assert_eq!(problems_sentence(Some(0), 0), "No problems");
        let clean = Problems { errors: Some(0), ..Problems::default() };
        assert_eq!(clean.sentence(), "No problems");
        for (run, said) in [(LastRun::Failed, "failed"), (LastRun::Stopped, "was stopped")] {
            assert_eq!(Problems { run, ..clean }.sentence(), format!("No problems; the last run {said}"));
        }
        let of_a_catalog = Problems { errors: Some(1), ..clean };
        assert_eq!(of_a_catalog.sentence(), "1 error; none of the errors prevents a plan");
        let blocking = Problems { blocking: 1, ..of_a_catalog };
        assert_eq!(blocking.sentence(), "1 error");
        let summary = SummaryView { create: 3, rebuild: 1, ..SummaryView::default() };
        assert_eq!(plan_sentence(Some(&summary), PlanAge::Current), "Plan: 1 to rebuild, 3 to create");
        assert_eq!(plan_sentence(Some(&SummaryView::default()), PlanAge::Current), "Plan: nothing to do");
    }
}
