use report::codes;
use workspace::view::DiagnosticView;

use crate::problem::problem;

/// Runs the future of a verb, and the tasks that it spawns, in this thread.
pub(crate) fn run<T>(
    work: impl Future<Output = Result<T, Box<DiagnosticView>>>,
) -> Result<T, Box<DiagnosticView>> {
    host::run(work).unwrap_or_else(|error| {
        Err(Box::new(problem(codes::SYSTEM, None, error.to_string(), "free resources of the system")))
    })
}
