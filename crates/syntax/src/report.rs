use diag::{Diagnostic, Diagnostics, Severity, Span};

use crate::codes;

/// The diagnostics of one file, up to a maximum number.
#[derive(Debug, Default)]
pub(crate) struct Report {
    found: Diagnostics,
    errors: Counted,
    others: Counted,
}

#[derive(Debug, Default)]
struct Counted {
    shown: usize,
    more: usize,
    /// The place of the first one that is not shown.
    at: Option<Span>,
}

/// Errors, and other diagnostics, of one file that are listed one by one.
const MOST: usize = 500;

impl Report {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.has_room(diagnostic.severity, diagnostic.span) {
            self.found.push(diagnostic);
        }
    }

    /// Adds one that is only made if it is shown.
    pub(crate) fn push_with(&mut self, severity: Severity, span: Span, make: impl FnOnce() -> Diagnostic) {
        if self.has_room(severity, Some(span)) {
            self.found.push(make());
        }
    }

    fn has_room(&mut self, severity: Severity, span: Option<Span>) -> bool {
        let counted = if severity == Severity::Error { &mut self.errors } else { &mut self.others };
        if counted.shown < MOST {
            counted.shown += 1;
            return true;
        }
        counted.more += 1;
        counted.at = counted.at.or(span);
        false
    }

    /// All of it.
    pub(crate) fn finish(self) -> Diagnostics {
        let Self { mut found, errors, others } = self;
        if errors.more > 0 {
            let message = format!("there are {} more errors in this file", errors.more);
            found.push(Diagnostic::error(codes::TOO_MANY, errors.at, message).help("fix those above first"));
        }
        if others.more > 0 {
            let message = format!("there are {} more warnings in this file", others.more);
            found
                .push(Diagnostic::warning(codes::TOO_MANY, others.at, message).help("fix those above first"));
        }
        found
    }
}
