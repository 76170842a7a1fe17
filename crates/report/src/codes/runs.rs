//! The codes of interrupted runs.

diag::codes! {
    /// The codes of interrupted runs.
    pub const RUNS in "state";

    /// An earlier run that was interrupted.
    ///
    /// What it had started is in the journal, and the message lists it. The plan includes its result, which the next
    /// `planloom apply` records.
    INTERRUPTED = "interrupted": Warning;
}
