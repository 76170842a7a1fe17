//! Conversion of an engine's reports to the views of the page.

use std::collections::{BTreeMap, BTreeSet};
use workspace::view::{Action, StateChange};

use ui::views::live::{ErrorItem, Outcome, PlaceItem, StepItem, StepLook};
use web::apply::message::Difference;
use workspace::engine::{
    EngineError, Report, StepState, StepView,
    codes::{OTHER_ADAPTER, OTHER_LINEAGE},
};

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

/// Counts what was restored by a run; that of the latest comes first.
pub fn count(restored: &mut Vec<(String, u32)>, addresses: Vec<&str>) {
    for address in addresses.into_iter().rev() {
        let before = restored.iter().position(|it| it.0 == address).map_or(0, |at| restored.remove(at).1);
        restored.insert(0, (address.to_owned(), before + 1));
    }
}

/// The changes that a watch has reverted, as a sentence; empty if there are none.
pub fn restored(restored: &[(String, u32)]) -> String {
    let times = |(address, times): &(String, u32)| match times {
        1 => address.clone(),
        times => format!("{address} ({times} times)"),
    };
    let all: Vec<String> = restored.iter().map(times).collect();
    if all.is_empty() { String::new() } else { format!("Restored {}.", named(&all)) }
}

/// The actions that a watch leaves to an apply, as a sentence; empty if there are none.
pub fn waiting(unapplied: &[(Action, String)]) -> String {
    let part = |action: Action| {
        let of_it = unapplied.iter().filter(|it| it.0 == action);
        let all: Vec<String> = of_it.map(|(_, address)| address.clone()).collect();
        (!all.is_empty()).then(|| format!("{} {}", action.words().word, named(&all)))
    };
    let parts: Vec<String> = Action::BY_RISK.into_iter().filter_map(part).collect();
    if parts.is_empty() {
        return String::new();
    }
    format!("Only drift is restored. Apply to {}.", parts.join("; to "))
}

/// `services.a, services.b and 7 more`.
fn named(all: &[String]) -> String {
    const NAMED: usize = 6;
    let shown = all.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The view of an error, with its places.
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

/// The remedy for an error, in the words of the page if it has any.
fn help(error: &EngineError) -> &str {
    match error {
        it if it.is(OTHER_ADAPTER) => {
            "Nothing was done. Connect the adapter that created them, or move them to this one on the \
             command line: `planloom apply --move-to`."
        }
        it if it.is(OTHER_LINEAGE) => {
            "Nothing was done. If the state that recorded them was lost, adopt them on the command line: \
             `planloom apply --adopt`. If this is another deployment, give it another name (`meta.name`)."
        }
        _ => &error.help,
    }
}

/// The outcome of a run.
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

/// The differences between two versions.
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
