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
    plan_json_with(plan, refreshed, &())
}

/// The same with further fields: those of a struct or a map.
pub fn plan_json_with(plan: &PlanView, refreshed: bool, fields: &impl Serialize) -> String {
    json(&Refreshed { plan, refreshed, fields })
}

#[derive(Serialize)]
struct Refreshed<'p, T> {
    #[serde(flatten)]
    plan: &'p PlanView,
    refreshed: bool,
    #[serde(flatten)]
    fields: &'p T,
}
