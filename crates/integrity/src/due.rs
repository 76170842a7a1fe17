use std::collections::{BTreeMap, BTreeSet};

use fields::schema::DeleteBehavior;
use store::Key;

use crate::{Instances, Link};

/// True if an active resource is to be deleted because something that it depends on was.
pub(crate) fn is_due(instances: &dyn Instances, key: &Key) -> bool {
    instances.is_active(key)
        && instances.dependencies(key).iter().any(|link| {
            link.behavior == DeleteBehavior::AsyncCascadeDelete && is_leaving(instances, &link.target)
        })
}

/// True if a resource is being deleted, or is gone while work for it remains.
pub(crate) fn is_leaving(instances: &dyn Instances, key: &Key) -> bool {
    instances.is_gone(key) || instances.is_deleting(key)
}

/// Those of `candidates` that `is_held` says of, or that are referred to by what `holds`, directly or through others of them.
/// Cycles among them do not hold themselves.
pub(crate) fn held(
    candidates: &BTreeSet<&Key>,
    links: &BTreeMap<Key, Vec<Link>>,
    holds: impl Fn(&Link) -> bool,
    is_held: impl Fn(&Key) -> bool,
) -> BTreeSet<Key> {
    let into =
        candidates.iter().filter_map(|key| links.get(*key)).flatten().filter(|link| link.holds_target());
    let (mut held, mut inner) = (BTreeSet::new(), BTreeMap::<&Key, Vec<&Key>>::new());
    let mut open: Vec<&Key> = candidates.iter().copied().filter(|key| is_held(key)).collect();
    for link in into {
        if holds(link) {
            open.push(&link.target);
        } else if candidates.contains(&link.referrer) {
            inner.entry(&link.referrer).or_default().push(&link.target);
        }
    }
    while let Some(key) = open.pop() {
        if held.insert(key.clone()) {
            open.extend(inner.get(key).into_iter().flatten());
        }
    }
    held
}

/// The resources that are being deleted and that nothing holds any more; the referrers of one come before it.
pub(crate) fn removable(instances: &dyn Instances) -> Vec<Key> {
    let deleting = instances.leaving().into_iter().filter(|key| instances.is_deleting(key));
    let links: BTreeMap<Key, Vec<Link>> = deleting
        .map(|key| {
            let links = instances.referrers(&key);
            (key, links)
        })
        .collect();
    let held = held(
        &links.keys().collect(),
        &links,
        |link| instances.is_active(&link.referrer),
        |key| instances.is_held(key),
    );
    let mut free = links;
    free.retain(|key, _| !held.contains(key));
    crate::order::referrers_first(&free)
}

/// True if a resource is being deleted, and so is everything that refers to it, directly or through others: the same as being
/// one of [`removable`], for the cost of its referrers.
pub(crate) fn is_removable(instances: &dyn Instances, key: &Key) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![key.clone()]);
    while let Some(key) = open.pop() {
        if !instances.is_deleting(&key) || instances.is_held(&key) {
            return false;
        }
        if seen.insert(key.clone()) {
            let referrers = instances.referrers(&key).into_iter().filter(Link::holds_target);
            open.extend(referrers.map(|link| link.referrer));
        }
    }
    true
}
