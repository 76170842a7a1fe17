//! The codes of what this crate reports, each with its documentation.

// Hosts use nothing of catalogs but this crate.
pub use catalog::codes as catalog;

diag::codes! {
    /// The codes of problems of choosing versions of packages, and of lock files.
    pub const ALL in "versions";

    /// A lock file that is not in its format, or has a key or version that it cannot have.
    ///
    /// What cannot be read is not locked, so another version might be chosen. Remove the file and write it again with
    /// `planloom resolve --lock`.
    LOCK = "lock": Error | Warning;

    /// An entry of a lock file that was changed after it was written.
    ///
    /// Its checksum does not match, so what is locked is not what was chosen and reviewed. Undo the change, or write
    /// the lock again with `planloom resolve --lock`.
    LOCK_CHANGED = "lock-changed": Error;

    /// A locked package that requires a package which is not locked.
    ///
    /// An entry was removed. Write the lock again from the catalogs with `planloom resolve --lock`.
    LOCK_INCOMPLETE = "lock-incomplete": Error;

    /// A lock file without checksums.
    ///
    /// A change to it cannot be noticed. Write it again with `planloom resolve --lock`.
    LOCK_UNCHECKED = "lock-unchecked": Warning;

    /// A locked image that differs from the one that the catalog has for the same bundle.
    ///
    /// Either the lock or the catalog was changed, perhaps by somebody who should not. Check which of the two is
    /// right; if it is the catalog, remove the entry and lock again.
    LOCK_IMAGE = "lock-image": Error;

    /// A locked version that no longer satisfies the requirements.
    ///
    /// Without a catalog this is an error, because no other version can be chosen; with one, another version is
    /// chosen. Update the lock with `planloom resolve --lock`.
    LOCK_OUTDATED = "lock-outdated": Error | Warning;

    /// A package that is not in the lock.
    ///
    /// Without a catalog no version can be chosen, which is an error; with one, a later run may choose another
    /// version. Add a catalog, or write the lock.
    NOT_LOCKED = "not-locked": Error | Warning;

    /// A request for versions without any catalog.
    ///
    /// There is nothing to choose from. Add a catalog to the files, or name it with `--catalog`.
    NO_CATALOG = "no-catalog": Error;

    /// An option of choosing versions that cannot be read, or that names something unknown.
    ///
    /// The help shows the form, such as `4.21` for a version of OpenShift.
    OPTION = "option": Error;

    /// A text that is not a range of versions.
    ///
    /// Write for example `^1.2.0`, `>=1.0.0 <2.0.0` or `1.2.x`. Which forms there are depends on the profile.
    RANGE = "range": Error;

    /// A catalog that is named and was not given.
    ///
    /// The help names a similar one or lists those that there are. Correct the name, or give the catalog.
    UNKNOWN_CATALOG = "unknown-catalog": Error, fix;
}
