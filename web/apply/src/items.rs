//! What an engine says, as the page shows it.

use std::collections::{BTreeMap, BTreeSet};
use workspace::view::StateChange;

use ui::views::live::{ErrorItem, Outcome, PlaceItem, StepItem, StepLook};
use web::apply::message::Difference;
use workspace::engine::{EngineError, Report, StepState, StepView};

/// The steps of a run.
pub fn steps(steps: &[StepView]) -> Vec<StepItem> {
    let addresses: BTreeMap<&str, &str> = steps.iter().map(|it| (&*it.step, &*it.address)).collect();
    let because = |it: &StepView| {
        let because = it.because.as_deref()?;
        Some((*addresses.get(because).unwrap_or(&because)).to_owned())
    };
    let item = |it: &StepView| StepItem {
        id: it.step.clone(),
        address: it.address.clone(),
        verb: it.verb,
        look: look(it.state),
        words: it.message.clone().unwrap_or_default(),
        percent: it.percent,
        because: because(it),
        error: it.error.as_ref().map(error_item),
        since: None,
        took: None,
    };
    steps.iter().map(item).collect()
}

/// Since when the steps are at work that are, and how long those took that have ended: since now, unless they were
/// already as they were sent `before`.
pub fn time(steps: &mut [StepItem], before: &[StepItem], now: i64) {
    for step in steps {
        let was = before.iter().find(|it| it.id == step.id);
        let since = was.and_then(|it| it.since);
        match step.look {
            StepLook::Running => step.since = since.or(Some(now)),
            StepLook::Done | StepLook::Failed => {
                let ended = since.map(|since| now.saturating_sub(since).max(0).cast_unsigned());
                step.took = was.and_then(|it| it.took).or(ended);
            }
            StepLook::Waiting | StepLook::Skipped => {}
        }
    }
}

const fn look(state: StepState) -> StepLook {
    match state {
        StepState::NotStarted => StepLook::Waiting,
        StepState::Running => StepLook::Running,
        StepState::Done => StepLook::Done,
        StepState::Failed => StepLook::Failed,
        StepState::Skipped => StepLook::Skipped,
    }
}

/// The addresses of which a step was done, each once.
pub fn done(report: &Report) -> Vec<&str> {
    let done = report.steps.iter().filter(|it| it.state == StepState::Done);
    done.map(|it| &*it.address).collect::<BTreeSet<_>>().into_iter().collect()
}

/// What went wrong.
pub fn error_item(error: &EngineError) -> ErrorItem {
    let place = |blame: &workspace::engine::Blame| {
        let place = blame.place.as_ref()?;
        let detail = if blame.detail.is_empty() { &error.message } else { &blame.detail };
        let (file, detail) = (place.file.clone(), detail.clone());
        Some(PlaceItem { file, line: place.line, column: place.column, detail })
    };
    ErrorItem {
        code: error.code.to_string(),
        message: error.message.clone(),
        help: help(error).to_owned(),
        places: error.blames.iter().filter_map(place).collect(),
    }
}

/// What to do, in the words of the page where it has any.
fn help(error: &EngineError) -> &str {
    match &*error.code {
        "engine/other-adapter" => {
            "Nothing was done. Connect the adapter that created them, or move them to this one on the \
             command line: `planloom apply --move-to`."
        }
        "engine/other-lineage" => {
            "Nothing was done. If the state that recorded them was lost, adopt them on the command line: \
             `planloom apply --adopt`. If this is another deployment, give it another name (`meta.name`)."
        }
        _ => &error.help,
    }
}

/// What came of a run.
pub const fn outcome(report: &Report, destroyed: bool, stopped: bool, took: Option<u64>) -> Outcome {
    let summary = report.summary;
    Outcome {
        ok: report.ok,
        destroyed,
        stopped,
        done: summary.done,
        failed: summary.failed,
        skipped: summary.skipped,
        not_started: summary.not_started,
        took,
    }
}

/// What is not the same in two versions.
pub fn differences(found: Vec<state::Difference>) -> Vec<Difference> {
    let text = |json: Option<serde_json::Value>| json.map(|it| it.to_string()).unwrap_or_default();
    let difference = |it: state::Difference| Difference {
        address: it.address,
        change: match it.change {
            state::DifferenceKind::Added => StateChange::Added,
            state::DifferenceKind::Removed => StateChange::Removed,
            state::DifferenceKind::Changed => StateChange::Changed,
        },
        places: it.changes.into_iter().map(|it| (it.pointer, text(it.before), text(it.after))).collect(),
    };
    found.into_iter().map(difference).collect()
}
