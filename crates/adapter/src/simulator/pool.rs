use std::{collections::BTreeSet, net::IpAddr};

use ipnet::IpNet;

use super::spread::spread;

/// The addresses of a network: its range without the first and the last, and without the owner's.
#[derive(Debug)]
pub(super) struct Pool {
    first: u128,
    count: u128,
    is_v4: bool,
    taken: BTreeSet<u128>,
    owner: Option<u128>,
}

impl Pool {
    /// The pool of a range such as `192.168.0.0/24`, or of an address and a mask; `None` if that is no range.
    pub(super) fn new(range: &str, mask: Option<&str>, owner: Option<&str>) -> Option<Self> {
        let (address, prefix) =
            range.split_once('/').map_or((range, None), |(ip, prefix)| (ip, Some(prefix)));
        let address: IpAddr = address.parse().ok()?;
        let whole = IpNet::from(address).prefix_len();
        let prefix = match prefix {
            Some(prefix) => prefix.parse().ok()?,
            None => mask.and_then(|it| it.parse().ok()).map_or(whole, |mask| bits(mask).count_ones() as u8),
        };
        let range = IpNet::new(address, prefix).ok()?;
        let (base, last) = (bits(range.network()), bits(range.broadcast()));
        let first = base.saturating_add(1);
        // The first host address is the owner's, unless another one is given.
        let owner = owner.and_then(|it| it.parse().ok()).map_or(first, bits);
        let count = (last - base).saturating_sub(1);
        let inside = (count > 1).then_some(owner);
        let taken = inside.into_iter().collect();
        Some(Self { first, count, is_v4: address.is_ipv4(), taken, owner: inside })
    }

    /// Allocates a requested address; `None` if it is outside of the range or in use.
    pub(super) fn take(&mut self, requested: &str) -> Option<u128> {
        let requested: IpAddr = requested.parse().ok()?;
        let number = bits(requested);
        let inside =
            requested.is_ipv4() == self.is_v4 && (self.first..self.first + self.count).contains(&number);
        (inside && self.taken.insert(number)).then_some(number)
    }

    /// Allocates an address: the same one for the same name, if it is free. `None` if none is free.
    pub(super) fn give(&mut self, name: &str) -> Option<u128> {
        if self.taken.len() as u128 >= self.count {
            return None;
        }
        let start = u128::from(spread(name)) % self.count;
        let free = self.first_free(self.first + start).or_else(|| self.first_free(self.first))?;
        self.taken.insert(free);
        Some(free)
    }

    fn first_free(&self, start: u128) -> Option<u128> {
        let run = self.taken.range(start..).zip(start..).take_while(|(taken, at)| *taken == at).count();
        Some(start + run as u128).filter(|free| *free < self.first + self.count)
    }

    pub(super) fn take_back(&mut self, address: u128) {
        if self.owner != Some(address) {
            self.taken.remove(&address);
        }
    }

    pub(super) fn text(&self, address: u128) -> String {
        let v4 = || u32::try_from(address).ok().map(|it| IpAddr::V4(it.into()));
        let address = if self.is_v4 { v4() } else { None }.unwrap_or_else(|| IpAddr::V6(address.into()));
        address.to_string()
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(it) => u32::from(it).into(),
        IpAddr::V6(it) => it.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_gives_each_address_once_and_the_same_to_the_same() {
        let mut pool = Pool::new("10.0.0.9/29", None, None).unwrap();
        let first = pool.give("services.a").unwrap();
        let rest: BTreeSet<u128> = (0..4).filter_map(|n| pool.give(&format!("services.{n}"))).collect();
        assert_eq!((rest.len(), rest.contains(&first)), (4, false));
        assert_eq!(pool.give("services.z"), None);
        pool.take_back(first);
        assert_eq!(pool.give("services.a"), Some(first));
        assert!(pool.text(first).starts_with("10.0.0.1"), "{}", pool.text(first));
    }

    #[test]
    fn the_owner_keeps_its_address_and_strangers_are_refused() {
        let mut pool = Pool::new("192.168.0.1", Some("255.255.255.0"), Some("192.168.0.7")).unwrap();
        assert!(pool.take("192.168.0.1").is_some());
        for requested in ["192.168.0.1", "192.168.0.7", "192.168.0.255", "192.168.1.1", "::1", "x"] {
            assert_eq!(pool.take(requested), None, "{requested}");
        }
        let mut six = Pool::new("fd00::/64", None, None).unwrap();
        let given = six.give("services.a").unwrap();
        assert!(six.text(given).starts_with("fd00::"), "{}", six.text(given));
        for range in ["", "x/24", "10.0.0.0/33", "10.0.0.0/-1"] {
            assert!(Pool::new(range, None, None).is_none(), "{range}");
        }
        assert!(Pool::new("::/0", None, None).unwrap().give("a").is_some());
    }
}
