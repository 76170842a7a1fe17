use std::fmt;

/// An error in a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place.
    pub at: ByteRange,
    /// The kind of error.
    pub kind: ProblemKind,
    /// A description: one line, without full stop.
    pub message: String,
}

/// The kind of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The text cannot be read.
    Syntax,
    /// It may be valid Ruby, but Planloom does not support it.
    Unsupported,
    /// There is no link of that name.
    NoLink,
    /// There is no property of that name.
    NoProperty,
    /// Only the director knows the value.
    Director,
    /// It depends on a value that is known only at run time.
    Unknown,
    /// It decides on a sensitive value.
    Hidden,
    /// An operation that the value does not support.
    Mismatch,
    /// It exceeds a limit of depth, length or work.
    Limit,
    /// The template itself says `raise`.
    Raised,
}

/// A range of bytes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteRange {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl ByteRange {
    /// The range from `start` up to `end`, exclusive.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The range from the start of this one to the end of the other one.
    pub(super) const fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }
}

impl Problem {
    pub(super) fn new(at: ByteRange, kind: ProblemKind, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if message.contains(char::is_control) {
            // Names and messages come from texts, which can contain anything.
            message = message.replace(char::is_control, " ");
        }
        Self { at, kind, message }
    }

    pub(super) fn syntax(at: ByteRange, message: impl Into<String>) -> Self {
        Self::new(at, ProblemKind::Syntax, message)
    }

    /// The problem that Ruby code is not supported; `what` names it.
    pub(super) fn unsupported(at: ByteRange, what: impl fmt::Display) -> Self {
        Self::new(at, ProblemKind::Unsupported, format!("this is Ruby that Planloom does not run: {what}"))
    }

    pub(super) fn mismatch(at: ByteRange, message: impl Into<String>) -> Self {
        Self::new(at, ProblemKind::Mismatch, message)
    }

    pub(super) fn limit(at: ByteRange, message: impl Into<String>) -> Self {
        Self::new(at, ProblemKind::Limit, message)
    }

    pub(super) fn unknown(at: ByteRange, what: impl fmt::Display) -> Self {
        let message = format!("{what} is known only at run time");
        Self::new(at, ProblemKind::Unknown, message)
    }

    pub(super) fn hidden(at: ByteRange) -> Self {
        Self::new(at, ProblemKind::Hidden, "a sensitive value can be inserted into text, but not tested")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}
