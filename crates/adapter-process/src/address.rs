use std::{
    collections::BTreeSet,
    net::{IpAddr, Ipv4Addr},
};

use crate::network::{Block, number};

/// An address for a service in its network: with the last number of its fixed address if that is free, else
/// one derived from its id. `None` if all are in use.
///
/// Addresses that are not fixed come from the upper half first, to keep clear of fixed ones.
pub(crate) fn choose(
    id: &str,
    block: Block,
    fixed: Option<IpAddr>,
    taken: &BTreeSet<Ipv4Addr>,
) -> Option<Ipv4Addr> {
    let free = |host: &u8| !taken.contains(&block.address(*host));
    let first = (number(id) % 127) as u8;
    let upper = (0..127u8).map(|n| 128 + (first + n) % 127);
    // The first address is that of the owner.
    let mut hosts = fixed.and_then(host).into_iter().chain(upper).chain(2..128);
    hosts.find(free).map(|host| block.address(host))
}

/// The last number of an address, if it can be that of a host.
fn host(address: IpAddr) -> Option<u8> {
    let last = match address {
        IpAddr::V4(it) => it.octets()[3],
        IpAddr::V6(it) => it.octets()[15],
    };
    (2..=254).contains(&last).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_services_have_an_address() {
        let block = Block::choose("n", &BTreeSet::new()).unwrap();
        let mut taken = BTreeSet::new();
        for n in 0..253 {
            let address = choose(&format!("service{n}"), block, None, &taken).unwrap();
            assert!((2..=254).contains(&address.octets()[3]));
            assert!(taken.insert(address), "{address}");
        }
        assert_eq!(choose("one more", block, None, &taken), None);
    }

    #[test]
    fn a_fixed_address_keeps_its_host_where_it_can() {
        let block = Block::choose("n", &BTreeSet::new()).unwrap();
        let mut taken = BTreeSet::new();
        let fixed = |text: &str| Some(text.parse().unwrap());
        let five = choose("a", block, fixed("10.0.0.5"), &taken).unwrap();
        assert_eq!(five, block.address(5));
        taken.insert(five);
        assert_ne!(choose("b", block, fixed("10.0.1.5"), &taken), Some(five));
        assert_eq!(choose("c", block, fixed("fd00::7"), &taken), Some(block.address(7)));
        assert!(choose("d", block, fixed("10.0.0.255"), &taken).unwrap().octets()[3] >= 128);
    }
}
