//! The writes that the file of a store has lost, in words.

use host::{LostWrites, Recovery};
use report::codes;
use workspace::view::{DiagnosticView, Severity, words::count};

use crate::problem::problem;

/// The problem that a recovery is. It is an error if it was `refused`, and a warning if the store is open all the same.
pub(super) fn problem_of(recovery: &Recovery, place: &str, refused: bool) -> DiagnosticView {
    let (code, message, help) = match recovery.lost {
        LostWrites::Missing { transactions, bytes } => (
            codes::LOST_WRITES,
            format!(
                "`{place}` was cut short, removed or replaced by an older file: {}, {}, {}",
                count_of(transactions, "acknowledged transaction"),
                count_of(bytes, "byte"),
                if refused { "are missing; the file is left as it is" } else { "are lost" }
            ),
            match refused {
                true => {
                    "restore it from a copy, with its `.seal` if there is one; or go on without them with `--accept-lost-writes`"
                }
                false => "compare it with a copy, and leave out `--accept-lost-writes` from now on",
            },
        ),
        LostWrites::Nothing => (
            codes::INCOMPLETE_WRITE,
            format!("{}; it was never acknowledged, and nothing else is missing", dropped(recovery, place)),
            "the client that sent it got no answer, and may send it again",
        ),
        LostWrites::NoSeal => (
            codes::INCOMPLETE_WRITE,
            format!("{}; whether it was acknowledged is not known", dropped(recovery, place)),
            "keep the file with its `.seal`, which is written from now on: then it is known",
        ),
        LostWrites::UnreadableSeal => (
            codes::UNREADABLE_SEAL,
            format!(
                "the seal of `{place}` cannot be read: whether acknowledged writes are missing is not known{}",
                match recovery.incomplete {
                    0 => String::new(),
                    _ => format!("; {}", dropped(recovery, place)),
                }
            ),
            "compare the file with a copy; it is sealed again",
        ),
    };
    let severity = if refused { Severity::Error } else { Severity::Warning };
    DiagnosticView { severity, ..problem(code, Some(place), message, help) }
}

fn dropped(recovery: &Recovery, place: &str) -> String {
    let bytes = count_of(recovery.incomplete, "byte");
    format!("1 incomplete write of {bytes} at the end of `{place}` was dropped")
}

fn count_of(number: u64, what: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), what)
}
