//! The codes of what keeps the app from applying.

diag::codes! {
    /// The codes of what keeps the app from applying.
    pub const ALL in "apply";

    /// Files that cannot be planned.
    ///
    /// The app does not check what exists before their errors are fixed.
    BROKEN_FILES = "broken-files": Error;

    /// A page that is not connected to `planloom serve`.
    ///
    /// Open the link that it printed last, connect an adapter, or use the simulator.
    NOT_CONNECTED = "not-connected": Error;

    /// A deployment that cannot be opened, for example because another tab works with it.
    ///
    /// Close the other tab, or wait until it is done.
    NOT_OPEN = "not-open": Error;

    /// A server of the page that does not respond as `planloom serve`.
    ///
    /// Start it again, and open the link that it prints.
    NOT_SERVED = "not-served": Error;
}
