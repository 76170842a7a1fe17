use std::fmt::Write as _;

use serde_json::Value as Json;
use workspace::codes::plan::{MANIFEST, SPECIFICATION};

use super::{list, place, text};

/// That what is described is no resources to plan.
const NOT_PLANNED: [&str; 2] = [MANIFEST.as_str(), SPECIFICATION.as_str()];

/// All diagnostics: those of the descriptors, then those that only the plan has (a state that cannot be read). That a
/// manifest of BOSH or a specification is not planned is left out: it would stand in every example with one.
pub(super) fn render(check: &Json, plan: &Json) -> String {
    let descriptors = list(&check["diagnostics"]);
    let further = list(&plan["diagnostics"])
        .iter()
        .filter(|it| !descriptors.contains(it) && !NOT_PLANNED.iter().any(|code| it["code"] == *code));
    descriptors.iter().chain(further).map(diagnostic).collect()
}

/// The diagnostics of an answer.
pub(super) fn all(diagnostics: &Json) -> String {
    list(diagnostics).iter().map(diagnostic).collect()
}

fn diagnostic(it: &Json) -> String {
    let mut lines =
        format!("{} {} {} {}\n", text(&it["severity"]), text(&it["code"]), place(it), text(&it["message"]));
    let mut line = |label: &str, value: &str| writeln!(lines, "  {label}: {value}").unwrap_or_default();
    for related in list(&it["related"]) {
        line("see", &format!("{} {}", place(related), text(&related["message"])));
    }
    if let Some(help) = it["help"].as_str() {
        line("help", help);
    }
    for fix in list(&it["fixes"]) {
        line("fix", &format!("{}{}", text(&fix["title"]), edits(fix)));
    }
    lines
}

/// The edits of a fix, with their places, on one line.
fn edits(fix: &Json) -> String {
    let edit = |it: &Json| {
        format!("; {}-{}:{} becomes {}", place(it), it["end_line"], it["end_column"], it["new_text"])
    };
    list(&fix["edits"]).iter().map(edit).collect()
}
