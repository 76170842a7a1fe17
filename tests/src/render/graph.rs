use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{list, place, text};

/// The waves of a parallel creation, then the edges with the place that says so.
pub(super) fn render(graph: &Json) -> String {
    let mut waves: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for node in list(&graph["nodes"]) {
        waves.entry(node["wave"].as_u64().unwrap_or_default()).or_default().push(text(&node["address"]));
    }
    let waves = waves.iter().map(|(wave, addresses)| format!("wave {wave}: {}\n", addresses.join(", ")));
    waves.chain(list(&graph["edges"]).iter().map(edge)).collect()
}

fn edge(it: &Json) -> String {
    let longer_way = if it["direct"] == true { "" } else { ", not drawn" };
    let (from, to, kind) = (text(&it["from"]), text(&it["to"]), text(&it["kind"]));
    format!("{from} -> {to}: {kind} {} ({}{longer_way})\n", text(&it["path"]), place(&it["origin"]))
}
