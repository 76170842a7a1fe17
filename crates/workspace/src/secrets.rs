use std::collections::BTreeSet;

use model::{Data, Value};
use syntax::{Node, NodeData};
use types::{Trail, Types};

use crate::pipeline::{Model, ReadFile};

/// The texts of all values that must not be shown: those that a file writes, be it that a later one replaces them, and
/// those that something took from another place.
pub(crate) fn all(files: &[ReadFile], model: &Model, types: &Types) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for root in files.iter().filter_map(|it| it.document().root.as_ref()) {
        written(Trail::root(types), root, &mut found);
    }
    for resource in &model.lowered.desired.resources {
        let trail = types.kind(&resource.kind).map(|it| Trail::object(types, it));
        taken(trail, &resource.spec, false, &mut found);
    }
    found.remove("");
    found
}

fn written(trail: Trail<'_>, node: &Node, found: &mut BTreeSet<String>) {
    match &node.data {
        NodeData::Mapping(mapping) => {
            mapping.entries.iter().for_each(|it| written(trail.step(&it.key), &it.value, found));
        }
        NodeData::Sequence(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, it)| written(trail.step(&index.to_string()), it, found));
        }
        NodeData::Null | NodeData::Bool(_) => {}
        _ if !trail.is_sensitive() => {}
        NodeData::Int(it) => drop(found.insert(it.to_string())),
        NodeData::Float(it) => drop(found.insert(it.to_string())),
        NodeData::String(text, _) => drop(found.insert(text.to_string())),
    }
}

fn taken(trail: Option<Trail<'_>>, value: &Value, hidden: bool, found: &mut BTreeSet<String>) {
    let hidden = hidden || value.sensitive || trail.is_some_and(Trail::is_sensitive);
    match &value.data {
        Data::Map(map) => {
            map.iter().for_each(|(key, it)| taken(trail.map(|trail| trail.step(key)), it, hidden, found));
        }
        Data::List(items) => {
            let step = |index: usize| trail.map(|trail| trail.step(&index.to_string()));
            items.iter().enumerate().for_each(|(index, it)| taken(step(index), it, hidden, found));
        }
        // Whoever tries both knows these.
        Data::Bool(_) => {}
        _ if hidden => found.extend(value.to_text()),
        _ => {}
    }
}
