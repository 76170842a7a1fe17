//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of problems of dependencies.
    pub const ALL in "graph";

    /// A dependency cycle: resources that need each other.
    ///
    /// None of them can be created first, so there is no order for a plan. The message shows a shortest cycle, and
    /// the related places show what causes each step. Remove one of the dependencies, for example by writing an
    /// address instead of referring to it.
    ///
    /// ```yaml
    /// services:
    ///   a: {payload: p, depends_on: [b]}
    ///   b: {payload: p, depends_on: [a]}
    /// ```
    CYCLE = "cycle": Error;
}
