use diag::{Diagnostic, Diagnostics, Severity, Span};

use crate::codes;

/// The diagnostics of a catalog, up to a maximum number.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    found: Diagnostics,
    shown: [usize; 2],
    more: [usize; 2],
    at: Option<Span>,
    /// True if only a part of the text could be read, which has been reported: the rest may explain what
    /// seems wrong.
    pub(crate) is_partial: bool,
}

/// The highest number of errors, and of other diagnostics, that are listed individually.
const MOST: usize = 500;

impl Findings {
    pub(crate) fn push(&mut self, found: Diagnostic) {
        if self.is_partial {
            return;
        }
        let kind = usize::from(found.severity != Severity::Error);
        let (Some(shown), Some(more)) = (self.shown.get_mut(kind), self.more.get_mut(kind)) else { return };
        if *shown < MOST {
            *shown += 1;
            self.found.push(found);
        } else {
            *more += 1;
            self.at = self.at.or(found.span);
        }
    }

    /// True if there are no findings.
    pub(crate) const fn is_empty(&self) -> bool {
        self.shown[0] + self.shown[1] == 0
    }

    /// All findings.
    pub(crate) fn finish(mut self) -> Diagnostics {
        let [errors, others] = self.more;
        if errors > 0 {
            let found = Diagnostic::error(codes::TOO_MANY, self.at, more(errors, "error"));
            self.found.push(found.help("fix those above first"));
        }
        if others > 0 {
            self.found.push(Diagnostic::warning(codes::TOO_MANY, self.at, more(others, "warning")));
        }
        self.found
    }
}

fn more(number: usize, noun: &str) -> String {
    match number {
        1 => format!("there is 1 more {noun} in this catalog"),
        _ => format!("there are {number} more {noun}s in this catalog"),
    }
}
