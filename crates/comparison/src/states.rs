use serde_json::Value as Json;
use state::{Changed, Difference, DifferenceKind, Snapshot, diff};
use types::Types;
use workspace::view::{
    ComparedView, ComparisonView, ResourceDifferenceView, StateChange, ValueDifferenceView,
};

use crate::{
    compare::{empty, summary},
    normal,
};

/// The differences of two states, by what their resources mean. A text that is no state counts as one error.
pub(crate) fn compare(types: &Types, before: &str, after: &str) -> ComparisonView {
    let (one, other) = (side(before), side(after));
    let (Ok(before), Ok(after)) = (Snapshot::read(before), Snapshot::read(after)) else {
        return empty(one, other);
    };
    let (before, after) = (normal::state(types, before), normal::state(types, after));
    let resources: Vec<_> = diff(&before, &after).into_iter().map(difference).collect();
    ComparisonView { summary: summary(&resources, &one), resources, ..empty(one, other) }
}

pub(crate) fn side(state: &str) -> ComparedView {
    let Ok(snapshot) = Snapshot::read(state) else {
        return ComparedView { errors: 1, ..ComparedView::default() };
    };
    ComparedView { resources: snapshot.resources.len(), deployment: snapshot.deployment, errors: 0 }
}

fn difference(of: Difference) -> ResourceDifferenceView {
    ResourceDifferenceView {
        change: Some(match of.change {
            DifferenceKind::Added => StateChange::Added,
            DifferenceKind::Removed => StateChange::Removed,
            DifferenceKind::Changed => StateChange::Changed,
        }),
        address: of.address,
        previous_address: None,
        kind: of.kind,
        action: None,
        reason: None,
        before: None,
        after: None,
        values: of.changes.into_iter().map(value).collect(),
    }
}

fn value(of: Changed) -> ValueDifferenceView {
    ValueDifferenceView {
        path: of.pointer,
        before: of.before.unwrap_or(Json::Null),
        after: of.after.unwrap_or(Json::Null),
        sensitive: of.sensitive,
        forces_rebuild: false,
        before_origin: None,
        after_origin: None,
    }
}
