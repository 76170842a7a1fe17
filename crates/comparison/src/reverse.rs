use std::mem::swap;

use workspace::view::{ComparisonView, ResourceDifferenceView, StateChange, ValueDifferenceView};

/// The same comparison, seen from the other side. A plan goes one way only, so there is none.
pub(crate) fn reversed(mut comparison: ComparisonView) -> ComparisonView {
    swap(&mut comparison.before, &mut comparison.after);
    swap(&mut comparison.summary.added, &mut comparison.summary.removed);
    comparison.resources.retain(|it| it.change.is_some());
    comparison.resources.iter_mut().for_each(reverse);
    comparison.plan = None;
    comparison
}

fn reverse(resource: &mut ResourceDifferenceView) {
    resource.change = resource.change.map(|it| match it {
        StateChange::Added => StateChange::Removed,
        StateChange::Removed => StateChange::Added,
        StateChange::Changed => StateChange::Changed,
    });
    (resource.action, resource.reason) = (None, None);
    if let Some(previous) = &mut resource.previous_address {
        swap(previous, &mut resource.address);
    }
    swap(&mut resource.before, &mut resource.after);
    resource.values.iter_mut().for_each(reverse_value);
}

fn reverse_value(value: &mut ValueDifferenceView) {
    swap(&mut value.before, &mut value.after);
    swap(&mut value.before_origin, &mut value.after_origin);
    value.forces_rebuild = false;
}
