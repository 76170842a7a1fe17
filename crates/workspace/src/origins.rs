//! Origins of the values of the merged document.

use std::collections::BTreeMap;

use diag::order;
use merge::{History, NodeOrigin};
use model::Pointer;
use syntax::Node;
use types::{Trail, Types};

use crate::{
    json::{node_to_json, value_to_json},
    locate::location,
    pipeline::Model,
    view::{InferredView, MergeRule, OriginView, OverrideView, ShadowedView},
    vocabulary,
};

/// The origin of every place.
pub(crate) fn all(model: &Model, types: &Types) -> BTreeMap<String, OriginView> {
    let places = model.merged.origins().into_iter().filter(|(at, ..)| *at != Pointer::root());
    order::map(places.map(|(at, _, origin)| (at.to_string(), origin_view(model, types, &at, &origin))))
}

/// The origin of one place; `None` where nothing is and nothing was removed.
pub(crate) fn one(model: &Model, types: &Types, pointer: &Pointer) -> Option<OriginView> {
    Some(origin_view(model, types, pointer, &model.merged.origin(pointer)?))
}

fn origin_view(model: &Model, types: &Types, at: &Pointer, origin: &NodeOrigin<'_>) -> OriginView {
    let hidden = !origin.shadowed.is_empty() && is_sensitive(types, at);
    let shadowed = origin.shadowed.iter().map(|it| ShadowedView {
        location: location(&model.sources, it.value.span),
        rule: vocabulary::rule(it.rule),
        value: if hidden { serde_json::Value::Null } else { node_to_json(&it.value) },
    });
    OriginView {
        location: location(&model.sources, origin.span),
        rule: vocabulary::rule(origin.rule),
        shadowed: shadowed.collect(),
    }
}

/// The values that replace others, in the order of the document's keys.
pub(crate) fn overrides(model: &Model) -> Vec<OverrideView> {
    let history = model.merged.history.iter();
    let replaces = history.filter(|(_, it)| vocabulary::rule(it.rule).replaces());
    let there =
        replaces.filter_map(|(at, it)| Some((model.merged.at(at)?, it)).filter(|_| *at != Pointer::root()));
    let view = |(node, it): (&Node, &History)| OverrideView {
        location: location(&model.sources, node.span),
        shadowed: it.shadowed.iter().map(|it| location(&model.sources, it.value.span)).collect(),
    };
    there.map(view).collect()
}

pub(crate) fn is_sensitive(types: &Types, pointer: &Pointer) -> bool {
    pointer.segments().fold(Trail::root(types), |trail, segment| trail.step(&segment)).is_sensitive()
}

/// The values that no file sets.
pub(crate) fn inferred(model: &Model) -> Vec<InferredView> {
    let inferred = model.lowered.inferred.iter();
    inferred
        .filter_map(|it| {
            Some(InferredView {
                pointer: it.pointer.to_string(),
                value: value_to_json(&it.value),
                rule: match it.value.origin {
                    model::Origin::Default(_) => MergeRule::Default,
                    _ => MergeRule::Inferred,
                },
                because: it.because.clone(),
                origin: location(&model.sources, it.value.origin.span()?),
            })
        })
        .collect()
}
