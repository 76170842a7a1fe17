use std::fmt;

/// An error in a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub at: ByteRange,
    /// What kind of fault it is.
    pub kind: ProblemKind,
    /// What is wrong: one line, without full stop.
    pub message: String,
}

/// The kind of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The text cannot be read.
    Syntax,
    /// It may well be right Ruby, but Planloom does not run it.
    Unsupported,
    /// There is no link of that name.
    NoLink,
    /// There is no property of that name.
    NoProperty,
    /// Only the director can tell.
    Director,
    /// It depends on what is known only once something runs.
    Unknown,
    /// It decides on what must be hidden.
    Hidden,
    /// It asks something of a value that such a value has not.
    Mismatch,
    /// It is too deep, too long or too much work.
    Limit,
    /// The template itself says `raise`.
    Raised,
}

/// A run of bytes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteRange {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl ByteRange {
    /// From `start` until before `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// From where this one starts to where the other one ends.
    pub(super) const fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }
}

impl Problem {
    pub(super) fn new(at: ByteRange, kind: ProblemKind, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if message.contains(char::is_control) {
            // Names and messages come from texts, where they can hold anything.
            message = message.replace(char::is_control, " ");
        }
        Self { at, kind, message }
    }

    pub(super) fn syntax(at: ByteRange, message: impl Into<String>) -> Self {
        Self::new(at, ProblemKind::Syntax, message)
    }

    /// Ruby that is not run; `what` names it.
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
