//! The graph of the kinds of services.

use serde_json::Value as Json;

use super::{list, text};

/// One line for each import, parent, reference and deletion that can get stuck.
pub(super) fn kinds(graph: &Json) -> String {
    let imports = list(&graph["imports"]).iter().map(|it| format!("{} imports {}\n", from(it), to(it)));
    let parents = list(&graph["parents"]).iter().map(|it| {
        let optional = if it["is_optional"] == true { ", optional" } else { "" };
        format!("{} in {}: {}{optional}\n", from(it), to(it), behavior(it))
    });
    let references = list(&graph["references"]);
    let references = references
        .iter()
        .map(|it| format!("{} -> {}: {} {}\n", from(it), to(it), text(&it["field"]), behavior(it)));
    imports
        .chain(parents)
        .chain(references)
        .chain(list(&graph["stuck_deletions"]).iter().map(stuck))
        .collect()
}

fn from(edge: &Json) -> &str {
    text(&edge["from"])
}

fn to(edge: &Json) -> &str {
    text(&edge["to"])
}

fn behavior(edge: &Json) -> String {
    let mut shown = text(&edge["behavior"]).to_owned();
    if edge["behavior"] != edge["effective_behavior"] {
        shown += &format!(", in effect {}", text(&edge["effective_behavior"]));
    }
    if edge["is_default"] == true {
        shown += " by default";
    }
    if edge["is_stuck"] == true {
        shown += ", can get stuck";
    }
    shown
}

fn stuck(it: &Json) -> String {
    let [root, stuck, blocker, field] = ["root", "stuck", "blocker", "field"].map(|key| text(&it[key]));
    let steps: Vec<&str> = list(&it["steps"]).iter().map(to).collect();
    format!("stuck: deletion of {root} deletes {}; {field} of {blocker} blocks {stuck}\n", steps.join(", "))
}
