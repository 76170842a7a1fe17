//! The codes of what this crate reports, each with its documentation.

diag::codes! {
    /// The codes of problems of lists of hosts.
    pub const TOY in "toy";

    /// An address of a host that is no IP address.
    ///
    /// The host is left out. Write an address such as `10.0.0.2`.
    ADDRESS = "address": Error;
}
