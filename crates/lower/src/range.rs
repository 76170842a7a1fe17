use std::net::IpAddr;

/// A range of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    address: IpAddr,
    prefix: u8,
}

impl Range {
    /// Reads `192.168.0.1/24`; host bits are dropped.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        let address = address.parse::<IpAddr>().ok()?;
        let digits = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = digits.then(|| prefix.parse().ok()).flatten()?;
        (prefix <= width(address)).then(|| Self { address, prefix }.masked())
    }

    /// An address and a mask such as `255.255.255.0`.
    pub(crate) fn with_mask(address: IpAddr, mask: IpAddr) -> Option<Self> {
        if address.is_ipv4() != mask.is_ipv4() {
            return None;
        }
        let bits = to_bits(mask) << (128 - width(mask));
        let prefix = bits.leading_ones() as u8;
        (bits.count_ones() == u32::from(prefix)).then(|| Self { address, prefix }.masked())
    }

    fn masked(self) -> Self {
        let host = self.host_bits();
        Self { address: from_bits(to_bits(self.address) & !host, self.address), ..self }
    }

    fn host_bits(self) -> u128 {
        match u32::from(width(self.address) - self.prefix) {
            128 => u128::MAX,
            bits => (1 << bits) - 1,
        }
    }

    pub(crate) fn contains(self, address: IpAddr) -> bool {
        address.is_ipv4() == self.address.is_ipv4()
            && to_bits(address) & !self.host_bits() == to_bits(self.address)
    }

    /// The address after the network's own; in ranges of one or two addresses the first.
    pub(crate) fn first_host(self) -> IpAddr {
        let step = u128::from(self.host_bits() > 1);
        from_bits(to_bits(self.address) + step, self.address)
    }

    /// Whether an IPv4 address is the network's own or its broadcast address.
    pub(crate) fn is_reserved(self, address: IpAddr) -> bool {
        let host = to_bits(address) & self.host_bits();
        address.is_ipv4() && self.host_bits() > 1 && (host == 0 || host == self.host_bits())
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

const fn width(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn to_bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    }
}

fn from_bits(bits: u128, like: IpAddr) -> IpAddr {
    match like {
        IpAddr::V4(_) => IpAddr::V4((bits as u32).into()),
        IpAddr::V6(_) => IpAddr::V6(bits.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_drop_host_bits() {
        let range = |text: &str| Range::parse(text).map(|it| it.to_string());
        assert_eq!(range("10.0.0.1/29").as_deref(), Some("10.0.0.0/29"));
        assert_eq!(range("fd00::5/64").as_deref(), Some("fd00::/64"));
        assert_eq!(range("0.0.0.0/0").as_deref(), Some("0.0.0.0/0"));
        for text in ["10.0.0.1", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0/8", "x/8", ""] {
            assert_eq!(range(text), None, "{text}");
        }
    }

    #[test]
    fn a_mask_does_for_a_prefix() {
        let with_mask = |address: &str, mask: &str| {
            let (address, mask) = (address.parse().ok()?, mask.parse().ok()?);
            Range::with_mask(address, mask).map(|it| it.to_string())
        };
        assert_eq!(with_mask("192.168.0.7", "255.255.255.0").as_deref(), Some("192.168.0.0/24"));
        assert_eq!(with_mask("192.168.0.7", "255.0.255.0"), None);
    }

    #[test]
    fn hosts_are_told_from_the_network_itself() {
        let range = Range::parse("10.0.0.0/29").unwrap();
        assert_eq!(range.first_host().to_string(), "10.0.0.1");
        assert!(range.contains("10.0.0.6".parse().unwrap()) && !range.contains("10.0.0.9".parse().unwrap()));
        assert!(
            range.is_reserved("10.0.0.7".parse().unwrap()) && !range.is_reserved("10.0.0.1".parse().unwrap())
        );
        assert_eq!(Range::parse("10.0.0.4/30").unwrap().first_host().to_string(), "10.0.0.5");
        assert_eq!(Range::parse("10.0.0.4/31").unwrap().first_host().to_string(), "10.0.0.4");
        assert!(!Range::parse("10.0.0.4/31").unwrap().is_reserved("10.0.0.4".parse().unwrap()));
    }
}
