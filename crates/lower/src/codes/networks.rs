//! The codes of problems of addresses and ports.

diag::codes! {
    /// The codes of problems of addresses and ports.
    pub const NETWORKS in "lower";

    /// A text that is not an IP address, or not a range of addresses.
    ///
    /// An address is written without prefix length, such as `192.168.0.2`, and a range with one, such as
    /// `192.168.0.0/24`.
    BAD_ADDRESS = "bad-address": Error;

    /// An address that is outside the range of its network.
    ///
    /// The resource could not be reached in the network. Choose an address of the range, or widen the network.
    ///
    /// ```yaml
    /// networks:
    ///   lan: {ip: 192.168.0.0/24}
    /// services:
    ///   db: {payload: p, network: lan, ip: [192.168.1.5]}
    /// ```
    ADDRESS_OUTSIDE = "address-outside": Error;

    /// An address that another resource of the network has already, or that several instances would share.
    ///
    /// Two resources with one address cannot both be reached. Choose another address, or write one for each instance.
    ADDRESS_TAKEN = "address-taken": Error;

    /// A list with more addresses than the resource has instances.
    ///
    /// Each instance takes one of them, in order; the others are not used. Remove them, or check the number of
    /// instances.
    ADDRESS_UNUSED = "address-unused": Warning;

    /// The first or the last address of a range.
    ///
    /// These belong to the network itself, so no host can have them. Choose another address.
    ADDRESS_RESERVED = "address-reserved": Error;

    /// An address of a resource that is in no network.
    ///
    /// The address has no effect. Name the network, or remove the address.
    ADDRESS_WITHOUT_NETWORK = "address-without-network": Warning;

    /// A mask that does not match the prefix length of the range.
    ///
    /// The prefix length counts. Remove the mask, which says the same if it is right.
    MASK_DIFFERS = "mask-differs": Warning;

    /// A local port that two resources, or several instances of one, would open.
    ///
    /// On one machine only one of them can have it. Choose another local port, or leave it out so that one is chosen.
    SAME_PORT = "same-port": Warning;
}
