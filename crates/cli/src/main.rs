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

use args::{Cli, Command};
use console::Console;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::refuse(error),
    };
    let console = Console::new(cli.color);
    let answer = match &cli.command {
        Command::Check(args) => verbs::check::run(args, console),
        Command::Merge(args) => verbs::merge::run(args, console),
        Command::Format(args) => verbs::format::run(args, console),
        Command::Compare(args) => verbs::compare::run(args, console),
        Command::Graph(args) => verbs::graph::run(args, console),
        Command::Links(args) => verbs::links::run(args, console),
        Command::Resolve(args) => verbs::resolve::run(args, console),
        Command::Plan(args) => verbs::plan::run(args, console),
        Command::Apply(args) => verbs::apply::run(args, false, console),
        Command::Destroy(args) => verbs::apply::run(args, true, console),
        Command::Watch(args) => verbs::watch::run(args, console),
        Command::State(args) => verbs::state::run(&args.command, console),
        Command::Serve(args) => verbs::serve::run(args, console),
        Command::AdapterTest(args) => verbs::adapter_test::run(args, console),
        Command::Explain(args) => verbs::explain::run(args, console),
        Command::Spec(args) => verbs::spec::run(&args.command, console),
        Command::Schema(args) => verbs::schema::run(args, console),
        Command::RunService(args) => return adapter_process::run_service(&args.words),
        Command::RunRequestorAgent(args) => return verbs::agent::run(args),
    };
    answer.give()
}
