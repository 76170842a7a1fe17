use report::codes;
use workspace::view::DiagnosticView;

use crate::problem::problem;

/// Runs what a verb does, and what that spawns, in this thread.
pub(crate) fn run<T>(
    work: impl Future<Output = Result<T, Box<DiagnosticView>>>,
) -> Result<T, Box<DiagnosticView>> {
    host::run(work).unwrap_or_else(|error| {
        Err(Box::new(problem(codes::SYSTEM, None, error.to_string(), "free resources of the system")))
    })
}
