//! Checks addresses: valid, inside their network, used only once (source: dapp-runner's model).

use std::{
    collections::{HashMap, hash_map::Entry},
    net::IpAddr,
};

use diag::{Diagnostic, Span};
use ipnet::IpNet;
use model::{Address, Data, Value};
use types::{Field, Shape, parse_cidr, range_with_mask};

use crate::{
    codes,
    declare::{Declarations, fields_where},
    range,
    resolve::is_address_list,
};

/// Checks every address of every item.
pub(crate) fn check(declarations: &mut Declarations<'_>) {
    let ranges = vec![None; declarations.items.len()];
    let mut checker = Checker { found: Vec::new(), taken: HashMap::new(), ranges };
    for item in 0..declarations.items.len() {
        checker.own_range(declarations, item);
    }
    let fields = fields_where(declarations.types, |field| may_be_address(&field.shape));
    for item in 0..declarations.items.len() {
        for field in &fields[declarations.items[item].kind] {
            checker.field(declarations, item, field);
        }
    }
    declarations.diagnostics.append(&mut checker.found);
}

fn may_be_address(shape: &Shape) -> bool {
    matches!(shape, Shape::IpAddress { .. }) || is_address_list(shape)
}

struct Checker {
    found: Vec<Diagnostic>,
    /// By network and address, its holder and the place where it is written.
    taken: HashMap<(usize, IpAddr), (Holder, Span)>,
    /// The range of each item that is a network, and the place where it is written.
    ranges: Vec<Option<(IpNet, Span)>>,
}

/// The holder of an address.
#[derive(Clone, Copy)]
enum Holder {
    /// The owner of this network.
    OwnerOf(usize),
    Item(usize),
}

impl Holder {
    fn shown(self, declarations: &Declarations<'_>) -> String {
        match self {
            Self::OwnerOf(item) => format!("the owner of `{}`", declarations.address(item)),
            Self::Item(item) => format!("`{}`", declarations.address(item)),
        }
    }
}

impl Checker {
    /// The item's own range of addresses, and its owner's address in it.
    fn own_range(&mut self, declarations: &Declarations<'_>, item: usize) {
        let definition = declarations.definition(item);
        let attributes = &declarations.items[item].attributes;
        let Some(value) = definition.address_range.as_ref().and_then(|field| attributes.get(field)) else {
            return;
        };
        let (Some(text), Some(span)) = (value.as_str(), value.origin.span()) else { return };
        let mask = definition.address_mask.as_ref().and_then(|field| attributes.get(field));
        let range = match read_range(text, mask) {
            Ok(range) => range,
            Err(mistake) => {
                self.found.extend(mistake.diagnostic(text, span, mask));
                return;
            }
        };
        self.check_mask(text, range, mask);
        self.ranges[item] = Some((range, span));
        let Some(owner) = &definition.address_owner else { return };
        let written = attributes.get(owner);
        let address = match written.and_then(Value::as_str) {
            Some(text) => text.parse().ok(),
            None => Some(range::first_host(range)),
        };
        if let Some(address) = address {
            let span = written.and_then(|it| it.origin.span()).unwrap_or(span);
            self.taken.insert((item, address), (Holder::OwnerOf(item), span));
        }
    }

    /// Checks that a mask beside a prefix length is consistent with it.
    fn check_mask(&mut self, text: &str, range: IpNet, mask: Option<&Value>) {
        let Some(written) = mask.filter(|_| text.contains('/')) else { return };
        let (Some(mask), Some(span)) = (written.as_str(), written.origin.span()) else { return };
        let address = text.split('/').next().and_then(|it| it.parse().ok());
        let by_mask =
            address.zip(mask.parse().ok()).and_then(|(address, mask)| range_with_mask(address, mask));
        if by_mask != Some(range) && !mask.contains("${") {
            let message = format!("the mask `{mask}` is not that of {range}");
            let help = "remove the mask: the prefix length has the same meaning";
            self.found.push(Diagnostic::warning(codes::MASK_DIFFERS, span, message).help(help));
        }
    }

    fn field(&mut self, declarations: &Declarations<'_>, item: usize, field: &Field) {
        let Some(value) = declarations.items[item].attributes.get(&field.name) else { return };
        match (&field.shape, &value.data) {
            (Shape::IpAddress { within }, _) => self.address(declarations, item, within.as_deref(), value),
            (Shape::List(shape), Data::List(items)) => {
                if let Shape::IpAddress { within } = &**shape {
                    items.iter().for_each(|value| self.address(declarations, item, within.as_deref(), value));
                    self.count(declarations, item, field, items.len(), value);
                }
            }
            _ => {}
        }
    }

    /// Checks that a list of addresses has one for each instance.
    fn count(
        &mut self,
        declarations: &Declarations<'_>,
        item: usize,
        field: &Field,
        written: usize,
        value: &Value,
    ) {
        let (Some(count), Some(span)) = (declarations.count(item), value.origin.span()) else { return };
        let (name, key) = (declarations.address(item), &field.name);
        let addresses = if written == 1 { "one address".into() } else { format!("{written} addresses") };
        let instances = if count == 1 { "one instance".into() } else { format!("{count} instances") };
        let message = format!("`{name}` has {instances} and {addresses} in `{key}`");
        if 0 < written && written < count as usize {
            let help = format!("instances cannot share an address: write one for each, or remove `{key}`");
            self.found.push(Diagnostic::error(codes::ADDRESS_TAKEN, span, message).help(help));
        } else if written > count as usize {
            let help = "each instance takes one of them in order; the others are not used";
            self.found.push(Diagnostic::warning(codes::ADDRESS_UNUSED, span, message).help(help));
        }
    }

