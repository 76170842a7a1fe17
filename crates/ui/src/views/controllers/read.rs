//! Snapshots from JSON, read by hand through a plain value: a derived deserializer for each type would be the larger
//! part of the code that this view adds to the page.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use workspace::view::{ControllerEdge, ControllerState, ControllerStyle};

use super::snapshot::{ControllerItem, EdgeItem, KindItem, LintItem, Place, Snapshot, Way};

impl<'de> Deserialize<'de> for Snapshot {
    /// Missing fields are empty: the worker is of the same build.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|value| snapshot(&value))
    }
}

fn snapshot(value: &Value) -> Snapshot {
    Snapshot {
        running: flag(value, "running"),
        controllers: list(&value["controllers"], controller),
        kinds: list(&value["kinds"], kind),
        edges: list(&value["edges"], edge),
        lints: list(&value["lints"], |it| LintItem { code: text(it, "code"), message: text(it, "message") }),
        wide: floats(&value["wide"]),
        tall: floats(&value["tall"]),
    }
}

fn controller(value: &Value) -> ControllerItem {
    let error = &value["error"];
    ControllerItem {
        node: text(value, "node"),
        id: text(value, "id"),
        does: text(value, "does"),
        style: word(value, "style", ControllerStyle::named),
        state: word(value, "state", ControllerState::named),
        queue: size(value, "queue"),
        ok: count(value, "ok"),
        failed: count(value, "failed"),
        skipped: count(value, "skipped"),
        error: said(&error[0]).zip(error[1].as_f64()),
        retry_at: value["retry_at"].as_f64(),
        given_up: size(value, "given_up"),
        place: place(value),
    }
}

fn kind(value: &Value) -> KindItem {
    KindItem {
        node: text(value, "node"),
        name: text(value, "name"),
        count: size(value, "count"),
        leaving: size(value, "leaving"),
        place: place(value),
    }
}

fn edge(value: &Value) -> EdgeItem {
    let way = &value["way"];
    EdgeItem {
        id: text(value, "id"),
        from: text(value, "from"),
        to: text(value, "to"),
        edge: word(value, "edge", ControllerEdge::named),
        count: count(value, "count"),
        livelock: flag(value, "livelock"),
        way: Way { wide: list(&way["wide"], floats), tall: list(&way["tall"], floats) },
    }
}

fn place(value: &Value) -> Place {
    let place = &value["place"];
    Place { wide: floats(&place["wide"]), tall: floats(&place["tall"]) }
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().into_iter().flatten().map(read).collect()
}

fn floats<const N: usize>(value: &Value) -> [f32; N] {
    #[expect(clippy::cast_possible_truncation, reason = "they were written from numbers of this size")]
    std::array::from_fn(|at| value[at].as_f64().unwrap_or_default() as f32)
}

fn said(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn text(value: &Value, field: &str) -> String {
    said(&value[field]).unwrap_or_default()
}

/// A value of a closed set by its word.
fn word<T: Default>(value: &Value, field: &str, named: fn(&str) -> Option<T>) -> T {
    value[field].as_str().and_then(named).unwrap_or_default()
}

fn flag(value: &Value, field: &str) -> bool {
    value[field].as_bool().unwrap_or_default()
}

fn count(value: &Value, field: &str) -> u64 {
    value[field].as_u64().unwrap_or_default()
}

fn size(value: &Value, field: &str) -> usize {
    usize::try_from(count(value, field)).unwrap_or_default()
}
