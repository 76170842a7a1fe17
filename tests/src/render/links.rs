use std::fmt::Write as _;

use serde_json::Value as Json;

use super::{list, text, yaml};

/// `a/api backend: linked to kv of s/store`, in the order of the consumers.
pub(super) fn render(links: &Json) -> String {
    list(&links["links"]).iter().map(line).collect()
}

fn line(link: &Json) -> String {
    let mut line = format!("{} {}: {}", owner(link), text(&link["link"]), text(&link["outcome"]));
    if let Some(reason) = link["reason"].as_str() {
        write!(line, " ({reason})").unwrap_or_default();
    }
    if !link["provider"].is_null() {
        let provider = &link["provider"];
        let home = if provider["deployment"] == link["deployment"] {
            String::new()
        } else {
            format!(" in {}", text(&provider["deployment"]))
        };
        write!(line, " to {}{home}", name(provider)).unwrap_or_default();
    }
    line + "\n"
}

/// Each consumer, with the candidates that were considered.
pub(super) fn considered(links: &Json) -> String {
    let all = list(&links["links"]).iter().map(|link| {
        let candidates = list(&link["considered"]).iter().map(|it| {
            let (who, verdict) = (name(&it["provider"]), text(&it["verdict"]));
            format!("  {who}: {verdict}; {}\n", text(&it["sentence"]))
        });
        let more = match link["considered_more"].as_u64() {
            None | Some(0) => String::new(),
            Some(more) => format!("  and {more} more\n"),
        };
        format!("{}  {}\n{}{more}", line(link), text(&link["sentence"]), candidates.collect::<String>())
    });
    all.collect()
}

/// The contents of the links of consumers, a value a line.
pub(super) fn contents(links: &Json) -> String {
    let mut lines = String::new();
    for link in list(&links["links"]).iter().filter(|it| !it["content"].is_null()) {
        writeln!(lines, "{} {}:", owner(link), text(&link["link"])).unwrap_or_default();
        let content = link["content"].as_object().into_iter().flatten();
        for (key, value) in content.filter(|(_, value)| **value != Json::Bool(false)) {
            match value.as_array().filter(|it| !it.is_empty()) {
                Some(items) if items.iter().any(Json::is_object) => {
                    let items = items.iter().map(|it| format!("    {}\n", yaml::inline(it)));
                    write!(lines, "  {key}:\n{}", items.collect::<String>()).unwrap_or_default();
                }
                _ => writeln!(lines, "  {key}: {}", yaml::inline(value)).unwrap_or_default(),
            }
        }
    }
    lines
}

pub(super) fn director(links: &Json) -> String {
    links["error"].as_str().map(|it| format!("{it}\n")).unwrap_or_default()
}

/// `group/job`, or a native service's address.
fn owner(it: &Json) -> String {
    let consumer = it["consumer"].as_str().or(it["address"].as_str());
    consumer.map_or_else(|| group(it), str::to_owned)
}

fn group(it: &Json) -> String {
    let names = [&it["instance_group"], &it["job"]].into_iter().filter_map(Json::as_str);
    names.collect::<Vec<_>>().join("/")
}

fn name(provider: &Json) -> String {
    let alias = provider["alias"].as_str().map(|it| format!(" as {it}")).unwrap_or_default();
    format!("{}{alias} of {}", text(&provider["name"]), owner(provider))
}

/// The changes of links, with the paths that differ.
pub(super) fn changes(links: &Json) -> String {
    let side = |it: &Json| if it.is_null() { "nobody".to_owned() } else { name(it) };
    let line = |it: &Json| {
        let paths: Vec<&str> = list(&it["paths"]).iter().map(text).collect();
        let paths = if paths.is_empty() { String::new() } else { format!(" ({})", paths.join(", ")) };
        let sides = match text(&it["change"]) {
            "changed" => String::new(),
            _ => format!(" from {} to {}", side(&it["before"]), side(&it["after"])),
        };
        let (who, link) = (owner(it), text(&it["link"]));
        format!("{} {who} {link}: {}{sides}{paths}\n", text(&it["deployment"]), text(&it["change"]))
    };
    list(&links["changes"]).iter().map(line).collect()
}

/// The circles of owners that need each other.
pub(super) fn circles(links: &Json) -> String {
    let names = |it: &Json| list(it).iter().map(text).collect::<Vec<_>>().join(", ");
    list(&links["circles"]).iter().map(|it| names(it) + "\n").collect()
}

/// The further names of providers, and where they lead to.
pub(super) fn aliases(links: &Json) -> String {
    let of_provider = |provider: &Json| {
        let line = |alias: &Json| {
            let each = alias["placeholder"].as_str().map(|it| format!(" for each {it}")).unwrap_or_default();
            let target = alias["target"].as_str().unwrap_or("nothing");
            format!("{}{each} -> {target} ({})\n", text(&alias["domain"]), name(provider))
        };
        list(&provider["aliases"]).iter().map(line).collect::<String>()
    };
    list(&links["providers"]).iter().map(of_provider).collect()
}
