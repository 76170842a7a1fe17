use std::process::ExitCode;

use crate::args::RunService;

/// Runs the requestor agent of the adapter `golem`. Whoever starts it keeps what it says in a log.
#[expect(clippy::print_stderr, reason = "its standard error is the log")]
pub(crate) fn run(args: &RunService) -> ExitCode {
    match adapter_golem::run_agent(&args.words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
