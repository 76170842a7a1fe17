//! Who wrote each value of the merged document.

use std::collections::BTreeMap;

use model::Pointer;
use syntax::{Node, NodeData};
use types::{Trail, Types};

use crate::{
    json::{node_to_json, value_to_json},
    locate::location,
    pipeline::Model,
    view::{InferredView, OriginView, ShadowedView},
};

/// The origin of every place.
pub(crate) fn all(model: &Model, types: &Types) -> BTreeMap<String, OriginView> {
    let mut origins = BTreeMap::new();
    collect(model, types, &model.merged.root, &Pointer::root(), &mut origins);
    origins
}

fn collect(
    model: &Model,
    types: &Types,
    node: &Node,
    at: &Pointer,
    origins: &mut BTreeMap<String, OriginView>,
) {
    if *at != Pointer::root() {
        origins.extend(one(model, types, at).map(|origin| (at.to_string(), origin)));
    }
    match &node.data {
        NodeData::Mapping(mapping) => {
            for entry in &mapping.entries {
                collect(model, types, &entry.value, &at.key(&entry.key), origins);
            }
        }
        NodeData::Sequence(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(model, types, item, &at.index(index), origins);
            }
        }
        _ => {}
    }
}

/// The origin of one place; `None` where nothing is and nothing was removed.
pub(crate) fn one(model: &Model, types: &Types, pointer: &Pointer) -> Option<OriginView> {
    let origin = model.merged.origin(pointer)?;
    let hidden = is_sensitive(types, pointer);
    let shadowed = origin.shadowed.iter().map(|it| ShadowedView {
        location: location(&model.sources, it.value.span),
        rule: it.rule.as_str().into(),
        value: if hidden { serde_json::Value::Null } else { node_to_json(&it.value) },
    });
    Some(OriginView {
        location: location(&model.sources, origin.span),
        rule: origin.rule.as_str().into(),
        shadowed: shadowed.collect(),
    })
}

pub(crate) fn is_sensitive(types: &Types, pointer: &Pointer) -> bool {
    pointer.segments().fold(Trail::root(types), |trail, segment| trail.step(&segment)).is_sensitive()
}

/// The values that nobody wrote.
pub(crate) fn inferred(model: &Model) -> Vec<InferredView> {
    let inferred = model.lowered.inferred.iter();
    inferred
        .filter_map(|it| {
            Some(InferredView {
                pointer: it.pointer.to_string(),
                value: value_to_json(&it.value),
                rule: if matches!(it.value.origin, model::Origin::Default(_)) {
                    "default"
                } else {
                    "inferred"
                }
                .into(),
                because: it.because.clone(),
                origin: location(&model.sources, it.value.origin.span()?),
            })
        })
        .collect()
}
