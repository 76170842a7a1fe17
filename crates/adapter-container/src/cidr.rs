use std::net::Ipv4Addr;

use ipnet::{IpNet, ipv4_mask_to_prefix};

/// Parses `10.0.0.0/24` as a range; host bits are allowed, and dropped.
pub(crate) fn parse(text: &str) -> Option<IpNet> {
    let (address, prefix) = text.split_once('/')?;
    IpNet::new(address.parse().ok()?, prefix.parse().ok()?).ok().map(|it| it.trunc())
}

/// The range of an address and a mask such as `255.255.255.0`.
pub(crate) fn masked(address: &str, mask: &str) -> Option<IpNet> {
    let mask: Ipv4Addr = mask.parse().ok()?;
    IpNet::new(address.parse().ok()?, ipv4_mask_to_prefix(mask).ok()?).ok().map(|it| it.trunc())
}

pub(crate) fn overlap(one: IpNet, other: IpNet) -> bool {
    one.contains(&other) || other.contains(&one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_no_host_bits() {
        for (text, expected) in [
            ("10.0.0.7/24", Some("10.0.0.0/24")),
            ("10.1.2.3/0", Some("0.0.0.0/0")),
            ("10.1.2.3/32", Some("10.1.2.3/32")),
            ("fd00::7/64", Some("fd00::/64")),
            ("fd00::7/0", Some("::/0")),
            ("10.0.0.0", None),
            ("10.0.0.0/33", None),
            ("10.0.0.0/-1", None),
            ("a/8", None),
        ] {
            assert_eq!(parse(text).map(|it| it.to_string()).as_deref(), expected, "{text}");
        }
        assert_eq!(masked("10.0.0.9", "255.255.255.0"), parse("10.0.0.0/24"));
        assert_eq!(masked("10.0.0.9", "255.0.255.0"), None);
    }

    #[test]
    fn one_in_the_other_overlaps() {
        let overlap = |a: &str, b: &str| overlap(parse(a).unwrap(), parse(b).unwrap());
        assert!(overlap("10.0.0.0/8", "10.7.0.0/24") && overlap("10.7.0.0/24", "10.0.0.0/8"));
        assert!(!overlap("10.0.0.0/24", "10.0.1.0/24") && !overlap("10.0.0.0/8", "::/0"));
    }
}
