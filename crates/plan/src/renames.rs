use model::{Desired, DesiredResource, Pointer, Recorded, RecordedResource, Value};
use view::Action;

use crate::template::edited;
use crate::{Plan, PlannedAction, Reason};

/// The share of the attributes that have to be as recorded: three of four.
const ALIKE: (usize, usize) = (3, 4);

/// Pairs of actions that look like a renamed resource: what is destroyed because it is described no more, and the one
/// resource that is new and almost as that was recorded.
pub fn likely_renames(plan: &Plan, desired: &Desired, recorded: &Recorded) -> Vec<(usize, usize)> {
    let of = |action, reason: Reason| {
        let fits = move |(_, it): &(usize, &PlannedAction)| {
            it.action == action && it.reason.as_ref() == Some(&reason)
        };
        plan.actions.iter().enumerate().filter(fits).collect::<Vec<_>>()
    };
    let (removed, new) = (of(Action::Destroy, Reason::Removed), of(Action::Create, Reason::New));
    // Of many at once it is not clear which is which, and to compare all takes long.
    if removed.is_empty() || new.is_empty() || removed.len().saturating_mul(new.len()) > 10_000 {
        return Vec::new();
    }
    let mut alike = Vec::new();
    for (gone, old) in &removed {
        let Some(before) = recorded.resources.get(&old.address) else { continue };
        let same_kind = new.iter().filter(|(_, it)| it.kind == old.kind);
        let described = same_kind.filter_map(|(at, it)| Some((*at, desired.get(&it.address)?)));
        alike.extend(described.filter(|(_, it)| are_alike(it, before)).map(|(at, _)| (*gone, at)));
    }
    let is_only =
        |(gone, new): &(usize, usize)| alike.iter().filter(|(a, b)| a == gone || b == new).count() == 1;
    alike.iter().copied().filter(is_only).collect()
}

fn are_alike(desired: &DesiredResource, recorded: &RecordedResource) -> bool {
    let empty = Value::new(model::Data::Null, model::Origin::Recorded);
    let before = recorded.template.as_ref().unwrap_or(&recorded.spec);
    let keys =
        |value: &Value| value.as_map().map(|map| map.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let mut all = keys(&desired.spec);
    all.extend(keys(before).into_iter().filter(|key| desired.spec.get(key).is_none()));
    let is_same = |key: &&std::sync::Arc<str>| {
        let (now, then) = (desired.spec.get(key).unwrap_or(&empty), before.get(key).unwrap_or(&empty));
        now.same_data(then) || !edited(before, desired, &Pointer::root().key(key))
    };
    let same = all.iter().filter(is_same).count();
    !all.is_empty() && same * ALIKE.1 >= all.len() * ALIKE.0
}
