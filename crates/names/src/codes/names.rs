//! The codes of mistakes in names of resources of services.

diag::codes! {
    /// The codes of mistakes in names of resources of services.
    pub const NAMES in "names";

    /// A name of a resource that is empty.
    EMPTY = "empty": Error;

    /// A name of a resource with more bytes than are allowed.
    TOO_LONG = "too-long": Error;

    /// A name with a collection that cannot be there.
    ///
    /// Names alternate collections and ids, such as `projects/p/secrets/s`. The message says which collection is
    /// expected.
    COLLECTION = "collection": Error;

    /// A name with two slashes in a row, or a slash at its beginning.
    EMPTY_SEGMENT = "empty-segment": Error;

    /// A name that ends with a slash.
    TRAILING_SLASH = "trailing-slash": Error;

    /// A name that ends before the pattern of its kind does.
    ///
    /// The message says what is missing.
    INCOMPLETE = "incomplete": Error;

    /// A name that goes on after the pattern of its kind has ended.
    SURPLUS = "surplus": Error;

    /// An id that its kind does not allow.
    ///
    /// The help shows the pattern of ids.
    ID = "id": Error;

    /// A name that follows none of the patterns of its kind.
    ///
    /// The help lists the patterns.
    NO_MATCH = "no-match": Error;

    /// A `-` where one resource has to be named.
    ///
    /// `-` means all ids of a list or watch. Write an id.
    WILDCARD = "wildcard": Error;

    /// A name that follows several patterns of its kind.
    ///
    /// It is not known which resource is meant.
    AMBIGUOUS = "ambiguous": Error;

    /// A number of ids that is not that of the pattern.
    ID_COUNT = "id-count": Error;

    /// A variable that the pattern does not have.
    VARIABLE = "variable": Error;

    /// A name without its service, where it is needed.
    ///
    /// Write it as `//service/projects/p`.
    NOT_FULL = "not-full": Error;

    /// A name of a resource of another service.
    SERVICE = "service": Error;

    /// A name of a resource of another kind.
    KIND = "kind": Error;
}
