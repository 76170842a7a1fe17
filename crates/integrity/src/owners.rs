use std::sync::OnceLock;

use fields::schema::DeleteBehavior;
use serde_json::Value;
use store::{Key, Kind};

use crate::{Cause, Clearing, Deletion, FieldPath, Instances, Link, Outcome, Rules, Via, deletion, due};

// A reference to an owner is soft: it is not checked, never blocks, and all that follows from it is asynchronous.

/// The path of the references to owners.
pub(crate) fn path() -> &'static FieldPath {
    static PATH: OnceLock<FieldPath> = OnceLock::new();
    PATH.get_or_init(|| FieldPath::fields(&["metadata", "owner_references"]))
}

/// An entry of `metadata.ownerReferences`.
struct OwnerReference<'a>(&'a Value);

impl OwnerReference<'_> {
    fn owner(&self) -> Option<Key> {
        let text = |name: &str| self.0.get(name).and_then(Value::as_str);
        let (namespace, kind) = text("kind")?.split_once('/')?;
        Some(Kind::new(namespace, kind).key(text("name")?))
    }

    fn flag(&self, json: &str) -> bool {
        self.0.get(json).and_then(Value::as_bool).unwrap_or_default()
    }
}

fn references(value: &Value) -> impl Iterator<Item = OwnerReference<'_>> {
    let list = value.pointer("/metadata/ownerReferences").and_then(Value::as_array);
    list.into_iter().flatten().map(OwnerReference)
}

/// The links to the owners of a resource.
pub(crate) fn links(rules: &Rules, key: &Key, value: &Value) -> Vec<Link> {
    let owners = references(value).enumerate().filter_map(|(at, it)| Some((at, it.owner()?)));
    let known = owners.filter(|(_, owner)| rules.model.is_constrained(&owner.kind));
    let links = known.map(|(at, target)| Link {
        referrer: key.clone(),
        target,
        via: Via::Owner { place: format!("{}[{at}]", path()) },
        behavior: DeleteBehavior::AsyncUnset,
    });
    links.collect()
}

/// Removes the references to an owner.
pub(crate) fn remove(value: &mut Value, owner: &Key) {
    let list = value.pointer_mut("/metadata/ownerReferences").and_then(Value::as_array_mut);
    if let Some(list) = list {
        list.retain(|it| OwnerReference(it).owner().as_ref() != Some(owner));
    }
}

/// The outcome of the removal of a reference to an owner: without any owner left, the resource is deleted, unless that last
/// reference has `unsetOnDelete`.
pub(crate) fn outcome(rules: &Rules, instances: &dyn Instances, clearing: &Clearing) -> Outcome {
    let Some(value) = instances.value(&clearing.referrer).filter(|_| instances.is_active(&clearing.referrer))
    else {
        return Outcome::Obsolete;
    };
    let (removed, left): (Vec<_>, Vec<_>) =
        references(&value).partition(|it| it.owner().as_ref() == Some(&clearing.target));
    if removed.is_empty() {
        return Outcome::Obsolete;
    }
    if !left.is_empty() || removed.iter().any(|it| it.flag("unsetOnDelete")) {
        return Outcome::Done(Deletion { cleared: vec![clearing.clone()], ..Deletion::default() });
    }
    let plan = deletion::plan(rules, instances, std::slice::from_ref(&clearing.referrer), Cause::Cascade);
    if plan.blockers.is_empty() { Outcome::Done(plan) } else { Outcome::Blocked(plan.blockers) }
}

/// True if a reference leads to no owner that acknowledges it, so that it is removed once it has had time: the owner does
/// not exist, or has to refer back and does not.
pub(crate) fn is_unacknowledged(instances: &dyn Instances, ownee: &Key, owner: &Key) -> bool {
    if due::is_leaving(instances, owner) {
        return false;
    }
    let Some(value) = instances.value(ownee) else { return false };
    let requires =
        references(&value).any(|it| it.owner().as_ref() == Some(owner) && it.flag("requiresOwnerReference"));
    let back = || {
        let links = instances.dependencies(owner);
        links.iter().any(|link| link.target == *ownee && matches!(link.via, Via::Field { .. }))
    };
    instances.value(owner).is_none() || (requires && !back())
}
