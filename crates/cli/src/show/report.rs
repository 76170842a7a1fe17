use workspace::engine::{Report, StepView};
use workspace::view::DiagnosticView;
use workspace::view::words::count;

use crate::work::errors::diagnostic;

/// The error of a step, with the address of its resource.
pub(crate) fn of_step(step: &StepView) -> Option<DiagnosticView> {
    let mut view = diagnostic(step.error.as_ref()?);
    view.message = format!("`{}` could not be {}: {}", step.address, step.verb.words().past, view.message);
    Some(view)
}

/// The outcome of a run, in sentences; the version of the state is named if the state is kept.
pub(crate) fn sentence(report: &Report, is_kept: bool) -> String {
    let summary = report.summary;
    if report.ok {
        let done = format!("Done: {}.", count(summary.done, "step"));
        return if is_kept { format!("{done} The state is at version {}.", report.serial) } else { done };
    }
    let parts = [
        (summary.done, "done"),
        (summary.failed, "failed"),
        (summary.skipped, "skipped"),
        (summary.not_started, "not started"),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let all = count(report.steps.len(), "step");
    let incomplete = format!("Incomplete: of {all}, {}.", parts.join(", "));
    match is_kept {
        true => format!("{incomplete} Nothing is lost; the state is at version {}.", report.serial),
        false => format!("{incomplete} Apply again to continue."),
    }
}
