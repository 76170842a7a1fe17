//! The codes of errors of the npm package in a worker.

diag::codes! {
    /// The codes of errors of the npm package in a worker.
    pub const ALL in "worker";

    /// A worker that has ended.
    ///
    /// Create another one.
    ENDED = "ended": Error;
}
