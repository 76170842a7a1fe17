//! Views as one JSON object.

use serde::Serialize;
use workspace::view::PlanView;

/// A view as one JSON object and a line break.
pub fn json(view: &impl Serialize) -> String {
    // Views hold nothing that JSON has no form for: maps have text keys, numbers are finite.
    let mut text = serde_json::to_string_pretty(view).unwrap_or_default();
    text.push('\n');
    text
}

/// A plan as one JSON object; `refreshed` is whether it was compared with what exists.
pub fn plan_json(plan: &PlanView, refreshed: bool) -> String {
    json(&Refreshed { plan, refreshed })
}

#[derive(Serialize)]
struct Refreshed<'p> {
    #[serde(flatten)]
    plan: &'p PlanView,
    refreshed: bool,
}
