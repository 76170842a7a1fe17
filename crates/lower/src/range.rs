//! Queries on ranges of addresses that `ipnet` does not have: the addresses that belong to the network
//! itself.

use std::net::IpAddr;

use ipnet::IpNet;

/// The address after the network's own; in ranges of one or two addresses the first.
pub(crate) fn first_host(range: IpNet) -> IpAddr {
    match range.network() {
        first if is_tiny(range) => first,
        IpAddr::V4(it) => IpAddr::V4((it.to_bits() + 1).into()),
        IpAddr::V6(it) => IpAddr::V6((it.to_bits() + 1).into()),
    }
}

/// True if an IPv4 address is the network's own or its broadcast address.
pub(crate) fn is_reserved(range: IpNet, address: IpAddr) -> bool {
    address.is_ipv4() && !is_tiny(range) && (address == range.network() || address == range.broadcast())
}

/// True if it has no more than two addresses.
fn is_tiny(range: IpNet) -> bool {
    range.max_prefix_len() - range.prefix_len() < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_differ_from_the_network_address() {
        let range = |text: &str| text.parse::<IpNet>().unwrap();
        let is_reserved = |text: &str, address: &str| is_reserved(range(text), address.parse().unwrap());
        assert_eq!(first_host(range("10.0.0.0/29")).to_string(), "10.0.0.1");
        assert_eq!(first_host(range("fd00::/64")).to_string(), "fd00::1");
        assert!(is_reserved("10.0.0.0/29", "10.0.0.7") && !is_reserved("10.0.0.0/29", "10.0.0.1"));
        assert!(!is_reserved("fd00::/64", "fd00::"));
        assert_eq!(first_host(range("10.0.0.4/30")).to_string(), "10.0.0.5");
        assert_eq!(first_host(range("10.0.0.4/31")).to_string(), "10.0.0.4");
        assert!(!is_reserved("10.0.0.4/31", "10.0.0.4"));
    }
}
