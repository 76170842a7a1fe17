//! The differences of two sets of files.

use serde_json::Value as Json;

use super::{list, place, text};

pub(super) fn render(comparison: &Json) -> String {
    let mut lines = Vec::new();
    for side in ["before", "after"] {
        if comparison[side]["errors"].as_u64() > Some(0) {
            lines.push(format!("{} errors {side}", comparison[side]["errors"]));
        }
    }
    for resource in list(&comparison["resources"]) {
        let action = resource["action"].as_str().map(|it| format!(": {it}")).unwrap_or_default();
        let change = resource["change"].as_str().unwrap_or("same");
        let reason = resource["reason"].as_str().map(|it| format!(", {it}")).unwrap_or_default();
        lines.push(format!("{change} {}{action}{reason}", text(&resource["address"])));
        lines.extend(list(&resource["values"]).iter().map(|it| value(it, "  ")));
    }
    for edge in list(&comparison["edges"]) {
        let (from, to) = (text(&edge["from"]), text(&edge["to"]));
        let words = format!("{} {from} needs {to} ({})", text(&edge["change"]), text(&edge["kind"]));
        lines.push(format!("{words} {}", place(&edge["origin"])));
    }
    lines.extend(list(&comparison["document"]).iter().map(|it| value(it, "")));
    lines.iter().fold(String::new(), |all, line| all + line + "\n")
}

fn value(of: &Json, indent: &str) -> String {
    let side = |value: &str, origin: &str| {
        let shown = if of["sensitive"] == true { "secret".to_owned() } else { of[value].to_string() };
        format!("{shown} at {}", place(&of[origin]))
    };
    let forces = if of["forces_rebuild"] == true { ", forces rebuild" } else { "" };
    let (before, after) = (side("before", "before_origin"), side("after", "after_origin"));
    format!("{indent}{}: {before} becomes {after}{forces}", text(&of["path"]))
}
