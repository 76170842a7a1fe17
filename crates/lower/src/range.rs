//! Queries on ranges of addresses that `ipnet` does not have: the addresses that belong to the network
//! itself.

use std::net::IpAddr;

use ipnet::IpNet;

/// The range of an address and a mask such as `255.255.255.0`; `None` if the mask is invalid, or of another
/// address family.
pub(crate) fn with_mask(address: IpAddr, mask: IpAddr) -> Option<IpNet> {
    let range = IpNet::with_netmask(address, mask).ok()?;
    (address.is_ipv4() == mask.is_ipv4()).then(|| range.trunc())
}

/// The address after the network's own; in ranges of one or two addresses the first.
pub(crate) fn first_host(range: IpNet) -> IpAddr {
    match range.network() {
        first if is_tiny(range) => first,
        IpAddr::V4(it) => IpAddr::V4((it.to_bits() + 1).into()),
        IpAddr::V6(it) => IpAddr::V6((it.to_bits() + 1).into()),
    }
}

/// Whether an IPv4 address is the network's own or its broadcast address.
pub(crate) fn is_reserved(range: IpNet, address: IpAddr) -> bool {
    address.is_ipv4() && !is_tiny(range) && (address == range.network() || address == range.broadcast())
}

/// Whether it has no more than two addresses.
fn is_tiny(range: IpNet) -> bool {
    range.max_prefix_len() - range.prefix_len() < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_does_for_a_prefix() {
        let with_mask = |address: &str, mask: &str| {
            let (address, mask) = (address.parse().ok()?, mask.parse().ok()?);
            with_mask(address, mask).map(|it| it.to_string())
        };
        assert_eq!(with_mask("192.168.0.7", "255.255.255.0").as_deref(), Some("192.168.0.0/24"));
        assert_eq!(with_mask("192.168.0.7", "255.0.255.0"), None);
        assert_eq!(with_mask("fd00::7", "255.255.255.0"), None);
        assert_eq!(with_mask("192.168.0.7", "ff00::"), None);
    }

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
