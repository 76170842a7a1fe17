use serde_json::Value as Json;

use super::{diagnostics, list, text};

/// What is reported of a conversion, and what is not the same in both versions.
pub(super) fn summary(conversion: &Json) -> String {
    let lines = list(&conversion["summary"]).iter().map(|it| format!("{}\n", text(it)));
    diagnostics::all(&conversion["diagnostics"]) + &lines.collect::<String>()
}

/// Each text, and what it is in the other version.
pub(super) fn converted(conversion: &Json) -> String {
    let lines = list(&conversion["converted"]).iter();
    lines.map(|it| format!("{}\n  {}\n", text(&it["text"]), text(&it["converted"]))).collect()
}
