//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of refused operations on a store of resources.
    pub const ALL in "store";

    /// A resource that does not exist.
    NOT_FOUND = "not-found": Error;

    /// A resource that is created and exists already.
    ALREADY_EXISTS = "already-exists": Error;

    /// A resource that another writer has changed since it was read.
    ///
    /// Read it again, and decide again.
    VERSION_CONFLICT = "version-conflict": Error;

    /// A resource that was deleted and created again since it was read.
    ///
    /// Read it again, and decide again.
    UID_CONFLICT = "uid-conflict": Error;

    /// A resource that belongs to another controller.
    ///
    /// Only its owner may write it.
    OWNER_CONFLICT = "owner-conflict": Error;

    /// A resource that is in another phase than the operation needs.
    PHASE_CONFLICT = "phase-conflict": Error;

    /// A resource that cannot be destroyed before its finalizers are released.
    PENDING_FINALIZERS = "pending-finalizers": Error;

    /// A resource or name that cannot be stored.
    INVALID = "invalid": Error;

    /// A bookmark that is not one of this store.
    ///
    /// Watch from the beginning.
    INVALID_BOOKMARK = "invalid-bookmark": Error;

    /// Options of a list or watch that contradict each other.
    INVALID_OPTIONS = "invalid-options": Error;

    /// A place that keeps the store and cannot be written.
    ///
    /// What was not kept is not visible. Check the place.
    BACKING = "backing": Error;

    /// An operation that was cancelled, because the store was closed.
    CANCELLED = "cancelled": Error;
}
