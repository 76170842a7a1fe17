use std::fmt::Write;

use serde_json::Value as Json;

use super::{list, place, text};

/// The selection: each id, with its previous version and the requirements that want it, if any.
pub(super) fn selection(resolution: &Json) -> String {
    let mut out = String::new();
    for selected in list(&resolution["selection"]) {
        let by: Vec<&str> = list(&selected["wanted_by"]).iter().map(text).collect();
        let previous = selected["previous"].as_str().map(|it| format!(" (was {it})")).unwrap_or_default();
        let by = if by.is_empty() { String::new() } else { format!(" for {}", by.join(", ")) };
        let _ = writeln!(out, "{}{previous}{by}", text(&selected["id"]));
    }
    or_outcome(out, resolution)
}

/// The ids of the selection.
pub(super) fn ids(resolution: &Json) -> String {
    let ids = list(&resolution["selection"]).iter().map(|it| format!("{}\n", text(&it["id"])));
    or_outcome(ids.collect(), resolution)
}

/// The candidates of each choice, and what ruled the earlier ones out.
pub(super) fn why(resolution: &Json) -> String {
    let mut out = String::new();
    for selected in list(&resolution["selection"]) {
        let _ = writeln!(out, "{}", text(&selected["id"]));
        for candidate in list(&selected["considered"]) {
            let mark = if candidate["chosen"] == true { "✓" } else { "✗" };
            let _ = writeln!(out, "  {mark} {}", text(&candidate["id"]));
            for fact in list(&candidate["ruled_out_by"]) {
                let _ = writeln!(out, "    {}", text(&fact["constraint"]));
            }
        }
    }
    or_outcome(out, resolution)
}

/// Each conflict: its summary, then its facts with their places.
pub(super) fn conflicts(resolution: &Json) -> String {
    let mut out = String::new();
    for conflict in list(&resolution["conflicts"]) {
        let _ = writeln!(out, "{}", text(&conflict["summary"]));
        for fact in list(&conflict["facts"]) {
            let _ = writeln!(out, "  {} [{}]", text(&fact["constraint"]), place(&fact["origin"]));
        }
    }
    or_outcome(out, resolution)
}

/// The facts of the first conflict.
pub(super) fn core(resolution: &Json) -> String {
    let facts = list(&resolution["conflict"]).iter().map(|it| format!("{}\n", text(&it["constraint"])));
    or_outcome(facts.collect(), resolution)
}

/// The fixes that would help, and the selection with each.
pub(super) fn fixes(resolution: &Json) -> String {
    let mut out = String::new();
    for fix in list(&resolution["fixes"]) {
        let _ = writeln!(out, "{}", text(&fix["title"]));
        let ids: Vec<&str> = list(&fix["selection"]).iter().map(text).collect();
        let _ = writeln!(out, "  {}", ids.join(", "));
    }
    or_outcome(out, resolution)
}

/// The differences from what is locked or installed.
pub(super) fn changes(resolution: &Json) -> String {
    let mut out = String::new();
    for change in list(&resolution["changes"]) {
        let version = |key: &str| change[key].as_str().unwrap_or("-").to_owned();
        let (kind, package) = (text(&change["change"]), text(&change["package"]));
        let _ = writeln!(out, "{kind} {package}: {} -> {}", version("before"), version("after"));
    }
    or_outcome(out, resolution)
}

/// The upgrades of a package, one line each; then the heads of its channels.
pub(super) fn upgrades(view: &Json) -> String {
    let bundles = list(&view["bundles"]);
    let version = |at: &Json| {
        let bundle = at.as_u64().and_then(|it| bundles.get(it as usize));
        bundle.map(|it| text(&it["version"])).unwrap_or_default()
    };
    let mut out = String::new();
    for edge in list(&view["edges"]) {
        let range = edge["range"].as_str().map(|it| format!(" {it}")).unwrap_or_default();
        let counts = if edge["counts"] == true { "" } else { " (does not count)" };
        let (from, to) = (version(&edge["from"]), version(&edge["to"]));
        let _ = writeln!(out, "{from} -> {to} {}{range}{counts}", text(&edge["kind"]));
    }
    for channel in list(&view["channels"]) {
        let _ =
            writeln!(out, "{}: {}", text(&channel["name"]), channel["head"].as_str().unwrap_or("no head"));
    }
    out
}

fn or_outcome(out: String, resolution: &Json) -> String {
    if out.is_empty() { format!("{}\n", text(&resolution["outcome"])) } else { out }
}
