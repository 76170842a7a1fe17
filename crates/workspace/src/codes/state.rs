//! The codes of problems of a state or of observed resources that are read as a file.

diag::codes! {
    /// The codes of problems of a state or of observed resources that are read as a file.
    pub const ALL in "state";

    /// A state, or a file of observed resources, that cannot be read.
    ///
    /// It is not JSON, or has a value that does not belong there; nothing is planned, because a plan against half a
    /// state would create resources twice. Restore an earlier version with `planloom state restore`, or correct the
    /// file.
    UNREADABLE = "unreadable": Error;

    /// Two keys of a state that are the same address.
    ///
    /// Only one of them can be what is recorded. Remove the one that is out of date.
    DUPLICATE_ADDRESS = "duplicate-address": Error;
}
