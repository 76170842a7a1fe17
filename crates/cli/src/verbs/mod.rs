//! One file for each command, from arguments to an answer.

pub(crate) mod adapter_test;
pub(crate) mod agent;
pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod explain;
pub(crate) mod format;
pub(crate) mod graph;
pub(crate) mod links;
pub(crate) mod merge;
pub(crate) mod plan;
pub(crate) mod resolve;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod spec;
pub(crate) mod state;
pub(crate) mod watch;

use std::path::Path;

use report::reported;
use workspace::File;
use workspace::view::DiagnosticView;

use crate::answer::{Answer, Code, has_errors};
use crate::console::Console;
use crate::problem::unwritable;
use crate::save::{save, save_private};
use crate::show::diagnostics;

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
