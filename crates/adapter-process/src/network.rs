use std::{collections::BTreeSet, fmt, net::Ipv4Addr};

use ::adapter::ResourceRequest;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The record of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Network {
    #[serde(rename = "asked")]
    pub(crate) request: ResourceRequest,
    pub(crate) block: Block,
}

/// The addresses of a network: 127.x.y.0/24. Linux accepts all of 127/8 without any set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Block(u8, u8);

/// The number of blocks, from 127.64.0.0 to 127.127.255.255. No other program is known to use these.
const BLOCKS: u32 = 64 * 256;

impl Block {
    fn nth(n: u32) -> Self {
        let n = n % BLOCKS;
        Self(64 + (n / 256) as u8, (n % 256) as u8)
    }

    /// A block for a network: the same for the same id, as long as it is free. `None` if all are in use.
    pub(crate) fn choose(id: &str, taken: &BTreeSet<Self>) -> Option<Self> {
        let first = number(id) % BLOCKS;
        (0..BLOCKS).map(|n| Self::nth(first + n)).find(|it| !taken.contains(it))
    }

    /// The block of an address; `None` if it is in none.
    pub(crate) fn of(ip: Ipv4Addr) -> Option<Self> {
        let [127, x @ 64..128, y, _] = ip.octets() else { return None };
        Some(Self(x, y))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::of(text.strip_suffix(".0/24").map(|it| format!("{it}.0"))?.parse().ok()?)
    }

    pub(crate) const fn address(self, host: u8) -> Ipv4Addr {
        Ipv4Addr::new(127, self.0, self.1, host)
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/24", self.address(0))
    }
}

/// A number that is derived from an id.
pub(crate) fn number(id: &str) -> u32 {
    let hash = Sha256::digest(id);
    hash.iter().take(4).fold(0, |number, byte| number << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_networks_have_a_block() {
        let mut taken = BTreeSet::new();
        for n in 0..BLOCKS {
            let block = Block::choose(&format!("network{n}"), &taken).unwrap();
            assert!(taken.insert(block), "{block}");
            assert_eq!(Block::parse(&block.to_string()), Some(block));
        }
        assert_eq!(Block::choose("one more", &taken), None);
    }

    #[test]
    fn a_block_depends_on_the_id_only() {
        let free = BTreeSet::new();
        assert_eq!(Block::choose("a", &free), Block::choose("a", &free));
        assert_ne!(Block::choose("a", &free), Block::choose("b", &free));
        for text in ["", "127.0.0.0/24", "127.200.1.0/24", "10.64.0.0/24", "127.64.0.1/24", "127.64.0.0/16"] {
            assert_eq!(Block::parse(text), None, "{text}");
        }
    }
}
