use std::net::IpAddr;

use ipnet::IpNet;

/// Reads a range of addresses such as `192.168.0.1/24`: what [`Shape::Cidr`](crate::Shape::Cidr) may hold. Host bits
/// may be set, and are kept. `None` for anything else, and where the prefix is longer than the address.
pub fn parse_cidr(text: &str) -> Option<IpNet> {
    // The parser of `ipnet` is not that of the standard library, which reads all other addresses.
    let (address, prefix) = text.split_once('/')?;
    let address = address.parse::<IpAddr>().ok()?;
    // A number of the standard library may have a sign.
    let is_plain = prefix.bytes().all(|byte| byte.is_ascii_digit());
    IpNet::new(address, prefix.parse().ok().filter(|_| is_plain)?).ok()
}

/// The range of an address and a mask such as `255.255.255.0`; `None` if the mask is not all ones and then all zeros, or of
/// another address family.
pub fn range_with_mask(address: IpAddr, mask: IpAddr) -> Option<IpNet> {
    let range = IpNet::with_netmask(address, mask).ok()?;
    (address.is_ipv4() == mask.is_ipv4()).then(|| range.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_does_for_a_prefix() {
        let with_mask = |address: &str, mask: &str| {
            let (address, mask) = (address.parse().ok()?, mask.parse().ok()?);
            range_with_mask(address, mask).map(|it| it.to_string())
        };
        assert_eq!(with_mask("192.168.0.7", "255.255.255.0").as_deref(), Some("192.168.0.0/24"));
        assert_eq!(with_mask("192.168.0.7", "255.0.255.0"), None);
        assert_eq!(with_mask("fd00::7", "255.255.255.0"), None);
        assert_eq!(with_mask("192.168.0.7", "ff00::"), None);
    }

    #[test]
    fn ranges_are_an_address_and_a_prefix_length() {
        let parsed = |text: &str| parse_cidr(text).map(|it| it.trunc().to_string());
        assert_eq!(parsed("10.0.0.1/29").as_deref(), Some("10.0.0.0/29"));
        assert_eq!(parsed("fd00::5/64").as_deref(), Some("fd00::/64"));
        assert_eq!(parsed("0.0.0.0/0").as_deref(), Some("0.0.0.0/0"));
        for text in
            ["10.0.0.1", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0.0/", "10.0.0/8", "10.0.0.07/8", "x/8", ""]
        {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
