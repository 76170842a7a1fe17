//! The command `planloom run-requestor-agent` as a program of its own: for tests, and for hosts that include
//! the adapter but cannot start themselves again.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use planloom_adapter_golem::run_agent;

#[expect(clippy::print_stderr, reason = "its standard error is a log")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(2).collect();
    match run_agent(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
