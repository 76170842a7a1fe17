//! Texts that libyaml accepts although YAML 1.2 does not allow them.
//!
//! PyYAML, libyaml and go-yaml do not check the indentation of lines inside quotes and brackets, take a `#` right behind a
//! closing quote or bracket for a comment, and a tab behind a `:` for a space. People have such files, so they are read here
//! too: with the same values, a warning and a fix.
//!
//! The parser also refuses a character that is escaped in two halves, as JSON does it. That is no mistake, and is repaired
//! without a warning.
//!
//! The parser has no option to be as lenient, and a second parser (libyaml's port, which `serde_yaml` brings) would give other
//! marks and grow the module. So a text is repaired: only after the parser has refused it, [`Scanner`] goes over it once as
//! libyaml's scanner does and finds these places, [`Repaired`] is a copy in which they are as YAML 1.2 wants them, and what is
//! read from the copy is moved back to where it is in the text. All edits are spaces where spaces mean nothing, or another
//! escape of a character, so they change no value. Texts that the parser accepts cost nothing.

use diag::FileId;

use crate::reader::{Reader, Stop};
use crate::report::Report;
use crate::{Limits, Parse};

mod finding;
mod lines;
mod repaired;
mod scalars;
mod scanner;
mod tokens;

use finding::Finding;
use repaired::Repaired;
use scanner::Scanner;

/// The number of times that a text is read again with fewer repairs, because the error lies inside one of them.
const MOST_ATTEMPTS: usize = 4;

/// Reads a text that the parser refused; `None` if nothing in it is what only libyaml reads.
pub(crate) fn read(file: FileId, text: &str, limits: &Limits, as_written: bool) -> Option<Parse> {
    let mut findings = Scanner::new(text).findings();
    for attempt in 1..=MOST_ATTEMPTS {
        if findings.is_empty() {
            return None;
        }
        let repaired = Repaired::new(text, &findings)?;
        let mut reader = Reader::new(file, &repaired.text, limits, as_written);
        let stop = reader.run(0);
        // Who forgets a closing quote or bracket hears of that, and not of the lines up to the next one.
        let is_broken = |it: &Finding| match &stop {
            Stop::Failed { at, .. } => it.holds(repaired.original(*at)),
            Stop::End | Stop::Closed | Stop::Unfit | Stop::TooDeep => false,
        };
        if attempt < MOST_ATTEMPTS && findings.iter().any(is_broken) {
            findings.retain(|it| !is_broken(it));
            continue;
        }
        let mut parse = reader.finish(stop);
        repaired.relocate(&mut parse);
        return Some(with_warnings(parse, file, text, &findings));
    }
    None
}

fn with_warnings(mut parse: Parse, file: FileId, text: &str, findings: &[Finding]) -> Parse {
    let mut report = Report::default();
    for finding in findings {
        if let Some(words) = finding.words() {
            let make = || finding.diagnostic(file, text, words);
            report.push_with(diag::Severity::Warning, finding.span(file, text), make);
        }
    }
    let mut diagnostics = report.finish();
    diagnostics.append(&mut parse.diagnostics);
    Parse { diagnostics, ..parse }
}
