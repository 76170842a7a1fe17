//! Indices and caches of services.

use serde_json::Value as Json;

use super::{list, text};

/// The indices of each kind that has some, by database.
pub(super) fn indices(view: &Json) -> String {
    let mut shown = String::new();
    for kind in kinds(view).filter(|it| it["indices"].is_object()) {
        shown += &format!("{}\n", text(&kind["name"]));
        for index in list(&kind["indices"]["composite"]) {
            let direction = text(&index["direction"]).to_uppercase();
            let order: Vec<String> =
                list(&index["order"]).iter().map(|it| format!("{} {direction}", text(it))).collect();
            let filters: Vec<&str> = list(&index["filters"]).iter().map(text).collect();
            let (adapter, filters) = (text(&index["adapter"]), filters.join(", "));
            shown += &format!("  {adapter}: filter ({filters}) orderBy ({})\n", order.join(", "));
        }
        for index in list(&kind["indices"]["single"]) {
            let below = if index["is_wildcard"] == true { " and all below" } else { "" };
            shown += &format!("  {}: single {}{below}\n", text(&index["adapter"]), text(&index["field"]));
        }
    }
    shown
}

/// The groups of cached lists, numbered.
pub(super) fn cache(view: &Json) -> String {
    let mut shown = String::new();
    for kind in kinds(view).filter(|it| it["cache"].is_object()) {
        let by_name = if kind["cache"]["by_name"] == true { ", single ones by their names" } else { "" };
        shown += &format!("{}{by_name}\n", text(&kind["name"]));
        for (n, group) in list(&kind["cache"]["groups"]).iter().enumerate() {
            shown += &format!("  G{}: {}\n", n + 1, set(group));
        }
    }
    shown
}

/// The groups that lists are filed under, and what writes delete.
pub(super) fn cached(answers: &Json) -> String {
    let mut shown = String::new();
    for it in list(answers) {
        let (question, answer) = (&it["question"], &it["answer"]);
        let groups: Vec<String> = list(&answer["groups"])
            .iter()
            .map(|it| format!("G{}", it.as_u64().map_or(0, |it| it + 1)))
            .collect();
        let what = match &question["resource"] {
            Json::Null => match list(&answer["sets"]) {
                [] => "not cached".to_owned(),
                _ => format!("in {}, filed under", groups.join(" and ")),
            },
            _ => "deletes".to_owned(),
        };
        let asked = match &question["resource"] {
            Json::Null => format!("list {} {}", text(&question["parent"]), text(&question["filter"])),
            resource => format!("write {}", text(&resource["name"])),
        };
        shown += &format!("{}: {what}\n", asked.trim_end());
        list(&answer["sets"]).iter().for_each(|it| shown += &format!("  {}\n", set(it)));
        if let Some(problem) = answer["problem"].as_str() {
            shown += &format!("  {problem}\n");
        }
    }
    shown
}

/// `name=messages/-/comments/-, user=*`
fn set(set: &Json) -> String {
    let fields = set.as_object().into_iter().flatten();
    let field = |(path, value): (&String, &Json)| format!("{path}={}", value.as_str().unwrap_or("*"));
    fields.map(field).collect::<Vec<_>>().join(", ")
}

fn kinds(view: &Json) -> impl Iterator<Item = &Json> {
    let services = list(&view["services"]).iter().filter(|it| it["is_import"] != true);
    services.flat_map(|it| list(&it["resources"]))
}
