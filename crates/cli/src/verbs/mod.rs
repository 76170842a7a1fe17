//! One file for each command, from arguments to an answer, and the command that each of them runs.

mod adapter_test;
mod agent;
mod apply;
mod check;
mod compare;
mod explain;
mod format;
mod graph;
mod links;
mod merge;
mod plan;
pub(crate) mod region;
mod resolve;
mod schema;
mod serve;
mod spec;
mod state;
mod watch;

use std::{path::Path, process::ExitCode};

use report::reported;
use workspace::File;
use workspace::view::DiagnosticView;

use crate::answer::{Answer, Code, has_errors};
use crate::args::Command;
use crate::console::Console;
use crate::problem::unwritable;
use crate::save::{save, save_private};
use crate::show::diagnostics;

/// Runs a command and prints its answer.
pub(crate) fn run(command: &Command, console: Console) -> ExitCode {
    let answer = match command {
        Command::Check(args) => check::run(args, console),
        Command::Merge(args) => merge::run(args, console),
        Command::Format(args) => format::run(args, console),
        Command::Compare(args) => compare::run(args, console),
        Command::Graph(args) => graph::run(args, console),
        Command::Links(args) => links::run(args, console),
        Command::Resolve(args) => resolve::run(args, console),
        Command::Plan(args) => plan::run(args, console),
        Command::Apply(args) => apply::run(args, false, console),
        Command::Destroy(args) => apply::run(args, true, console),
        Command::Watch(args) => watch::run(args, console),
        Command::State(args) => state::run(&args.command, console),
        Command::Serve(args) => serve::run(args, console),
        Command::Region(args) => region::run(args, console),
        Command::AdapterTest(args) => adapter_test::run(args, console),
        Command::Explain(args) => explain::run(args, console),
        Command::Spec(args) => spec::run(&args.command, console),
        Command::Schema(args) => schema::run(args, console),
        Command::RunService(args) => return adapter_process::run_service(&args.words),
        Command::RunRequestorAgent(args) => return agent::run(args),
    };
    answer.give()
}

/// An answer whose product goes to standard output or a file, and its problems to standard error.
struct Artifact<'p> {
    text: String,
    to: Option<&'p Path>,
    diagnostics: Vec<DiagnosticView>,
    texts: &'p [File],
    /// Secrets may stand in it: only its owner may read the file.
    is_private: bool,
}

impl Artifact<'_> {
    /// With an error one sees what could be made, if anything was read; a file stays as it was, because half a
    /// document in it is worse than none.
    fn answer(self, console: Console) -> Answer {
        let reported = reported(&self.diagnostics);
        let err = notes(&reported, self.texts, console);
        if has_errors(&reported) {
            let is_shown = self.to.is_none() && !self.texts.is_empty();
            let out = if is_shown { self.text } else { String::new() };
            return Answer { out, err, code: Code::Errors };
        }
        let Some(path) = self.to else { return Answer { out: self.text, err, code: Code::Fine } };
        let save = if self.is_private { save_private } else { save };
        match save(path, &self.text) {
            Ok(()) => Answer { err, ..Answer::default() },
            Err(error) => {
                let err = err + &notes(&[unwritable(path, &error)], &[], console);
                Answer { err, code: Code::Errors, ..Answer::default() }
            }
        }
    }
}

/// Diagnostics with their count, for standard error; nothing where there are none.
fn notes(diagnostics: &[DiagnosticView], texts: &[File], console: Console) -> String {
    let Some(tally) = diagnostics::tally(diagnostics) else { return String::new() };
    diagnostics::show(diagnostics, texts, console.err, console.width) + &console.err.bold(&tally) + "\n"
}
