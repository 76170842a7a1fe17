//! Addresses: legal, inside their network, nobody else's (notes/golem case V7).

use std::{collections::BTreeMap, net::IpAddr};

use diag::{Code, Diagnostic, Span};
use model::{Data, Value};
use types::{Field, Shape};

use crate::declare::Declarations;

const BAD_ADDRESS: Code = Code("lower/bad-address");
const OUTSIDE: Code = Code("lower/address-outside");
const TAKEN: Code = Code("lower/address-taken");
const RESERVED: Code = Code("lower/address-reserved");

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
    fn with_mask(address: IpAddr, mask: IpAddr) -> Option<Self> {
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

    fn contains(self, address: IpAddr) -> bool {
        address.is_ipv4() == self.address.is_ipv4()
            && to_bits(address) & !self.host_bits() == to_bits(self.address)
    }

    /// The address after the network's own; in ranges of one or two addresses the first.
    fn first_host(self) -> IpAddr {
        let step = u128::from(self.host_bits() > 1);
        from_bits(to_bits(self.address) + step, self.address)
    }

    /// Whether an IPv4 address is the network's own or its broadcast address.
    fn is_reserved(self, address: IpAddr) -> bool {
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

/// Checks every address of every thing.
pub(crate) fn check(declarations: &mut Declarations<'_>) {
    let mut checker = Checker { found: Vec::new(), taken: BTreeMap::new(), ranges: BTreeMap::new() };
    for item in 0..declarations.items.len() {
        checker.own_range(declarations, item);
    }
    for item in 0..declarations.items.len() {
        for field in &declarations.definition(item).fields {
            checker.field(declarations, item, field);
        }
    }
    declarations.diagnostics.append(&mut checker.found);
}

struct Checker {
    found: Vec<Diagnostic>,
    /// Network and address to who has it and where that is written.
    taken: BTreeMap<(usize, IpAddr), (String, Span)>,
    /// The range of each network and where it is written.
    ranges: BTreeMap<usize, (Range, Span)>,
}

impl Checker {
    /// The thing's own range of addresses, and its owner's address in it.
    fn own_range(&mut self, declarations: &Declarations<'_>, item: usize) {
        let definition = declarations.definition(item);
        let attributes = &declarations.items[item].attributes;
        let Some(value) = definition.address_range.as_ref().and_then(|field| attributes.get(field)) else {
            return;
        };
        let (Some(text), Some(span)) = (value.as_str(), value.origin.span()) else { return };
        let mask = definition.address_mask.as_ref().and_then(|field| attributes.get(field));
        let Some(range) = read_range(text, mask) else {
            let help = "write the address and the prefix length, e.g. `192.168.0.0/24`";
            let message = format!("`{text}` is not a range of addresses");
            self.found.push(Diagnostic::error(BAD_ADDRESS, span, message).help(help));
            return;
        };
        self.ranges.insert(item, (range, span));
        let Some(owner) = &definition.address_owner else { return };
        let written = attributes.get(owner);
        let address = match written.and_then(Value::as_str) {
            Some(text) => text.parse().ok(),
            None => Some(range.first_host()),
        };
        if let Some(address) = address {
            let span = written.and_then(|it| it.origin.span()).unwrap_or(span);
            let who = format!("the owner of `{}`", declarations.address(item));
            self.taken.insert((item, address), (who, span));
        }
    }

    fn field(&mut self, declarations: &Declarations<'_>, item: usize, field: &Field) {
        let Some(value) = declarations.items[item].attributes.get(&field.name) else { return };
        match (&field.shape, &value.data) {
            (Shape::IpAddress { within }, _) => self.address(declarations, item, within.as_deref(), value),
            (Shape::List(shape), Data::List(items)) => {
                if let Shape::IpAddress { within } = &**shape {
                    items.iter().for_each(|value| self.address(declarations, item, within.as_deref(), value));
                }
            }
            _ => {}
        }
    }

    fn address(&mut self, declarations: &Declarations<'_>, item: usize, within: Option<&str>, value: &Value) {
        let (Some(text), Some(span)) = (value.as_str(), value.origin.span()) else { return };
        if text.contains("${") {
            return;
        }
        let Ok(address) = text.parse::<IpAddr>() else {
            let message = format!("`{text}` is not an address");
            let help = "write an address such as `192.168.0.2`, without prefix length";
            self.found.push(Diagnostic::error(BAD_ADDRESS, span, message).help(help));
            return;
        };
        if let Some(network) = within.and_then(|field| network_of(declarations, item, field)) {
            self.in_network(declarations, item, network, address, span);
        }
    }

    fn in_network(
        &mut self,
        declarations: &Declarations<'_>,
        item: usize,
        network: usize,
        address: IpAddr,
        span: Span,
    ) {
        let Some(&(range, written)) = self.ranges.get(&network) else { return };
        let name = declarations.address(network);
        if !range.contains(address) {
            let message = format!("{address} is outside {range}, the range of `{name}`");
            let help = format!("choose an address of {range}, or widen the network");
            self.found
                .push(Diagnostic::error(OUTSIDE, span, message).related(written, "the range").help(help));
            return;
        }
        if range.is_reserved(address) {
            let message = format!("{address} is not a host address of {range}");
            let help = "the first and the last address of a range belong to the network itself";
            self.found
                .push(Diagnostic::error(RESERVED, span, message).related(written, "the range").help(help));
        }
        let who = format!("`{}`", declarations.address(item));
        match self.taken.get(&(network, address)) {
            Some((other, place)) => {
                let message = format!("{address} in `{name}` is already taken by {other}");
                let diagnostic =
                    Diagnostic::error(TAKEN, span, message).related(*place, format!("taken by {other}"));
                self.found.push(diagnostic.help("choose another address"));
            }
            None => drop(self.taken.insert((network, address), (who, span))),
        }
    }
}

fn read_range(text: &str, mask: Option<&Value>) -> Option<Range> {
    Range::parse(text).or_else(|| {
        let mask = mask?.as_str()?.parse().ok()?;
        Range::with_mask(text.parse().ok()?, mask)
    })
}

/// The thing that a reference field of `item` names.
fn network_of(declarations: &Declarations<'_>, item: usize, field: &str) -> Option<usize> {
    let (kind, _) = declarations.definition(item).field(field)?.shape.refers_to()?;
    declarations.find(kind, declarations.items[item].attributes.get(field)?.as_str()?)
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
        assert!(!Range::parse("10.0.0.4/31").unwrap().is_reserved("10.0.0.4".parse().unwrap()));
    }
}
