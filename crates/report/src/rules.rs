//! The texts for each code, for programs that list the rules of a tool.

use serde_json::{Value as Json, json};
use workspace::{
    codes::plan::{DESTROY, REBUILD},
    view::CodeView,
};

use crate::finding::Finding;

/// The families of codes, with what their problems are about.
pub const AREAS: &[(&str, &str)] = &[
    ("access-policy", "access policies of served services"),
    ("adapter", "adapters, which create resources"),
    ("api", "requests to a served service"),
    ("apply", "applying in the app"),
    ("audit", "the audit log of a served service"),
    ("bosh", "BOSH manifests, operations files and job specs"),
    ("capability", "parts of Planloom that are loaded when they are needed"),
    ("catalog", "catalogs of packages"),
    ("conversion", "conversions between versions of a service"),
    ("engine", "applying a plan"),
    ("fields", "fields of messages"),
    ("fixtures", "fixtures of services"),
    ("format", "the layout of files"),
    ("graph", "dependencies between resources"),
    ("host", "files and command lines"),
    ("integrity", "references between resources of a service"),
    ("limits", "limits of a served service"),
    ("links", "links from consumers to providers"),
    ("lower", "descriptors: their keys, values, names and references"),
    ("merge", "merging files"),
    ("names", "names of resources of a service"),
    ("plan", "plans"),
    ("preview", "templates that are filled in"),
    ("proto", "protobuf files of services"),
    ("resolve", "choosing versions"),
    ("runtime", "controllers"),
    ("services", "services"),
    ("spec", "service specifications"),
    ("state", "recorded states"),
    ("store", "a store of resources"),
    ("syntax", "YAML"),
    ("types", "type definitions"),
    ("versions", "versions of packages"),
    ("wasm", "calls of the npm package"),
    ("worker", "workers of the npm package"),
    ("workspace", "the set of files"),
];

/// The codes of findings, sorted, each once.
pub(crate) fn codes<'f>(findings: &[&'f Finding]) -> Vec<&'f str> {
    let mut codes: Vec<&str> = findings.iter().map(|it| &*it.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The documentation of a code, as rules have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// A noun with what it is, as one line.
    pub title: String,
    /// The reason why it matters and the advice on solving it, as Markdown; may be empty.
    pub text: String,
}

impl RuleText {
    /// That of a code in a list of [`CodeView`]s.
    pub(crate) fn find(codes: &Json, code: &str) -> Option<Self> {
        let found = codes.as_array()?.iter().find(|it| it.get("code").is_some_and(|it| it == code))?;
        let text = |key: &str| Some(found.get(key)?.as_str()?.to_owned());
        Some(Self { title: text("title")?, text: text("text")? })
    }
}

impl From<CodeView> for RuleText {
    fn from(view: CodeView) -> Self {
        Self { title: view.title, text: view.text }
    }
}

/// A code as a rule of SARIF, with its documentation where there is one.
pub(crate) fn rule(code: &str, known: Option<&RuleText>) -> Json {
    let title = title(code);
    let about = known.map(|it| it.title.clone()).or_else(|| described(code)).unwrap_or_else(|| title.clone());
    let help = match known {
        Some(known) if !known.text.is_empty() => json!({ "text": known.text, "markdown": known.text }),
        _ => json!({ "text": help(code) }),
    };
    json!({
        "id": code,
        "shortDescription": { "text": title },
        "fullDescription": { "text": about },
        "help": help,
    })
}

/// `lower/unknown-key` as `Unknown key`.
fn title(code: &str) -> String {
    let words = code.split_once('/').map_or(code, |(_, words)| words).replace(['-', '_'], " ");
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The subject of a code, without its documentation.
fn described(code: &str) -> Option<String> {
    match code {
        it if it == DESTROY.as_str() => return Some("The plan destroys a resource.".into()),
        it if it == REBUILD.as_str() => {
            return Some("The plan destroys a resource and creates it again.".into());
        }
        _ => {}
    }
    let area = code.split_once('/')?.0;
    let (_, about) = AREAS.iter().find(|(name, _)| *name == area)?;
    Some(format!("A problem of {about}."))
}

fn help(code: &str) -> &'static str {
    match [DESTROY, REBUILD].iter().any(|it| it.as_str() == code) {
        true => LOST,
        false => HELP,
    }
}

const LOST: &str = "Data that the resource holds is lost. The line is the one that causes the action; `planloom plan` shows all \
                    actions with their reasons.";
const HELP: &str = "The message says what is wrong and, after `help:`, what to do about it. `planloom check` shows the same with the \
                    lines around it.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_a_title() {
        assert_eq!(title("lower/unknown-key"), "Unknown key");
        assert_eq!(title("odd"), "Odd");
        assert_eq!(described("plan/destroy").as_deref(), Some("The plan destroys a resource."));
        assert_eq!(
            described("links/network").as_deref(),
            Some("A problem of links from consumers to providers.")
        );
    }
}
