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
mod comparison;
mod conceal;
mod console;
mod files;
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

use args::{Cli, Verb};
use console::Console;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::refuse(error),
    };
    let console = Console::new(cli.color);
    let answer = match &cli.verb {
        Verb::Check(args) => verbs::check::run(args, console),
        Verb::Merge(args) => verbs::merge::run(args, console),
        Verb::Graph(args) => verbs::graph::run(args, console),
        Verb::Links(args) => verbs::links::run(args, console),
        Verb::Resolve(args) => verbs::resolve::run(args, console),
        Verb::Plan(args) => verbs::plan::run(args, console),
        Verb::Apply(args) => verbs::apply::run(args, false, console),
        Verb::Destroy(args) => verbs::apply::run(args, true, console),
        Verb::Watch(args) => verbs::watch::run(args, console),
        Verb::State(args) => verbs::state::run(&args.verb, console),
        Verb::Serve(args) => verbs::serve::run(args, console),
        Verb::AdapterTest(args) => verbs::adapter_test::run(args, console),
        Verb::Explain(args) => verbs::explain::run(args, console),
        Verb::Schema(args) => verbs::schema::run(args, console),
        Verb::RunService(args) => return adapter_process::run_service(&args.words),
    };
    answer.give()
}
