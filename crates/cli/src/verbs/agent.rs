use std::process::ExitCode;

use crate::{args::RunService, console::write_err};

/// Runs the requestor agent of the adapter `golem`. The process that starts it keeps its output in a log.
pub(crate) fn run(args: &RunService) -> ExitCode {
    match adapter_golem::run_agent(&args.words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If the log cannot be written either, the adapter says that the agent is missing.
            drop(write_err(&format!("{error}\n")));
            ExitCode::FAILURE
        }
    }
}
