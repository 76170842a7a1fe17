use std::collections::BTreeSet;

use model::Pointer;
use serde_json::Value as Json;
use state::leaves;
use types::Types;
use workspace::{
    Workspace,
    view::{ChangeOriginView, LocationView, MergeView, ResourceDifferenceView, ValueDifferenceView},
};

use crate::baseline::Baseline;

/// The values of the merged documents that differ and that are not among the differences of resources: the name of the
/// deployment, what nothing refers to. In the order of their pointers.
pub(crate) fn differences(
    before: &Baseline,
    after: &mut Workspace,
    resources: &[ResourceDifferenceView],
) -> Vec<ValueDifferenceView> {
    let (one, other) = (&before.merge, &after.merged(true));
    let (secret, shown) = (&before.secrets | &after.secrets(), places(resources));
    let (types, was, is) = (after.types(), leaves(Some(&one.document)), leaves(Some(&other.document)));
    let pointers: BTreeSet<&Pointer> = was.keys().chain(is.keys()).collect();
    let differing = pointers.into_iter().filter(|it| was.get(it) != is.get(it) && !is_of_resource(types, it));
    let all = differing.map(|it| difference(it, (one, was.get(it)), (other, is.get(it)), &secret));
    all.filter(|it| !is_shown(it, &shown)).collect()
}

type Place = (String, u32, u32);

fn place(location: &LocationView) -> Place {
    (location.file.clone(), location.line, location.column)
}

/// The places whose values are among the differences of resources.
fn places(resources: &[ResourceDifferenceView]) -> BTreeSet<Place> {
    let values = resources.iter().flat_map(|it| &it.values);
    let origins = values.flat_map(|it| it.before_origin.iter().chain(&it.after_origin));
    origins.map(|it| place(&it.location)).collect()
}

fn is_shown(value: &ValueDifferenceView, shown: &BTreeSet<Place>) -> bool {
    let mut origins = value.before_origin.iter().chain(&value.after_origin);
    origins.any(|it| shown.contains(&place(&it.location)))
}

/// Resources are compared by what they mean.
fn is_of_resource(types: &Types, pointer: &Pointer) -> bool {
    let collection = pointer.parts().next();
    types.kinds.iter().any(|it| it.tangible && Some(&*it.collection) == collection.as_deref())
}

fn difference(
    at: &Pointer,
    before: (&MergeView, Option<&&Json>),
    after: (&MergeView, Option<&&Json>),
    secret: &BTreeSet<String>,
) -> ValueDifferenceView {
    let is_secret = |json: &Json| {
        json.as_str()
            .is_some_and(|it| secret.iter().any(|secret| !secret.is_empty() && it.contains(&**secret)))
    };
    let sensitive = [before.1, after.1].into_iter().flatten().any(|it| is_secret(it));
    let shown = |json: Option<&&Json>| json.filter(|_| !sensitive).map_or(Json::Null, |it| (*it).clone());
    ValueDifferenceView {
        path: at.to_string(),
        before: shown(before.1),
        after: shown(after.1),
        sensitive,
        forces_rebuild: false,
        before_origin: origin(before.0, at),
        after_origin: origin(after.0, at),
    }
}

fn origin(merge: &MergeView, at: &Pointer) -> Option<ChangeOriginView> {
    let location = merge.origins.as_ref()?.get(at.as_str())?.location.clone();
    Some(ChangeOriginView { location, inferred: false })
}
