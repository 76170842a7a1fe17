use std::collections::{BTreeMap, BTreeSet};

use model::Pointer;
use serde_json::Value as Json;
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
    let (was, is) = (leaves(&one.document), leaves(&other.document));
    let pointers: BTreeSet<&Pointer> = was.keys().chain(is.keys()).collect();
    let differing = pointers.into_iter().filter(|it| was.get(it) != is.get(it) && !is_of_resource(it));
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
fn is_of_resource(pointer: &Pointer) -> bool {
    pointer.parts().next().is_some_and(|root| root == "services" || root == "networks")
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

/// The values that contain no others, by place.
fn leaves(document: &Json) -> BTreeMap<Pointer, &Json> {
    let mut found = BTreeMap::new();
    collect(document, &Pointer::root(), &mut found);
    found
}

fn collect<'j>(json: &'j Json, at: &Pointer, found: &mut BTreeMap<Pointer, &'j Json>) {
    match json {
        Json::Object(map) if !map.is_empty() => {
            map.iter().for_each(|(key, it)| collect(it, &at.key(key), found));
        }
        Json::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, it)| collect(it, &at.index(index), found));
        }
        leaf => drop(found.insert(at.clone(), leaf)),
    }
}
