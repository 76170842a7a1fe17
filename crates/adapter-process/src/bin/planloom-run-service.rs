//! The command `planloom run-service` as a program of its own: for tests, and for hosts that include the
//! adapter but cannot start themselves again.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use planloom_adapter_process::run_service;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(2).collect();
    run_service(&words)
}
