//! The resources and methods that specifications imply, and the answers of a service.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::{diagnostics, plan, yaml};

/// The kinds of the services that were not only given as imports: patterns and parents.
pub(super) fn resources(view: &Json) -> String {
    let mut text = String::new();
    for resource in requested(view).flat_map(|it| list(&it["resources"])) {
        let parents: Vec<&str> =
            list(&resource["parents"]).map(|it| it.as_str().unwrap_or_default()).collect();
        let parents: Vec<&str> = parents.iter().map(|it| if it.is_empty() { "none" } else { it }).collect();
        let below =
            if parents.is_empty() { String::new() } else { format!(" (below {})", parents.join(", ")) };
        let _ = writeln!(text, "{}{below}", string(&resource["name"]));
        list(&resource["patterns"]).for_each(|it| text += &format!("  {}\n", string(it)));
    }
    text
}

/// Their methods with routes and permissions.
pub(super) fn methods(view: &Json, api: &str) -> String {
    let mut text = String::new();
    let apis = requested(view).flat_map(|it| list(&it["apis"]));
    for method in apis.filter(|it| api.is_empty() || it["name"] == api).flat_map(|it| list(&it["methods"])) {
        let _ = writeln!(text, "{} [{}]", string(&method["name"]), string(&method["permission"]));
        for route in list(&method["http"]) {
            let body = string(&route["body"]);
            let body = if body.is_empty() { String::new() } else { format!(" body {body}") };
            let _ = writeln!(text, "  {} {}{body}", string(&route["method"]), string(&route["path"]));
        }
    }
    text
}

/// Their permissions.
pub(super) fn permissions(view: &Json) -> String {
    requested(view).flat_map(|it| list(&it["permissions"])).map(|it| format!("{}\n", string(it))).collect()
}

/// The changes: the class, the changed item and the kind of change, both values, and why it has its class.
pub(super) fn changes(view: &Json, with_names: bool) -> String {
    let mut text = String::new();
    for change in list(&view["changes"]).filter(|it| with_names || it["class"] != "follows_names") {
        let words = ["class", "change"].map(|it| string(&change[it]).replace('_', " "));
        let _ = writeln!(text, "{}: {}, {}", words[0], string(&change["item"]), words[1]);
        for (sign, value) in [("-", &change["old"]), ("+", &change["new"])] {
            if !string(value).is_empty() {
                let _ = writeln!(text, "  {sign} {}", string(value));
            }
        }
        let _ = writeln!(text, "  {}", string(&change["reason"]));
    }
    for diagnostic in list(&view["diagnostics"]).map(|it| &it["code"]) {
        let _ = writeln!(text, "{}", string(diagnostic));
    }
    if text.is_empty() { "nothing\n".to_owned() } else { text }
}

/// The names that texts are.
pub(super) fn names(answers: &Json) -> String {
    let mut text = String::new();
    for (name, answer) in answers.as_object().into_iter().flatten() {
        let _ = writeln!(text, "{}", if name.is_empty() { "(nothing)" } else { name });
        text += &named(answer);
    }
    text
}

/// The names or requests that texts are.
pub(super) fn texts(answers: &Json) -> String {
    let mut text = String::new();
    for it in list(answers) {
        let answer = &it["answer"];
        let _ = writeln!(text, "{}", string(&it["text"]));
        for method in list(&answer["methods"]) {
            let _ = writeln!(text, "  {} {}", string(&method["method"]), string(&method["path"]));
        }
        text += &named(answer);
        for parameter in list(&answer["parameters"]) {
            let _ = writeln!(text, "  {}: {}", string(&parameter["name"]), string(&parameter["value"]));
            text += &problem(&parameter["problem"]).replace("  ", "    ");
        }
    }
    text
}

/// The results of merging resources.
pub(super) fn combined(merges: &Json) -> String {
    let mut text = String::new();
    for it in list(merges) {
        for (at, resource) in list(&it["resources"]).enumerate() {
            let _ = writeln!(text, "{} {}", if at == 0 { " " } else { "+" }, yaml::inline(resource));
        }
        let _ = writeln!(text, "= {}", yaml::inline(&it["merged"]));
    }
    text
}

