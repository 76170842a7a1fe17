use diag::{Diagnostic, Diagnostics, Severity, Span};

use crate::codes;

/// The diagnostics of a catalog, up to a maximum number.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    found: Diagnostics,
    shown: [usize; 2],
    more: [usize; 2],
    at: Option<Span>,
    /// Of what is being read there is only a part, and why has been said: the rest may explain what seems wrong.
    pub(crate) is_partial: bool,
}

/// Errors, and other diagnostics, that are listed one by one.
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

    /// Whether nothing was found.
    pub(crate) const fn is_empty(&self) -> bool {
        self.shown[0] + self.shown[1] == 0
    }

    /// All of it.
    pub(crate) fn finish(mut self) -> Diagnostics {
        let [errors, others] = self.more;
        if errors > 0 {
            let message = format!("there are {errors} more errors in this catalog");
            self.found
                .push(Diagnostic::error(codes::TOO_MANY, self.at, message).help("fix those above first"));
        }
        if others > 0 {
            let message = format!("there are {others} more warnings in this catalog");
            self.found.push(Diagnostic::warning(codes::TOO_MANY, self.at, message));
        }
        self.found
    }
}
