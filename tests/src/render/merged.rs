use std::fmt::Write as _;

use serde_json::{Map, Value as Json};

use super::{list, place, text, yaml};

/// Each value below `prefix` with who wrote it; maps and lists only where something is to be said of them.
pub(super) fn origins(merged: &Json, prefix: &str) -> String {
    let mut lines = String::new();
    for (pointer, origin) in entries(merged).filter(|(pointer, _)| pointer.starts_with(prefix)) {
        let holds = merged["document"].pointer(pointer).filter(|it| !has_children(it));
        let rule = text(&origin["rule"]);
        let plain = matches!(rule, "set" | "deep") && list(&origin["shadowed"]).is_empty();
        if holds.is_none() && plain {
            continue;
        }
        let value = holds.map(|it| format!(" = {}", yaml::inline(it))).unwrap_or_default();
        writeln!(lines, "{pointer}{value} ({} {rule})", place(origin)).unwrap_or_default();
        for shadowed in list(&origin["shadowed"]) {
            let value = yaml::inline(&shadowed["value"]);
            writeln!(lines, "  over {value} ({} {})", place(shadowed), text(&shadowed["rule"]))
                .unwrap_or_default();
        }
    }
    lines
}

/// The inferred values, which are not written anywhere.
pub(super) fn inferred(merged: &Json) -> String {
    let mut lines = String::new();
    for it in list(&merged["inferred"]) {
        let (pointer, value, rule) = (text(&it["pointer"]), yaml::inline(&it["value"]), text(&it["rule"]));
        writeln!(lines, "{pointer} = {value} ({rule} for {})", place(&it["origin"])).unwrap_or_default();
        writeln!(lines, "  because {}", text(&it["because"])).unwrap_or_default();
    }
    lines
}

fn entries(merged: &Json) -> impl Iterator<Item = (&String, &Json)> {
    static EMPTY: std::sync::LazyLock<Map<String, Json>> = std::sync::LazyLock::new(Map::new);
    merged["origins"].as_object().unwrap_or(&EMPTY).iter()
}

fn has_children(value: &Json) -> bool {
    value.as_object().is_some_and(|it| !it.is_empty()) || value.as_array().is_some_and(|it| !it.is_empty())
}
