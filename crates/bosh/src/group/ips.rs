use std::{collections::HashSet, net::IpAddr, sync::Arc};

use diag::Span;
use ipnet::IpNet;
use links::Named;
use syntax::Node;

use super::networks::is_open_node;
use crate::{codes, reporter::Reporter, value::is_open};

/// Static IPs, in order.
#[derive(Debug)]
pub(super) struct Ips {
    /// The number of IPs; `None` if some cannot be read.
    pub(super) count: Option<u128>,
    /// The first IPs, up to a limit that is higher than that of instances.
    pub(super) listed: Vec<Ip>,
    /// The place where they are written.
    pub(super) span: Span,
}

/// An IP and the place where it is written.
#[derive(Debug)]
pub(super) struct Ip {
    pub(super) text: Arc<str>,
    pub(super) span: Span,
}

/// The highest number of IPs that are listed of one network.
const MOST: usize = 100_000;

/// Reads `static_ips`: IPs, ranges (`10.0.0.4 - 10.0.0.6`) and blocks (`10.0.0.8/30`). `None` if there are
/// none, or if they are filled in later.
pub(super) fn read(node: &Node, group: &Named, reporter: &mut Reporter) -> Option<Ips> {
    let entry = reporter.key(node, "static_ips").filter(|it| !is_open_node(&it.value))?;
    let mut ips = Ips { count: Some(0), listed: Vec::new(), span: entry.key_span };
    let mut seen = HashSet::new();
    for item in reporter.names(node, "static_ips") {
        if is_open(&item.text) {
            ips.count = ips.count.map(|it| it.saturating_add(1));
            ips.listed.push(Ip { text: item.text, span: item.span });
            continue;
        }
        let Some((first, last)) = range(&item.text) else {
            let director = format!("Invalid IP range format: {}", item.text);
            let own = format!("`{}` is neither an IP nor a range of them", item.text);
            let found = reporter.error(codes::STATIC_IPS, item.span, director, own);
            reporter.push(found.help("write e.g. `10.0.0.4` or `10.0.0.4 - 10.0.0.6`"));
            ips.count = None;
            continue;
        };
        ips.take(first, last, &item, &mut seen, group, reporter);
    }
    Some(ips)
}

impl Ips {
    fn take(
        &mut self,
        first: IpAddr,
        last: IpAddr,
        item: &Named,
        seen: &mut HashSet<IpAddr>,
        group: &Named,
        reporter: &mut Reporter,
    ) {
        let (from, to) = (number(first), number(last));
        let more = (to - from).saturating_add(1);
        self.count = self.count.map(|it| it.saturating_add(more));
        let room = MOST.saturating_sub(self.listed.len()) as u128;
        let mut again = None;
        for number in (from..=to).take(room as usize) {
            let ip = address(number, first);
            if !seen.insert(ip) {
                again = again.or(Some(ip));
            }
            self.listed.push(Ip { text: ip.to_string().into(), span: item.span });
        }
        if let Some(ip) = again {
            let director =
                format!("Instance group '{}' specifies static IP '{ip}' more than once", group.text);
            let own = format!("`{ip}` is listed twice");
            let found = reporter.error(codes::STATIC_IPS, item.span, director, own);
            reporter.push(found.help("remove one of them"));
        }
    }
}

/// The first and the last IP of a text.
fn range(text: &str) -> Option<(IpAddr, IpAddr)> {
    if let Some((block, bits)) = text.split_once('/') {
        return block_of(block.trim().parse().ok()?, bits.trim().parse().ok()?);
    }
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (IpAddr, IpAddr) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first.is_ipv4() == last.is_ipv4() && first <= last).then_some((first, last))
}

fn block_of(ip: IpAddr, bits: u8) -> Option<(IpAddr, IpAddr)> {
    let block = IpNet::new(ip, bits).ok()?;
    Some((block.network(), block.broadcast()))
}

fn number(ip: IpAddr) -> u128 {
    match ip {
        IpAddr::V4(ip) => u32::from(ip).into(),
        IpAddr::V6(ip) => ip.into(),
    }
}

/// The address with a number, of the same family as another.
fn address(number: u128, like: IpAddr) -> IpAddr {
    match like {
        IpAddr::V4(_) => IpAddr::V4((number as u32).into()),
        IpAddr::V6(_) => IpAddr::V6(number.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = range(text).map(|(first, last)| (first.to_string(), last.to_string()));
        let found = found.as_ref().map(|(first, last)| (first.as_str(), last.as_str()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn ranges_are_read() {
        check("10.0.0.4", Some(("10.0.0.4", "10.0.0.4")));
        check("10.0.0.4 - 10.0.0.6", Some(("10.0.0.4", "10.0.0.6")));
        check("10.0.0.4-10.0.0.6", Some(("10.0.0.4", "10.0.0.6")));
        check("10.0.0.9/30", Some(("10.0.0.8", "10.0.0.11")));
        check("fd00::1 - fd00::3", Some(("fd00::1", "fd00::3")));
        check("::/0", Some(("::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")));
        check("10.0.0.6 - 10.0.0.4", None);
        check("10.0.0.6 - fd00::1", None);
        check("10.0.0.4/33", None);
        check("10.0.0", None);
    }
}
