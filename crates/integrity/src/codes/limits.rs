//! The codes of limits of services.

diag::codes! {
    /// The codes of limits of services.
    pub const LIMITS in "limits";

    /// A resource more than the limit of its kind allows.
    ///
    /// Delete some, or let the operator raise the limit.
    RESOURCE_EXHAUSTED = "resource-exhausted": Error;
}
