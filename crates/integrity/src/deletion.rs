use std::collections::{BTreeMap, BTreeSet};

use fields::schema::DeleteBehavior;
use store::Key;

use crate::{FieldPath, Instances, Link, Problem, Rules, Via, due, lifecycle, order};

/// The number of children of a kind that are deleted with their parent in one transaction without a warning.
pub const MANY_CHILDREN: usize = 10;

/// The effects of the deletion of some resources in its transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deletion {
    /// The resources that forbid it; if there are any, nothing happens.
    pub blockers: Vec<Blocker>,
    /// The resources that are removed; the referrers of a resource come before it.
    pub removed: Vec<Key>,
    /// The resources that become `DELETING`, because others still refer to them.
    pub deleting: Vec<Key>,
    /// The references that are cleared.
    pub cleared: Vec<Clearing>,
    /// The doubtful parts of it.
    pub warnings: Vec<Problem>,
}

/// A resource that forbids the deletion of another one, through one field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blocker {
    /// The resource that would be deleted.
    pub target: Key,
    /// The one that refers to it; itself, if its own life cycle forbids it.
    pub referrer: Key,
    /// The very field of the referrer.
    pub place: String,
}

/// A reference that is cleared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clearing {
    /// The resource that changes.
    pub referrer: Key,
    /// The field, as the model has it.
    pub path: FieldPath,
    /// The very value.
    pub place: String,
    /// The resource that it referred to.
    pub target: Key,
}

/// The cause of a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A user.
    Requested,
    /// An earlier deletion. A resource that blocks it is deleted with it, if it is due for deletion itself.
    Cascade,
}

/// The deleted resources, and the links that lead to them.
struct Closure<'a> {
    instances: &'a dyn Instances,
    links: BTreeMap<Key, Vec<Link>>,
}

/// The effects of the deletion of `roots`. Roots that do not exist, or are being deleted already, do not count.
pub fn plan(rules: &Rules, instances: &dyn Instances, roots: &[Key], cause: Cause) -> Deletion {
    let closure = Closure::of(instances, roots, cause);
    let mut blockers: Vec<Blocker> = closure.blockers();
    blockers.sort();
    if !blockers.is_empty() {
        return Deletion { blockers, ..Deletion::default() };
    }
    let kept = closure.kept(rules);
    let ordered = order::referrers_first(&closure.links);
    let (deleting, removed) = ordered.into_iter().partition(|key| kept.contains(key));
    let (cleared, warnings) = (closure.cleared(), closure.warnings());
    Deletion { blockers, removed, deleting, cleared, warnings }
}

impl<'a> Closure<'a> {
    fn of(instances: &'a dyn Instances, roots: &[Key], cause: Cause) -> Self {
        let mut links = BTreeMap::new();
        let mut open: Vec<Key> = roots.iter().filter(|key| instances.is_active(key)).cloned().collect();
        while let Some(key) = open.pop() {
            if links.contains_key(&key) {
                continue;
            }
            let found = instances.referrers(&key);
            let deleted = found.iter().filter(|link| match link.behavior {
                DeleteBehavior::CascadeDelete => instances.is_active(&link.referrer),
                DeleteBehavior::Block if cause == Cause::Cascade => due::is_due(instances, &link.referrer),
                _ => false,
            });
            open.extend(deleted.map(|link| link.referrer.clone()));
            links.insert(key, found);
        }
        Self { instances, links }
    }

    /// The links of active resources that stay.
    fn outer_links(&self) -> impl Iterator<Item = &Link> {
        let links = self.links.values().flatten();
        links.filter(|link| {
            !self.links.contains_key(&link.referrer) && self.instances.is_active(&link.referrer)
        })
    }

    fn blockers(&self) -> Vec<Blocker> {
        let links = self.outer_links().filter(|link| link.behavior == DeleteBehavior::Block);
        let links = links.map(|link| Blocker {
            target: link.target.clone(),
            referrer: link.referrer.clone(),
            place: link.via.place().to_owned(),
        });
        let own = self
            .links
            .keys()
            .filter(|key| self.instances.value(key).is_some_and(|value| lifecycle::blocks_deletion(&value)));
        let place = "metadata.lifecycle.block_deletion";
        let own =
            own.map(|key| Blocker { target: key.clone(), referrer: key.clone(), place: place.to_owned() });
        links.chain(own).collect()
    }

    fn cleared(&self) -> Vec<Clearing> {
        let links = self.outer_links().filter(|link| link.behavior == DeleteBehavior::Unset);
        let mut cleared: Vec<Clearing> = links.filter_map(Clearing::of).collect();
        cleared.sort();
        cleared
    }

    /// The resources that stay while others refer to them, directly or through others that stay.
    fn kept(&self, rules: &Rules) -> BTreeSet<Key> {
        let is_async = |key: &Key| rules.model.kind(&key.kind).is_some_and(|kind| kind.async_deletion);
        let candidates: BTreeSet<&Key> = self.links.keys().filter(|key| is_async(key)).collect();
        let holds = |link: &Link| {
            let cleared = link.behavior == DeleteBehavior::Unset && self.instances.is_active(&link.referrer);
            !self.links.contains_key(&link.referrer) && !cleared
        };
        due::held(&candidates, &self.links, holds, |key| self.instances.is_held(key))
    }

    fn warnings(&self) -> Vec<Problem> {
        let mut counts: BTreeMap<_, BTreeSet<&Key>> = BTreeMap::new();
        for link in self.links.values().flatten() {
            let is_child = link.via == Via::Parent && link.behavior == DeleteBehavior::CascadeDelete;
            if is_child && self.links.contains_key(&link.referrer) {
                let of = counts.entry((&link.target, &link.referrer.kind)).or_default();
                of.insert(&link.referrer);
            }
        }
        let many = counts.into_iter().filter(|(_, children)| children.len() > MANY_CHILDREN);
        many.map(|((_, kind), children)| Problem::many_children(kind, children.len())).collect()
    }
}

impl Clearing {
    pub(crate) fn of(link: &Link) -> Option<Self> {
        let path = link.via.path()?.clone();
        let (referrer, target) = (link.referrer.clone(), link.target.clone());
        Some(Self { referrer, path, place: link.via.place().to_owned(), target })
    }
}
