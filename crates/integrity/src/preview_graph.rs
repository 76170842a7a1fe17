use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{DeletionPreview, InstanceMap, Instances, Named, PreviewEffects};

/// A deletion as a graph: everything that it changes or that forbids it, and how these depend on each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PreviewGraph {
    /// The resources, in order of kinds and names.
    pub nodes: Vec<PreviewNode>,
    /// References and parents, in order.
    pub edges: Vec<PreviewEdge>,
}

/// A resource in a [`PreviewGraph`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreviewNode {
    /// The resource.
    #[serde(flatten)]
    pub resource: Named,
    /// The effect on it.
    pub role: Role,
    /// The time of the effect: 0 is the transaction, others are the waves after it; for a root, that of its first change.
    /// `None` if it does not change.
    pub wave: Option<usize>,
}

/// The effect on a resource when another one is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It is one of those that are to be deleted.
    Root,
    /// It is removed.
    Removed,
    /// It becomes `DELETING` and stays so.
    Deleting,
    /// It should be deleted, but cannot be.
    Stuck,
    /// It forbids something.
    Blocker,
    /// References of it are cleared.
    Cleared,
}

/// A resource depends on another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PreviewEdge {
    /// The one that depends.
    pub from: Named,
    /// The resource that it depends on.
    pub to: Named,
    /// The field of the reference; `parent` if it is contained in it.
    pub field: String,
    /// The effect on it when the other one is deleted: `ASYNC_CASCADE_DELETE`.
    pub behavior: &'static str,
}

impl PreviewGraph {
    pub(crate) fn of(instances: &InstanceMap, preview: &DeletionPreview) -> Self {
        let places = places(preview);
        let edges =
            places.keys().flat_map(|named| named.key().map(|key| instances.dependencies(&key))).flatten();
        let edges: BTreeSet<PreviewEdge> = edges
            .map(|link| PreviewEdge {
                from: Named::from(&link.referrer),
                to: Named::from(&link.target),
                field: link.via.place().to_owned(),
                behavior: link.behavior.as_str(),
            })
            .filter(|edge| places.contains_key(&edge.to))
            .collect();
        let nodes = places.into_iter().map(|(resource, (role, wave))| PreviewNode { resource, role, wave });
        Self { nodes: nodes.collect(), edges: edges.into_iter().collect() }
    }
}

/// The effect on each resource, and its time: the strongest effect, which comes first in [`Role`].
fn places(preview: &DeletionPreview) -> BTreeMap<Named, (Role, Option<usize>)> {
    let mut places = BTreeMap::new();
    let mut add = |named: &Named, role: Role, wave: Option<usize>| {
        let place = places.entry(named.clone()).or_insert((role, wave));
        *place = (role.min(place.0), if role <= place.0 { wave.or(place.1) } else { place.1.or(wave) });
    };
    preview.roots.iter().for_each(|root| add(root, Role::Root, None));
    effects(&preview.transaction, 0, &mut add);
    for (at, wave) in preview.waves.iter().enumerate() {
        wave.iter().for_each(|step| effects(&step.effects, at + 1, &mut add));
    }
    for stuck in &preview.stuck {
        add(&stuck.resource, Role::Stuck, None);
        stuck.blocked_by.iter().for_each(|it| add(&it.referrer, Role::Blocker, None));
    }
    for blocker in &preview.blocked_by {
        add(&blocker.target, Role::Stuck, None);
        add(&blocker.referrer, Role::Blocker, None);
    }
    places
}

fn effects(effects: &PreviewEffects, wave: usize, add: &mut impl FnMut(&Named, Role, Option<usize>)) {
    effects.removed.iter().for_each(|named| add(named, Role::Removed, Some(wave)));
    effects.deleting.iter().for_each(|named| add(named, Role::Deleting, Some(wave)));
    effects.cleared.iter().for_each(|it| add(&it.referrer, Role::Cleared, Some(wave)));
}
