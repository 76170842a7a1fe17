//! The codes of problems that adapters report, as the protocol defines them. Adapters may have further codes.

diag::codes! {
    /// The codes of problems that adapters report, as the protocol defines them. Adapters may have further codes.
    pub const ANSWERS in "adapter";

    /// A token that is missing or wrong.
    ///
    /// Copy it again from where the adapter was started, a restart may generate a new one; the command line takes it
    /// from `PLANLOOM_ADAPTER_TOKEN`.
    UNAUTHORIZED = "unauthorized": Error;

    /// Something that the adapter was not allowed to do, such as to run a program that is not on its list.
    ///
    /// Nothing was done. The help says which option permits it.
    FORBIDDEN = "forbidden": Error;

    /// A resource that the adapter does not have.
    ///
    /// Plan again.
    NOT_FOUND = "not_found": Error;

    /// A resource that no longer exists.
    ///
    /// Plan again, and it is created again.
    GONE = "gone": Error;

    /// A resource of that id that exists with other attributes.
    EXISTS_DIFFERENTLY = "exists_differently": Error;

    /// A resource that belongs to another deployment.
    ///
    /// It is not changed. Give one of the two deployments another name.
    OTHER_LINEAGE = "other_lineage": Error;

    /// A change that cannot be made in place.
    ///
    /// The resource has to be destroyed and created again. Plan again.
    REBUILD_REQUIRED = "rebuild_required": Error;

    /// A resource on which another operation is in progress.
    ///
    /// Wait until it has ended; the engine tries again by itself.
    OPERATION_PENDING = "operation_pending": Error;

    /// An operation that cannot be cancelled.
    NOT_CANCELLABLE = "not_cancellable": Error;

    /// An operation that was cancelled.
    ///
    /// How far it got is not known. Apply again: what exists is found.
    CANCELLED = "cancelled": Error;

    /// A resource that has changed since it was read.
    ///
    /// Plan again.
    STALE = "stale": Error;

    /// A key of a call that was used for another call.
    ///
    /// This is a mistake in Planloom or in the adapter.
    KEY_REUSED = "key_reused": Error;

    /// A write without a key.
    ///
    /// This is a mistake of the caller of the adapter.
    KEY_MISSING = "key_missing": Error;

    /// A version of the protocol that the adapter does not speak.
    ///
    /// Use an adapter that speaks version 1.
    UNSUPPORTED_PROTOCOL = "unsupported_protocol": Error;

    /// A request that is not one of the protocol.
    ///
    /// This is a mistake of the caller of the adapter.
    BAD_REQUEST = "bad_request": Error;

    /// A kind that the adapter does not support.
    ///
    /// Connect one that does with `--adapter KIND=URL`.
    UNKNOWN_KIND = "unknown_kind": Error;

    /// Attributes with which the adapter cannot create a resource.
    ///
    /// The places show which, and why.
    INVALID_SPEC = "invalid_spec": Error;

    /// A payload that cannot be rented from the Golem network.
    ///
    /// It was checked before anything was requested. The message says what is wrong. Correct the payload.
    NOT_RENTABLE = "invalid-spec": Error;

    /// A request that is longer than the adapter reads.
    ///
    /// Make the attributes of the resource smaller.
    ANSWER_TOO_LARGE = "too_large": Error;

    /// Too many requests at a time.
    ///
    /// The engine tries again by itself.
    BUSY = "busy": Error;

    /// An adapter that does not work at the moment.
    ///
    /// See its log. The engine tries again by itself.
    UNAVAILABLE = "unavailable": Error;

    /// An adapter that cannot write its records, so that it changed nothing.
    ///
    /// Its disk may be full.
    NOT_RECORDED = "not_recorded": Error;

    /// An adapter that failed.
    ///
    /// See its log.
    INTERNAL = "internal": Error;
}
