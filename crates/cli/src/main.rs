//! The `planloom` binary: check, merge, graph, plan and apply descriptors at a terminal.
//!
//! It reads files, asks [`workspace`] and shows the answer: as JSON, which is the view as it is, or as text. Nothing
//! else of the core is seen here. What the outside world refuses (a missing file, a full disk) becomes a diagnostic
//! of code `host/…`, shown like all others.
#![forbid(unsafe_code)]

mod answer;
mod approved;
mod args;
mod catalogs;
mod changes;
mod comparison;
mod conceal;
mod console;
mod conversions;
mod files;
mod findings;
mod load;
mod place;
mod problem;
mod save;
mod saved;
mod secrets;
mod show;
mod usage;
mod verbs;
mod work;

use std::process::ExitCode;

use clap::Parser;

use args::Cli;
use console::Console;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::refuse(error),
    };
    let console = Console::new(cli.color);
    verbs::run(&cli.command, console)
}