    fn address(&mut self, declarations: &Declarations<'_>, item: usize, within: Option<&str>, value: &Value) {
        let (Some(text), Some(span)) = (value.as_str(), value.origin.span()) else { return };
        if text.contains("${") {
            return;
        }
        let Ok(address) = text.parse::<IpAddr>() else {
            let shown = if value.sensitive { "this hidden value".into() } else { format!("`{text}`") };
            let message = format!("{shown} is not an address");
            let help = "write an address such as `192.168.0.2`, without prefix length";
            self.found.push(Diagnostic::error(codes::BAD_ADDRESS, span, message).help(help));
            return;
        };
        let Some(field) = within else { return self.in_own_range(declarations, item, address, span) };
        if let Some(network) = network_of(declarations, item, field) {
            self.in_network(declarations, item, network, address, span);
        } else if !declarations.items[item].attributes.contains_key(field) {
            let message = format!("`{}` has an address but no network", declarations.address(item));
            let help = format!("name its network: `{field}:`");
            self.found.push(Diagnostic::warning(codes::ADDRESS_WITHOUT_NETWORK, span, message).help(help));
        }
    }

    /// Checks that an address that belongs to no other item is in the item's own range, if it has one.
    fn in_own_range(&mut self, declarations: &Declarations<'_>, item: usize, address: IpAddr, span: Span) {
        let Some((range, written)) = self.ranges[item] else { return };
        if !range.contains(&address) {
            self.found.push(outside(address, range, &declarations.address(item), span, written));
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
        let Some((range, written)) = self.ranges[network] else { return };
        if !range.contains(&address) {
            self.found.push(outside(address, range, &declarations.address(network), span, written));
            return;
        }
        if range::is_reserved(range, address) {
            let message = format!("{address} is not a host address of {range}");
            let help = "the first and the last address of a range belong to the network itself";
            self.found.push(
                Diagnostic::error(codes::ADDRESS_RESERVED, span, message)
                    .related(written, "the range")
                    .help(help),
            );
        }
        match self.taken.entry((network, address)) {
            Entry::Occupied(entry) => {
                let (other, place) = entry.get();
                let (name, other) = (declarations.address(network), other.shown(declarations));
                let message = format!("{address} in `{name}` is already taken by {other}");
                let diagnostic = Diagnostic::error(codes::ADDRESS_TAKEN, span, message)
                    .related(*place, format!("taken by {other}"));
                self.found.push(diagnostic.help("choose another address"));
            }
            Entry::Vacant(entry) => drop(entry.insert((Holder::Item(item), span))),
        }
    }
}

fn outside(address: IpAddr, range: IpNet, network: &Address, span: Span, written: Span) -> Diagnostic {
    Diagnostic::error(
        codes::ADDRESS_OUTSIDE,
        span,
        format!("{address} is outside {range}, the range of `{network}`"),
    )
    .related(written, "the range")
    .help(format!("choose an address of {range}, or widen the network"))
}

/// The reason why an address and a mask are not a range.
enum RangeError {
    Address,
    Mask,
    /// The mask is not known yet.
    Unknown,
}

impl RangeError {
    fn diagnostic(&self, text: &str, span: Span, mask: Option<&Value>) -> Option<Diagnostic> {
        let (span, message, help) = match (self, mask.and_then(|it| Some((it.as_str()?, it.origin.span()?))))
        {
            (Self::Unknown, _) => return None,
            (Self::Mask, Some((mask, span))) => (
                span,
                format!("`{mask}` is not the mask of a range"),
                "a mask is all ones and then all zeros, e.g. `255.255.255.0`; the prefix length says the same",
            ),
            _ => (
                span,
                format!("`{text}` is not a range of addresses"),
                "write the address and the prefix length, e.g. `192.168.0.0/24`",
            ),
        };
        Some(Diagnostic::error(codes::BAD_ADDRESS, span, message).help(help))
    }
}

fn read_range(text: &str, mask: Option<&Value>) -> Result<IpNet, RangeError> {
    if let Some(range) = parse_cidr(text) {
        return Ok(range.trunc());
    }
    let (Ok(address), Some(mask)) = (text.parse(), mask) else { return Err(RangeError::Address) };
    let mask = mask.as_str().filter(|mask| !mask.contains("${")).ok_or(RangeError::Unknown)?;
    mask.parse().ok().and_then(|mask| range_with_mask(address, mask)).ok_or(RangeError::Mask)
}

/// The item that a reference field of `item` names.
fn network_of(declarations: &Declarations<'_>, item: usize, field: &str) -> Option<usize> {
    let (kind, _) = declarations.definition(item).field(field)?.shape.refers_to()?;
    declarations.find(kind, declarations.items[item].attributes.get(field)?.as_str()?)
}
