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

/// The outcome of a run, as a sentence.
pub(crate) fn sentence(report: &Report) -> String {
    let summary = report.summary;
    if report.ok {
        return format!("Done: {}. The state is at version {}.", count(summary.done, "step"), report.serial);
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
    format!(
        "Incomplete: of {all}, {}. Nothing is lost; the state is at version {}.",
        parts.join(", "),
        report.serial
    )
}
