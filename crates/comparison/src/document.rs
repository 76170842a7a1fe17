use std::collections::BTreeSet;

use model::Pointer;
use serde_json::Value as Json;
use state::leaves;
use types::Types;
use workspace::{
    Workspace,
    view::{ChangeOriginView, LocationView, MergeView, ResourceDifferenceView, ValueDifferenceView},
};

use crate::{baseline::Baseline, normal::Documents};

/// The values of the merged documents that differ and that are not among the differences of resources: the name of the
/// deployment, what nothing refers to. In the order of their pointers. Other notations of the same do not differ.
pub(crate) fn differences(
    before: &Baseline,
    after: &mut Workspace,
    resources: &[ResourceDifferenceView],
) -> Vec<ValueDifferenceView> {
    let (one, other) = (&before.merge, &after.merged(true));
    let (secret, shown) = (&before.secrets | &after.secrets(), Shown::of(resources));
    let model = after.current();
    let (types, was, is) = (&model.types, leaves(Some(&one.document)), leaves(Some(&other.document)));
    let documents = Documents::new(types, [&one.document, &other.document]);
    let pointers: BTreeSet<&Pointer> = was.keys().chain(is.keys()).collect();
    let differing = pointers.into_iter().filter(|it| was.get(it) != is.get(it) && !is_of_resource(types, it));
    let all = differing.filter_map(|it| {
        let (was, is) = documents.differing(it, (was.get(it).copied(), is.get(it).copied()))?;
        Some(difference(it, (one, was), (other, is), &secret))
    });
    all.filter(|it| !shown.has(it)).collect()
}

/// The places whose values are among the differences of resources, of each side: its files may have the names of the other's.
struct Shown<'r> {
    before: Vec<&'r LocationView>,
    after: Vec<&'r LocationView>,
}

impl<'r> Shown<'r> {
    fn of(resources: &'r [ResourceDifferenceView]) -> Self {
        let values = || resources.iter().flat_map(|it| &it.values);
        Self {
            before: values().filter_map(|it| it.before_origin.as_ref()).map(|it| &it.location).collect(),
            after: values().filter_map(|it| it.after_origin.as_ref()).map(|it| &it.location).collect(),
        }
    }

    /// True if a value, or a value that it is a part of, is shown already.
    fn has(&self, value: &ValueDifferenceView) -> bool {
        let is_in = |shown: &[&LocationView], origin: &Option<ChangeOriginView>| {
            origin.as_ref().is_some_and(|it| shown.iter().any(|whole| contains(whole, &it.location)))
        };
        is_in(&self.before, &value.before_origin) || is_in(&self.after, &value.after_origin)
    }
}

fn contains(whole: &LocationView, part: &LocationView) -> bool {
    let (start, end) = ((part.line, part.column), (part.end_line, part.end_column));
    whole.file == part.file
        && (whole.line, whole.column) <= start
        && end <= (whole.end_line, whole.end_column)
}

/// Resources are compared by what they mean.
fn is_of_resource(types: &Types, pointer: &Pointer) -> bool {
    let collection = pointer.parts().next();
    types.kinds.iter().any(|it| it.tangible && Some(&*it.collection) == collection.as_deref())
}

fn difference(
    at: &Pointer,
    before: (&MergeView, Option<&Json>),
    after: (&MergeView, Option<&Json>),
    secret: &BTreeSet<String>,
) -> ValueDifferenceView {
    let is_secret = |json: &Json| {
        json.as_str()
            .is_some_and(|it| secret.iter().any(|secret| !secret.is_empty() && it.contains(&**secret)))
    };
    let sensitive = [before.1, after.1].into_iter().flatten().any(is_secret);
    let shown = |json: Option<&Json>| json.filter(|_| !sensitive).cloned().unwrap_or_default();
    ValueDifferenceView {
        path: at.to_string(),
        before: shown(before.1),
        after: shown(after.1),
        sensitive,
        forces_rebuild: false,
        before_origin: before.1.and_then(|_| origin(before.0, at)),
        after_origin: after.1.and_then(|_| origin(after.0, at)),
    }
}

fn origin(merge: &MergeView, at: &Pointer) -> Option<ChangeOriginView> {
    let location = merge.origins.as_ref()?.get(at.as_str())?.location.clone();
    Some(ChangeOriginView { location, inferred: false })
}
