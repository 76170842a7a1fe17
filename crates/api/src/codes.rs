//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of mistakes in requests to a served API.
    pub const ALL in "api";

    /// A body that is empty or not an object.
    BODY = "body": Error;

    /// A body that is not JSON.
    ///
    /// The byte is marked.
    JSON = "json": Error;

    /// A parameter that does not exist, is given twice, or has a value of another type.
    ///
    /// The help lists the parameters of the method.
    PARAMETER = "parameter": Error;

    /// A name in a request that is not the name of a resource of the kind.
    NAME = "name": Error;

    /// A name that is not in the parent of the request.
    PARENT = "parent": Error;

    /// A resource to be created in several parents.
    ///
    /// Name one of them.
    WILDCARD = "wildcard": Error;

    /// An id that clients may not choose, or that has the form of generated ones.
    CREATION_ID = "creation-id": Error;

    /// A condition of an update that is incomplete, or that what is stored does not fulfil.
    ///
    /// Read the resource again, and decide again.
    CAS = "cas": Error;

    /// A resource that exists, where it must not.
    EXISTS = "exists": Error;

    /// A field that cannot be changed after the resource was created.
    ///
    /// Leave it out of the update, or create another resource.
    IMMUTABLE = "immutable": Error;

    /// A header `If-Match` that is not a quoted version.
    IF_MATCH = "if-match": Error;

    /// A header `If-None-Match` of a write that is not `*`.
    IF_NONE_MATCH = "if-none-match": Error;

    /// A resource that has another version than the request expects.
    ///
    /// Read it again.
    VERSION = "version": Error;

    /// A request for more resources than are returned at once.
    LIMIT = "limit": Error;

    /// A permission that the user does not have.
    ///
    /// Its name and the resource are part of the message.
    PERMISSION = "permission": Error;

    /// A region that is not one of the resource's.
    REGION = "region": Error;

    /// A policy of regions that is not valid.
    ///
    /// Its regions are regions of the service, and its default control region is one of them. That one cannot be changed: it owns the
    /// resources whose names have no region.
    POLICY = "policy": Error;

    /// A time from which a watch cannot begin.
    STARTING_TIME = "starting-time": Error;

    /// A reference to a kind that this server does not serve.
    ///
    /// Nothing could check it. Serve the specification that has it, or let the server accept such references.
    UNSERVED_REFERENCE = "unserved-reference": Error;

    /// A view that does not exist.
    VIEW = "view": Error;

    /// A type of watch that does not exist.
    WATCH_TYPE = "watch-type": Error;
}
