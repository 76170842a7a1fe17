//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of errors with the place that keeps a state.
    pub const ALL in "state";

    /// A state that was changed by somebody else meanwhile.
    ///
    /// What would be written is based on an older version, so nothing was done. Plan again.
    STALE = "stale": Error;

    /// A state that another process is working with.
    ///
    /// Two writers would lose each other's changes. Wait until it has finished, or stop it if it is a `watch`. If the
    /// holder no longer exists, use `planloom state unlock`.
    LOCKED = "locked": Error;

    /// A right to write the state that was lost during the work, for example while the machine was asleep.
    ///
    /// Another process may be writing, so work was stopped. What was started is in the journal; apply again to
    /// continue.
    LEASE_LOST = "lease-lost": Error;

    /// A place of a state that cannot be reached, or refuses the request.
    ///
    /// Nothing was lost. Check the address, the permissions and the network, then try again.
    UNAVAILABLE = "unavailable": Error;

    /// A state that is damaged.
    ///
    /// Its checksums do not match what is there, so it is not used and nothing was overwritten. Restore an earlier
    /// version: `planloom state history` lists them, and `planloom state restore` restores one.
    CORRUPT = "corrupt": Error;

    /// Something that the place of the state cannot do, such as keeping earlier versions.
    ///
    /// Use another place for the state.
    UNSUPPORTED = "unsupported": Error;

    /// A state that is encrypted and cannot be opened, or that is not encrypted and should be.
    ///
    /// Set `PLANLOOM_STATE_PASSPHRASE` to the passphrase that it was encrypted with, or unset it for a state that is
    /// not encrypted.
    SEALED = "sealed": Error;

    /// A state that would not be valid, and was not written.
    ///
    /// This is a mistake in Planloom. Report it with the message.
    INVALID = "invalid": Error;
}
