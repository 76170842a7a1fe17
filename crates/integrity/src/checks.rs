use std::sync::Arc;

use fields::schema::DeleteBehavior;
use serde_json::Value;

use crate::{
    BrokenReference, Flags, Instances, IntegrityError, LifecycleState, Link, ResourceChange, Via,
    overlay::Overlay,
};

/// Checks the changes of resources by a transaction: their states follow each other, and new references lead to something.
pub(crate) fn check(
    overlay: &Overlay<'_>,
    flags: Flags,
    changes: &[ResourceChange],
) -> Result<(), IntegrityError> {
    let state = |value: &Option<Arc<Value>>| value.as_deref().map(LifecycleState::of);
    for change in changes {
        let (from, to) = (state(&change.old), state(&change.new));
        if !LifecycleState::is_legal(from, to) {
            return Err(IntegrityError::IllegalTransition { key: change.key.clone(), from, to });
        }
    }
    let mut broken: Vec<_> = changes.iter().flat_map(|change| broken(overlay, flags, change)).collect();
    broken.sort();
    if broken.is_empty() { Ok(()) } else { Err(IntegrityError::BrokenReferences { broken }) }
}

/// The new references of a resource whose target does not exist or is being deleted. Those to owners may.
fn broken(overlay: &Overlay<'_>, flags: Flags, change: &ResourceChange) -> Vec<BrokenReference> {
    let checked = |behavior| flags.check_dangling || behavior != DeleteBehavior::AllowDangling;
    let new = new_links(overlay, change)
        .filter(|link| checked(link.behavior) && !matches!(link.via, Via::Owner { .. }));
    // Those of other deployments are established.
    let own = new.filter(|link| !overlay.rules().is_remote(&link.target));
    let broken = own.filter(|link| !overlay.is_active(&link.target)).map(|link| BrokenReference {
        deleting: overlay.is_deleting(&link.target),
        place: link.via.place().to_owned(),
        referrer: link.referrer,
        target: link.target,
    });
    broken.collect()
}

/// The dependencies of a resource that it did not have before.
pub(crate) fn new_links(overlay: &Overlay<'_>, change: &ResourceChange) -> impl Iterator<Item = Link> {
    let new = overlay.dependencies(&change.key);
    let old = overlay.base().dependencies(&change.key);
    new.into_iter().filter(move |link| !old.iter().any(|it| it.is_same(link)))
}