/// The names that a text is, or why it is none.
fn named(answer: &Json) -> String {
    let mut text = String::new();
    for it in list(&answer["names"]) {
        let ids: Vec<String> =
            list(&it["ids"]).map(|it| format!("{}={}", string(&it["variable"]), string(&it["id"]))).collect();
        let wildcard = if it["is_wildcard"] == true { ", with wildcards" } else { "" };
        let parent = match string(&it["parent"]) {
            "" => String::new(),
            parent => format!(", in {parent}"),
        };
        let _ = writeln!(text, "  {} {}{parent}{wildcard}", string(&it["type"]), ids.join(" "));
    }
    text + &problem(&answer["problem"])
}

fn problem(problem: &Json) -> String {
    if !problem.is_object() {
        return String::new();
    }
    let (code, message) = (string(&problem["code"]), string(&problem["message"]));
    format!("  {code} at {}: {message}\n", problem["byte"])
}

/// Requests and their responses. `metadata` is left out unless it is requested.
pub(super) fn responses(conversation: &Json, with_metadata: bool) -> String {
    let mut text = String::new();
    for exchange in list(conversation) {
        let (request, response) = (&exchange["request"], &exchange["response"]);
        if request["command"].is_string() {
            let _ = writeln!(text, "{}", request);
            text += &result(response, with_metadata);
            continue;
        }
        let path = decoded(string(&request["path"]));
        let _ = writeln!(text, "{} {path}", string(&request["method"]));
        let _ = writeln!(text, "  {}", response["status"]);
        for line in string(&response["body"]).lines() {
            let mut body: Json = serde_json::from_str(line).unwrap_or_else(|_| Json::String(line.to_owned()));
            if !with_metadata {
                drop_metadata(&mut body);
            }
            yaml::document(&body).lines().for_each(|it| text += &format!("  {it}\n"));
        }
        text += &resource_changes(response, with_metadata);
    }
    text
}

/// The result of a command.
fn result(response: &Json, with_metadata: bool) -> String {
    let mut text = String::new();
    for (key, value) in response.as_object().into_iter().flatten().filter(|(key, _)| *key != "changes") {
        if key == "plan" {
            plan::actions(value).lines().for_each(|it| text += &format!("  {it}\n"));
            diagnostics::all(&value["diagnostics"]).lines().for_each(|it| text += &format!("  {it}\n"));
            continue;
        }
        let mut value = serde_json::json!({key: value});
        if !with_metadata {
            drop_metadata(&mut value);
        }
        yaml::document(&value).lines().for_each(|it| text += &format!("  {it}\n"));
    }
    text + &resource_changes(response, with_metadata)
}

fn resource_changes(response: &Json, with_metadata: bool) -> String {
    let mut text = String::new();
    for change in list(&response["changes"]) {
        let _ = writeln!(text, "  changed: {} {}", string(&change["name"]), string(&change["kind"]));
        for (sign, value) in [("-", &change["before"]), ("+", &change["after"])] {
            let mut value = value.clone();
            if !with_metadata {
                drop_metadata(&mut value);
            }
            if !value.is_null() {
                yaml::document(&value).lines().for_each(|it| text += &format!("    {sign} {it}\n"));
            }
        }
    }
    text
}

fn decoded(path: &str) -> String {
    let signs = [' ', '"', '<', '>', '{', '}'];
    signs
        .iter()
        .fold(path.to_owned(), |path, it| path.replace(&format!("%{:02X}", u32::from(*it)), &it.to_string()))
}

fn drop_metadata(value: &mut Json) {
    match value {
        Json::Object(fields) => {
            fields.shift_remove("metadata");
            fields.values_mut().for_each(drop_metadata);
        }
        Json::Array(items) => items.iter_mut().for_each(drop_metadata),
        _ => {}
    }
}

fn requested(view: &Json) -> impl Iterator<Item = &Json> {
    list(&view["services"]).filter(|it| it["is_import"] != true)
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_array().into_iter().flatten()
}

fn string(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}
