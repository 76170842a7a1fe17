//! What is said of each code, for programs that list the rules of a tool.

use serde_json::{Value as Json, json};

use crate::finding::Finding;

/// What the problems of each area are about, by the first part of their codes.
const AREAS: &[(&str, &str)] = &[
    ("adapter", "adapters, which create resources"),
    ("bosh", "BOSH manifests, operations files and job specs"),
    ("capability", "parts of Planloom that are loaded when they are needed"),
    ("catalog", "catalogs of packages"),
    ("engine", "applying a plan"),
    ("fields", "fields of messages"),
    ("fixtures", "fixtures of services"),
    ("graph", "dependencies between resources"),
    ("host", "files and command lines"),
    ("integrity", "references between resources of a service"),
    ("links", "links from consumers to providers"),
    ("lower", "descriptors: their keys, values, names and references"),
    ("merge", "merging files"),
    ("names", "names of resources of a service"),
    ("plan", "plans"),
    ("preview", "templates that are filled in"),
    ("proto", "protobuf files of services"),
    ("resolve", "choosing versions"),
    ("services", "services"),
    ("spec", "service specifications"),
    ("state", "recorded states"),
    ("syntax", "YAML"),
    ("types", "type definitions"),
    ("versions", "versions of packages"),
    ("workspace", "the set of files"),
];

/// The codes of findings, sorted, each once.
pub(crate) fn codes<'f>(findings: &[&'f Finding]) -> Vec<&'f str> {
    let mut codes: Vec<&str> = findings.iter().map(|it| &*it.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// A code as a rule of SARIF.
pub(crate) fn rule(code: &str) -> Json {
    let title = title(code);
    let about = described(code).unwrap_or_else(|| title.clone());
    json!({
        "id": code,
        "shortDescription": { "text": title },
        "fullDescription": { "text": about },
        "help": { "text": help(code) },
    })
}

/// `lower/unknown-key` as `Unknown key`.
fn title(code: &str) -> String {
    let words = code.split_once('/').map_or(code, |(_, words)| words).replace(['-', '_'], " ");
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn described(code: &str) -> Option<String> {
    match code {
        "plan/destroy" => return Some("The plan destroys a resource.".into()),
        "plan/rebuild" => return Some("The plan destroys a resource and creates it again.".into()),
        _ => {}
    }
    let area = code.split_once('/')?.0;
    let (_, about) = AREAS.iter().find(|(name, _)| *name == area)?;
    Some(format!("A problem of {about}."))
}

fn help(code: &str) -> &'static str {
    match code {
        "plan/destroy" | "plan/rebuild" => {
            "Data that the resource holds is lost. The line is the one that causes the action; `planloom plan` shows all \
             actions with their reasons."
        }
        _ => {
            "The message says what is wrong and, after `help:`, what to do about it. `planloom check` shows the same with \
             the lines around it."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_a_title() {
        assert_eq!(title("lower/unknown-key"), "Unknown key");
        assert_eq!(title("odd"), "Odd");
        assert_eq!(described("plan/destroy").as_deref(), Some("The plan destroys a resource."));
    }
}
