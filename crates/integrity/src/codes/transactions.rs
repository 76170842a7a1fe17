//! The codes of refused transactions of a service.

diag::codes! {
    /// The codes of refused transactions of a service.
    pub const TRANSACTIONS in "integrity";

    /// A transaction whose reads were changed by others meanwhile.
    ///
    /// Run it again.
    ABORTED = "aborted": Error;

    /// A transaction that reads after it has written.
    ///
    /// Read everything before the first write.
    READ_AFTER_WRITE = "read-after-write": Error;

    /// A write in a transaction that may only read.
    READ_ONLY = "read-only": Error;

    /// A read or write outside of a transaction.
    ///
    /// Begin one first.
    NOT_BEGUN = "not-begun": Error;

    /// A resource that does not exist.
    ///
    /// Check the name, or create the resource first.
    NOT_FOUND = "not-found": Error;

    /// A resource that is created and exists already.
    ///
    /// Use another name, or update the resource.
    ALREADY_EXISTS = "already-exists": Error;

    /// A name that does not follow a pattern of its kind.
    INVALID_NAME = "invalid-name": Error;

    /// A resource that is not a JSON object.
    NOT_AN_OBJECT = "not-an-object": Error;

    /// A resource that one transaction writes and deletes.
    ///
    /// Use two transactions.
    SAVED_AND_DELETED = "saved-and-deleted": Error;

    /// A resource that is created while an earlier one of the name is being deleted.
    ///
    /// Wait until it is gone, and create it again.
    DELETING = "deleting": Error;

    /// A change of a resource that is being deleted.
    ///
    /// Wait until the asynchronous part of the deletion has finished.
    STILL_DELETING = "still-deleting": Error;

    /// References to resources that do not exist.
    ///
    /// Create the targets first or in the same transaction.
    BROKEN_REFERENCES = "broken-references": Error;

    /// A deletion that references from other resources block.
    ///
    /// Delete or change these resources first. Each is listed with its field.
    BLOCKED = "blocked": Error;

    /// A reference to a resource of another deployment that does not know of it yet.
    ///
    /// The deployment that owns the target has to agree first. Servers ask it before they store the reference; it is not reachable
    /// now, or the server does not know its address.
    UNESTABLISHED = "unestablished": Error;

    /// A deletion of a resource that other deployments may refer to.
    ///
    /// They have to be asked first. Servers do so before they delete it; one of them is not reachable now, or the server does not
    /// know its address.
    UNCHECKED = "unchecked": Error;

    /// A resource in a region that the policy above it does not enable, or that its service is not in.
    ///
    /// Use one of the regions that are listed, or add the region to `multiRegionPolicy.enabledRegions`. A resource whose name has no
    /// region is in the default control region of the policy.
    NOT_PLACED = "not-placed": Error;

    /// A write of a resource that another region owns.
    ///
    /// Servers pass requests to the region that owns what they write. Two of them may disagree for a moment after a policy has
    /// changed; send the request again.
    NOT_OWNER = "not-owner": Error;

    /// A transaction that writes below several resources with a policy of regions.
    ///
    /// Only one policy can govern what a transaction writes, besides that of the service (source: Goten's guide). Use a transaction
    /// for each of them.
    SEVERAL_HOLDERS = "several-holders": Error;

    /// A change of the life cycle that clients may not make.
    ///
    /// Leave `metadata.lifecycle` to the server.
    ILLEGAL_TRANSITION = "illegal-transition": Error;
}
