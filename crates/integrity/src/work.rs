use std::collections::BTreeSet;

use fields::schema::DeleteBehavior;
use store::Key;

use crate::{
    Blocker, Cause, Clearing, Deletion, Instances, LifecycleState, Rules, Via, deletion, due, lifecycle,
    overlay::Overlay, owners, rules,
};

/// Work that an earlier deletion left. It is derived from the resources alone, so it survives a restart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Delete a resource, because one that it depends on was deleted.
    Cascade(Key),
    /// Clear a reference, because its target was deleted.
    Clear(Clearing),
    /// Remove a reference to an owner, because that was deleted; without any other owner, the resource is deleted.
    Disown(Clearing),
    /// The same, because the owner has not appeared, or not referred back, in time.
    Expire(Clearing),
    /// Remove a resource that is `DELETING`, because nothing refers to it any more.
    Remove(Key),
}

/// The outcome of some [`Work`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was done.
    Done(Deletion),
    /// It cannot be done before these are gone; it remains pending.
    Blocked(Vec<Blocker>),
    /// There is nothing to do any more.
    Obsolete,
}

impl Work {
    /// The resource that changes.
    pub fn key(&self) -> &Key {
        match self {
            Self::Cascade(key) | Self::Remove(key) => key,
            Self::Clear(clearing) | Self::Disown(clearing) | Self::Expire(clearing) => &clearing.referrer,
        }
    }
}

/// All work, in the order in which it is done: deletions, then references to clear, then resources that can be removed. It
/// includes work that is blocked.
pub fn pending(instances: &dyn Instances) -> Vec<Work> {
    let (mut cascades, mut clearings) = (BTreeSet::new(), BTreeSet::new());
    for target in instances.leaving() {
        let links =
            instances.referrers(&target).into_iter().filter(|link| instances.is_active(&link.referrer));
        for link in links {
            match link.behavior {
                DeleteBehavior::AsyncCascadeDelete => drop(cascades.insert(Work::Cascade(link.referrer))),
                DeleteBehavior::AsyncUnset => {
                    let work = if matches!(link.via, Via::Owner { .. }) { Work::Disown } else { Work::Clear };
                    clearings.extend(Clearing::of(&link).map(work));
                }
                DeleteBehavior::Block
                | DeleteBehavior::Unset
                | DeleteBehavior::CascadeDelete
                | DeleteBehavior::AllowDangling => {}
            }
        }
    }
    let removable = due::removable(instances).into_iter().map(Work::Remove);
    cascades.into_iter().chain(clearings).chain(removable).collect()
}

/// The outcome of some work now. [`Work::Expire`] depends on the time as well, so it is up to
/// [`Transactions::perform`](crate::Transactions::perform).
pub fn outcome(rules: &Rules, instances: &dyn Instances, work: &Work) -> Outcome {
    match work {
        Work::Cascade(key) if due::is_due(instances, key) => {
            let plan = deletion::plan(rules, instances, std::slice::from_ref(key), Cause::Cascade);
            if plan.blockers.is_empty() { Outcome::Done(plan) } else { Outcome::Blocked(plan.blockers) }
        }
        Work::Clear(clearing) if is_open(instances, clearing) => {
            Outcome::Done(Deletion { cleared: vec![clearing.clone()], ..Deletion::default() })
        }
        Work::Disown(clearing) if is_open(instances, clearing) => owners::outcome(rules, instances, clearing),
        Work::Remove(key) if due::is_removable(instances, key) => {
            Outcome::Done(Deletion { removed: vec![key.clone()], ..Deletion::default() })
        }
        Work::Cascade(_) | Work::Clear(_) | Work::Disown(_) | Work::Expire(_) | Work::Remove(_) => {
            Outcome::Obsolete
        }
    }
}

/// True if a reference is still there, in an active resource, and leads to one that is leaving.
fn is_open(instances: &dyn Instances, clearing: &Clearing) -> bool {
    let links = instances.dependencies(&clearing.referrer);
    let there = |path| path == Some(&clearing.path);
    let mut same = links.iter().filter(|link| link.target == clearing.target && there(link.via.path()));
    same.any(|link| link.behavior == DeleteBehavior::AsyncUnset)
        && instances.is_active(&clearing.referrer)
        && due::is_leaving(instances, &clearing.target)
}

/// Makes a deletion's changes: clears, marks, removes, in that order.
pub(crate) fn apply(overlay: &mut Overlay<'_>, deletion: &Deletion) {
    for clearing in &deletion.cleared {
        change(overlay, &clearing.referrer, |value| {
            rules::clear(value, &clearing.path, &clearing.target);
        });
    }
    for key in &deletion.deleting {
        change(overlay, key, |value| lifecycle::set(value, LifecycleState::Deleting));
    }
    deletion.removed.iter().for_each(|key| overlay.remove(key));
    overlay.settle();
}

fn change(overlay: &mut Overlay<'_>, key: &Key, change: impl FnOnce(&mut serde_json::Value)) {
    let Some(value) = overlay.value(key) else { return };
    let mut value = (*value).clone();
    change(&mut value);
    overlay.save(key.clone(), value);
}
