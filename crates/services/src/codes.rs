//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of mistakes in example resources and requests that are tried.
    pub const ALL in "services";

    /// A text that is no list of resources.
    ///
    /// Begin each resource with `- name:`.
    NO_LIST = "no-list": Error;

    /// A resource without a name.
    ///
    /// Write `name:` with its resource name.
    NO_NAME = "no-name": Error;

    /// A name of a resource of no known kind.
    ///
    /// Add the specification that has it.
    UNKNOWN_KIND = "unknown-kind": Error;

    /// A path that begins as that of no service.
    ///
    /// The help shows how paths begin.
    NO_PREFIX = "no-prefix": Error;

    /// A path that no method has.
    NO_METHOD = "no-method": Error;

    /// A path with a verb at its end that no method has there.
    ///
    /// Choose the kind to see its methods.
    NO_VERB = "no-verb": Error;

    /// A path that has methods, by other methods of HTTP.
    ///
    /// The help lists them.
    HTTP_METHOD = "http-method": Error;

    /// A name with a service whose specification was not given.
    ///
    /// Add its specification, or leave the service out.
    UNKNOWN_SERVICE = "unknown-service": Error;

    /// A name of a resource of another service than the one that is named.
    ///
    /// Name the service that has it.
    OTHER_SERVICE = "other-service": Error;
}
