//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of problems of formatting.
    pub const ALL in "format";

    /// A file that is not formatted, because its meaning might change.
    ///
    /// The message says why: it has problems of syntax, or the formatted text would not be read as the same values
    /// and comments. Nothing of the file is changed. Fix the problems that `planloom check` shows, and format it
    /// again.
    LEFT = "left": Warning;
}
