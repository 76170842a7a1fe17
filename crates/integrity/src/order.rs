use std::collections::{BTreeMap, BTreeSet};

use store::Key;

use crate::Link;

/// Resources in the order in which they can be removed: the referrers of one come before it. In cycles, and among those
/// without an order, by key.
///
/// `links` has, for each of them, the links that lead to it.
pub(crate) fn referrers_first(links: &BTreeMap<Key, Vec<Link>>) -> Vec<Key> {
    let mut order = Vec::with_capacity(links.len());
    let mut seen = BTreeSet::new();
    for root in links.keys() {
        visit(root, links, &mut seen, &mut order);
    }
    order
}

/// Depth first, without recursion: chains of parents may be long.
fn visit<'a>(
    root: &'a Key,
    links: &'a BTreeMap<Key, Vec<Link>>,
    seen: &mut BTreeSet<&'a Key>,
    order: &mut Vec<Key>,
) {
    let mut path = vec![(root, 0)];
    if !seen.insert(root) {
        return;
    }
    while let Some((key, at)) = path.last_mut() {
        let next = links.get(*key).and_then(|of| of.get(*at));
        *at += 1;
        match next.and_then(|link| links.get_key_value(&link.referrer)) {
            Some((referrer, _)) if seen.insert(referrer) => path.push((referrer, 0)),
            Some(_) => {}
            None if next.is_some() => {}
            None => {
                order.push((*key).clone());
                path.pop();
            }
        }
    }
}
