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

#[cfg(test)]
mod tests {
    use super::*;

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
