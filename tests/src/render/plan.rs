use serde_json::Value as Json;

use super::{list, place, text, yaml};

/// The actions with their reasons.
pub(super) fn actions(plan: &Json) -> String {
    lines(plan, |_| String::new())
}

/// The actions with their reasons as people read them.
pub(super) fn reasons(plan: &Json) -> String {
    lines(plan, |action| match action["reason"]["sentence"].as_str() {
        Some(sentence) => format!("  {sentence}\n"),
        None => String::new(),
    })
}

/// The actions with every value that differs.
pub(super) fn changes(plan: &Json) -> String {
    lines(plan, |action| list(&action["changes"]).iter().map(change).collect())
}

fn lines(plan: &Json, more: impl Fn(&Json) -> String) -> String {
    let actions = list(&plan["actions"]);
    if actions.is_empty() {
        let errors = list(&plan["diagnostics"]).iter().any(|it| it["severity"] == "error");
        return if errors { "no plan\n".to_owned() } else { "nothing to do\n".to_owned() };
    }
    let rule = text(&plan["knock_on"]);
    let rule = if rule == "values" { String::new() } else { format!("knock-on: {rule}\n") };
    rule + &actions.iter().map(|it| action(it) + &more(it)).collect::<String>()
}

/// `a2 rebuild services.web after a1: changed`
fn action(it: &Json) -> String {
    let after: Vec<&str> = list(&it["after"]).iter().map(text).collect();
    let after = if after.is_empty() { String::new() } else { format!(" after {}", after.join(", ")) };
    format!(
        "{} {} {}{after}{}\n",
        text(&it["id"]),
        text(&it["action"]),
        text(&it["address"]),
        reason(&it["reason"])
    )
}

fn reason(it: &Json) -> String {
    if it.is_null() {
        return String::new();
    }
    let via = &it["via"];
    let cause = match it["cause"].as_str() {
        Some(cause) => {
            format!(" of {cause} by {} {} to {}", text(&via["edge"]), text(&via["path"]), text(&via["to"]))
        }
        None => String::new(),
    };
    format!(": {}{cause}", text(&it["kind"]))
}

/// `  /labels/tier: 1 becomes 2 (app.yaml:7:15, forces rebuild)`
fn change(it: &Json) -> String {
    let value = |key: &str| if it[key].is_null() { "nothing".to_owned() } else { yaml::inline(&it[key]) };
    let sides = if it["sensitive"] == true {
        "hidden".to_owned()
    } else {
        // Where what was recorded is what is desired, what was seen must differ.
        let seen = !it["observed"].is_null() || it["desired"] == it["persisted"];
        let seen = if seen { format!(", seen {}", value("observed")) } else { String::new() };
        format!("{} becomes {}{seen}", value("persisted"), value("desired"))
    };
    let mut notes = vec![place(&it["origin"])];
    for (key, note) in [("unknown", "known later"), ("forces_rebuild", "forces rebuild")] {
        if it[key] == true {
            notes.push(note.to_owned());
        }
    }
    if it["origin"]["inferred"] == true {
        notes.push("inferred".to_owned());
    }
    format!("  {}: {sides} ({})\n", text(&it["path"]), notes.join(", "))
}
