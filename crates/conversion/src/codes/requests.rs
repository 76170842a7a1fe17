diag::codes! {
    /// The codes of requests to an old version that cannot be converted.
    pub const REQUESTS in "conversion";

    /// A field that is always the same, with another value.
    ///
    /// The new version of the service has no place for it. Leave the field out.
    CONSTANT = "constant": Error;

    /// A name that the new version of the service cannot have.
    NAME = "name": Error;

    /// A condition of a filter that has no counterpart in the new version of the service.
    ///
    /// Values that are converted have no order, and cannot be compared with patterns.
    CONDITION = "condition": Error;

    /// An order by a field whose values have another order in the new version of the service.
    ORDER = "order": Error;

    /// A method that the new version of the service does not have.
    METHOD = "method": Error;
}
