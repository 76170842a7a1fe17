use std::collections::{BTreeMap, BTreeSet};

use model::Pointer;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{Entry, Snapshot, secret::is_written_mark};

/// The difference of one resource from one snapshot to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The address of the resource.
    pub address: String,
    /// Its kind; the later one if it changed.
    pub kind: String,
    /// The kind of the difference.
    pub change: DifferenceKind,
    /// The places that differ, in order of the pointers; all places of a resource that was added or removed.
    pub changes: Vec<Changed>,
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// It was added.
    Added,
    /// It was removed.
    Removed,
    /// It was changed.
    Changed,
}

/// A place of a recorded resource that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// A pointer into the entry, e.g. `/spec/image`.
    pub pointer: String,
    /// The value before, which is not a map or list unless it is empty. `None` if there was none, and for a
    /// secret.
    pub before: Option<Json>,
    /// The value after.
    pub after: Option<Json>,
    /// True if it is a secret, before or after.
    pub sensitive: bool,
}

/// The differences between two snapshots, in order of the addresses. They contain no secrets or marks of
/// them.
pub fn diff(before: &Snapshot, after: &Snapshot) -> Vec<Difference> {
    let addresses: BTreeSet<&String> = before.resources.keys().chain(after.resources.keys()).collect();
    addresses
        .into_iter()
        .filter_map(|it| of_resource(it, before.resources.get(it), after.resources.get(it)))
        .collect()
}

fn of_resource(address: &str, before: Option<&Entry>, after: Option<&Entry>) -> Option<Difference> {
    let change = match (before, after) {
        (None, Some(_)) => DifferenceKind::Added,
        (Some(_), None) => DifferenceKind::Removed,
        (Some(before), Some(after)) if before != after => DifferenceKind::Changed,
        _ => return None,
    };
    let kind = after.or(before).map(|it| it.kind.clone()).unwrap_or_default();
    Some(Difference { address: address.into(), kind, change, changes: changes(before, after) })
}

fn changes(before: Option<&Entry>, after: Option<&Entry>) -> Vec<Changed> {
    let json = |entry: Option<&Entry>| entry.and_then(|it| serde_json::to_value(it).ok());
    let (before, after) = (json(before), json(after));
    let (before, after) = (leaves(before.as_ref()), leaves(after.as_ref()));
    let places: BTreeSet<&Pointer> = before.keys().chain(after.keys()).collect();
    let pairs = places.into_iter().map(|it| (it, before.get(it).copied(), after.get(it).copied()));
    let other = pairs.filter(|(_, before, after)| before != after);
    other.map(|(it, before, after)| changed(it, before, after)).collect()
}

fn changed(at: &Pointer, before: Option<&Json>, after: Option<&Json>) -> Changed {
    let sensitive = [before, after].into_iter().flatten().any(is_written_mark);
    let shown = |json: Option<&Json>| json.filter(|it| !is_written_mark(it)).cloned();
    Changed { pointer: at.as_str().into(), before: shown(before), after: shown(after), sensitive }
}

/// The values that contain no others, by place; a mark is one of them. Empty if there is no entry.
pub fn leaves(entry: Option<&Json>) -> BTreeMap<Pointer, &Json> {
    let mut found = BTreeMap::new();
    if let Some(entry) = entry {
        collect(entry, &Pointer::root(), &mut found);
    }
    found
}

fn collect<'j>(json: &'j Json, at: &Pointer, found: &mut BTreeMap<Pointer, &'j Json>) {
    match json {
        Json::Object(map) if !map.is_empty() && !is_written_mark(json) => {
            map.iter().for_each(|(key, it)| collect(it, &at.key(key), found));
        }
        Json::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, it)| collect(it, &at.index(index), found));
        }
        leaf => drop(found.insert(at.clone(), leaf)),
    }
}
