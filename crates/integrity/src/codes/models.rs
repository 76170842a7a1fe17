//! The codes of doubts about what happens to resources of services on deletion.

diag::codes! {
    /// The codes of doubts about what happens to resources of services on deletion.
    pub const MODELS in "integrity";

    /// A kind with parents that does not say what happens when they are deleted.
    ///
    /// Set `onParentDeleted`, for example to `ASYNC_CASCADE_DELETE`.
    NO_PARENT_BEHAVIOR = "no-parent-behavior": Error;

    /// A kind whose parent is to be cleared when that is deleted.
    ///
    /// The parent is part of the name, which cannot change. Use `ASYNC_CASCADE_DELETE`, `CASCADE_DELETE` or `BLOCK`.
    PARENT_UNSET = "parent-unset": Error;

    /// A parent that does not exist.
    ///
    /// Define the kind, or remove the parent.
    UNKNOWN_PARENT = "unknown-parent": Error;

    /// A reference to a kind that does not exist.
    ///
    /// Define the kind, import its service, or use a plain name instead of a reference.
    UNKNOWN_TARGET = "unknown-target": Error;

    /// A kind that is deleted asynchronously and by a reference in the same transaction.
    ///
    /// Both cannot hold. Use `ASYNC_CASCADE_DELETE` for the reference, or remove `asyncDeletion`.
    ASYNC_DELETION_WITH_CASCADE = "async-deletion-with-cascade": Error;

    /// A deletion of many resources in one transaction.
    ///
    /// Others wait until it has ended. Use `ASYNC_CASCADE_DELETE` for kinds of which a parent has more than a few.
    MANY_CHILDREN = "many-children": Warning;

    /// A deletion that another resource can block for ever.
    ///
    /// One resource is deleted later than what causes its deletion, and a reference may then block it, so it stays
    /// half deleted. Let the blocking kind be deleted too, use another behaviour for the field, or delete the
    /// blocking resources first.
    STUCK_DELETION = "stuck-deletion": Warning;
}
