use std::{fmt, net::IpAddr};

/// A range of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cidr {
    first: IpAddr,
    prefix: u8,
}

impl Cidr {
    /// An address in it, and how many bits all of its addresses share; `None` where there are not so many.
    pub(crate) fn new(address: IpAddr, prefix: u8) -> Option<Self> {
        let first = match address {
            IpAddr::V4(it) if prefix <= 32 => {
                IpAddr::V4((it.to_bits() & u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0)).into())
            }
            IpAddr::V6(it) if prefix <= 128 => IpAddr::V6(
                (it.to_bits() & u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0)).into(),
            ),
            _ => return None,
        };
        Some(Self { first, prefix })
    }

    /// `10.0.0.0/24`; host bits may be set.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        Self::new(address.parse().ok()?, prefix.parse().ok()?)
    }

    /// An address and a mask such as `255.255.255.0`.
    pub(crate) fn masked(address: &str, mask: &str) -> Option<Self> {
        let mask: std::net::Ipv4Addr = mask.parse().ok()?;
        let prefix = mask.to_bits().leading_ones();
        let is_mask = mask.to_bits().count_ones() == prefix;
        Self::new(address.parse().ok()?, u8::try_from(prefix).ok().filter(|_| is_mask)?)
    }

    pub(crate) const fn is_v6(&self) -> bool {
        self.first.is_ipv6()
    }

    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        Self::new(address, self.prefix) == Some(*self)
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.contains(other.first) || other.contains(self.first)
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_no_host_bits() {
        for (text, wanted) in [
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
            assert_eq!(Cidr::parse(text).map(|it| it.to_string()).as_deref(), wanted, "{text}");
        }
        assert_eq!(Cidr::masked("10.0.0.9", "255.255.255.0"), Cidr::parse("10.0.0.0/24"));
        assert_eq!(Cidr::masked("10.0.0.9", "255.0.255.0"), None);
    }

    #[test]
    fn one_in_the_other_overlaps() {
        let overlaps = |a: &str, b: &str| Cidr::parse(a).unwrap().overlaps(&Cidr::parse(b).unwrap());
        assert!(overlaps("10.0.0.0/8", "10.7.0.0/24") && overlaps("10.7.0.0/24", "10.0.0.0/8"));
        assert!(!overlaps("10.0.0.0/24", "10.0.1.0/24") && !overlaps("10.0.0.0/8", "::/0"));
    }
}
