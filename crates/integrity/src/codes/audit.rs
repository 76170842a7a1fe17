//! The codes of problems of the audit log of a service.

diag::codes! {
    /// The codes of problems of the audit log of a service.
    pub const AUDIT in "audit";

    /// A change that cannot be written to the audit log.
    ///
    /// It was not made, since no change may go unlogged. Check the place of the log.
    NOT_LOGGED = "not-logged": Error;
}
