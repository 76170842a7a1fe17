//! Texts that PyYAML reads have the same values here.
//!
//! Pieces of files that strangers wrote are cut, re-indented, joined and spliced at random. A text that PyYAML (with libyaml,
//! where it has it) reads without an error, [`parse`] reads without an error and with the same value, or one of the reasons in
//! `pyyaml/difference.rs` says why not. A text that PyYAML refuses may be read or refused.
//!
//! Needs `python3` with PyYAML, and the files in `$PLANLOOM_SHARED/data` or in `../shared/data` beside the repository. Checks
//! whose input is missing are skipped, and say so. `PLANLOOM_SEED` is the seed, `PROPTEST_CASES` over 256 asks for more
//! documents.
#![expect(clippy::print_stderr, reason = "a skipped test must be seen")]

use std::collections::BTreeMap;

use diag::{FileId, Severity};
use planloom_syntax::{Limits, parse};

use crate::lenient;

mod difference;
mod oracle;
mod pieces;

use difference::{compare, refusal};

/// Documents that are tried.
const DOCUMENTS: usize = 20_000;
/// Failures that are shown.
const SHOWN: usize = 12;

fn seed() -> u64 {
    std::env::var("PLANLOOM_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1)
}

fn documents() -> usize {
    let requested = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse::<usize>().ok());
    requested.map_or(DOCUMENTS, |it| it.max(256) * DOCUMENTS / 256)
}

#[test]
fn pyyaml_documents_are_read_alike() {
    let Some(files) = pieces::files() else { return };
    let seed = seed();
    let documents = pieces::documents(&files, seed, documents());
    let answers = match oracle::ask(&documents) {
        Ok(answers) => answers,
        Err(why) => {
            eprintln!("skipped: {why}");
            return;
        }
    };
    assert_eq!(answers.len(), documents.len());
    let (mut counts, mut failures) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for (document, answer) in documents.iter().zip(&answers) {
        match verdict(document, answer) {
            Ok(class) => *counts.entry(class).or_default() += 1,
            Err(why) => failures.push(format!("{why}\n{document:?}\n{document}")),
        }
    }
    eprintln!("seed {seed}, {} documents", documents.len());
    counts.iter().for_each(|(class, count)| eprintln!("{count:>7}  {class}"));
    let count = failures.len();
    failures.truncate(SHOWN);
    assert!(failures.is_empty(), "seed {seed}: {count} failures\n{}", failures.join("\n----\n"));
}

/// The class that a document belongs to, or why it belongs to none.
fn verdict(document: &str, answer: &oracle::Answer) -> Result<&'static str, String> {
    let parse = parse(FileId(0), document, &Limits::default());
    let errors: Vec<_> = parse.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
    let is_warned = lenient::warnings(&parse).next().is_some();
    if errors.is_empty() {
        lenient::check_fixes(document, &parse)?;
    }
    let theirs = match answer {
        oracle::Answer::Refused if !errors.is_empty() => return Ok("both refuse"),
        oracle::Answer::Refused if is_warned => return Ok("only we read, with a warning"),
        oracle::Answer::Refused => return Ok("only we read"),
        oracle::Answer::Read(theirs) => theirs,
    };
    if let Some(first) = errors.first() {
        let unknown = errors.iter().find(|it| refusal(document, it).is_none()).unwrap_or(first);
        return refusal(document, unknown).ok_or_else(|| format!("{} {}", unknown.code, unknown.message));
    }
    let known = compare(parse.document.root.as_ref(), theirs, document)?;
    Ok(match known.first() {
        Some(reason) => reason,
        None if is_warned => "both read alike, we with a warning",
        None => "both read alike",
    })
}
