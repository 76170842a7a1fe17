//! The regular expressions of all names that the real toolchain generated.

use std::collections::BTreeMap;

use planloom_names::{IdPattern, Pattern, Patterns};
use serde_json::Value;

use crate::support::shared;

/// Kinds by service version and type: `limits.edgelq.com/v1`, `limits.edgelq.com/Plan`.
struct Kinds(BTreeMap<String, BTreeMap<String, Value>>, BTreeMap<String, Vec<Value>>);

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
}

/// The generated methods `Get` and `List`, not those that only have such a verb.
fn standard_reads(service: &Value) -> Vec<Value> {
    let methods = service["apis"].as_array().unwrap().iter().flat_map(|it| it["methods"].as_array().unwrap());
    let is_standard = |it: &&Value| {
        let request = it["request"].as_str().unwrap();
        let kind = it["resource"].as_str().unwrap_or_default();
        let is_get = it["verb"] == "get" && request == format!("Get{kind}Request");
        is_get || it["verb"] == "list" && it["name"].as_str().unwrap().starts_with("List") && !kind.is_empty()
    };
    methods.filter(is_standard).cloned().collect()
}

/// A kind's own id pattern.
fn own_id(kind: &Value) -> IdPattern {
    match kind["id_pattern"].as_str().unwrap() {
        "" => IdPattern::default_of_names(),
        text => IdPattern::new(text).unwrap(),
    }
}

impl Kinds {
    fn read() -> Option<Self> {
        let mut services = BTreeMap::new();
        let mut methods = BTreeMap::new();
        for file in std::fs::read_dir(shared("goten/expected")?).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let service: Value = serde_json::from_str(&text).unwrap();
            let kinds = service["resources"].as_array().unwrap().iter();
            let kinds = kinds.map(|it| (it["type"].as_str().unwrap().to_owned(), it.clone())).collect();
            let text = |key: &str| service[key].as_str().unwrap();
            let name = format!("{}/{}", text("name"), text("version"));
            methods.insert(name.clone(), standard_reads(&service));
            services.insert(name, kinds);
        }
        Some(Self(services, methods))
    }

    fn methods(&self) -> BTreeMap<String, Vec<Value>> {
        self.1.clone()
    }

    /// The pattern of a kind from its text: its own id by its own pattern, the others by those of the parent that has the
    /// rest of the text as a pattern.
    fn pattern(&self, service: &str, name: &str, text: &str) -> Option<Pattern> {
        let foreign = self.0.values().find_map(|it| it.get(name));
        let Some(kind) = self.0.get(service)?.get(name).or(foreign) else {
            return outside(name).filter(|it| it.0 == text).and_then(|(_, id)| own(None, text, &id));
        };
        texts(&kind["patterns"]).contains(&text).then_some(())?;
        let (mut above, own_text) = split(text);
        let mut scopes = Vec::new();
        for _ in texts(&kind["scope_attributes"]) {
            let (rest, scope) = split(above);
            scopes.push(scope);
            above = rest;
        }
        let mut pattern = None;
        if !above.is_empty() {
            let candidates = texts(&kind["parents"]);
            let full = |it: &&str| {
                let domain = service.split('/').next().unwrap_or_default();
                if it.contains('/') { (*it).to_owned() } else { format!("{domain}/{it}") }
            };
            pattern = Some(candidates.iter().map(full).find_map(|it| self.pattern(service, &it, above))?);
        }
        for scope in scopes {
            pattern = Some(own(pattern, scope, &IdPattern::region())?);
        }
        own(pattern, own_text, &own_id(kind))
    }
}

/// Kinds of services whose generated code is not among the files, as their specifications say.
fn outside(name: &str) -> Option<(&'static str, IdPattern)> {
    match name {
        "iam.edgelq.com/Project" => Some(("projects/{project}", IdPattern::default_of_names())),
        "iam.edgelq.com/Organization" => {
            Some(("organizations/{organization}", IdPattern::default_of_names()))
        }
        "iam.edgelq.com/User" => Some(("users/{user}", IdPattern::new(r"[\w.@|_-]{1,128}").unwrap())),
        _ => None,
    }
}

/// All but the last segment of a pattern's text, and the last one.
fn split(text: &str) -> (&str, &str) {
    let slashes: Vec<_> = text.rmatch_indices('/').map(|(at, _)| at).collect();
    slashes.get(1).map_or(("", text), |at| (&text[..*at], &text[at + 1..]))
}

fn own(parent: Option<Pattern>, segment: &str, id: &IdPattern) -> Option<Pattern> {
    let alone = Pattern::of_text(segment, |_| id.clone()).ok()?;
    match parent {
        Some(parent) => parent.child(alone.segments()[0].clone()).ok(),
        None => Some(alone),
    }
}

#[test]
fn all_generated_regular_expressions_are_reproduced() {
    let Some(kinds) = Kinds::read() else { return };
    let mut count = 0;
    for (service, own) in &kinds.0 {
        for (name, kind) in own {
            let expected = texts(&kind["name_regexes"]);
            let texts = texts(&kind["patterns"]);
            let patterns: Vec<_> = texts
                .iter()
                .map(|it| kinds.pattern(service, name, it).unwrap_or_else(|| panic!("{it}")))
                .collect();
            let actual: Vec<_> = patterns.iter().map(Pattern::regex_text).collect();
            assert_eq!(actual, expected, "{service} {name}");
            assert_eq!(patterns.iter().map(Pattern::text).collect::<Vec<_>>(), texts);
            assert_eq!(Patterns(patterns).ambiguous(), [], "{service} {name}");
            count += expected.len();
        }
    }
    assert_eq!((kinds.0.len(), count), (14, 112));
}

/// Paths of the rules for `Get` have the pattern of the name, those for `List` the pattern of the parent.
#[test]
fn paths_of_generated_rules_are_reproduced() {
    let Some(kinds) = Kinds::read() else { return };
    let mut count = 0;
    for (service, methods) in kinds.methods() {
        let (domain, version) = service.split_once('/').unwrap();
        // The only service whose paths have a prefix.
        let root = if domain == "meta.goten.com" { "/meta" } else { "" };
        for method in methods {
            let kind = format!("{domain}/{}", method["resource"].as_str().unwrap());
            let Some(kind_data) = kinds.0[&service].get(&kind) else { continue };
            let collection = kind_data["collection"].as_str().unwrap();
            let patterns = texts(&kind_data["patterns"])
                .into_iter()
                .map(|it| kinds.pattern(&service, &kind, it).unwrap());
            let path = |it: Pattern| match (method["verb"].as_str().unwrap(), it.parent()) {
                ("get", _) => format!("{root}/{version}/{{name={}}}", it.http()),
                (_, Some(parent)) => format!("{root}/{version}/{{parent={}}}/{collection}", parent.http()),
                (_, None) => format!("{root}/{version}/{collection}"),
            };
            let rules = method["http"].as_array().unwrap();
            let actual: Vec<_> = rules.iter().map(|it| it["path"].as_str().unwrap().to_owned()).collect();
            assert_eq!(actual, patterns.map(path).collect::<Vec<_>>(), "{service} {kind}");
            count += 1;
        }
    }
    assert_eq!(count, 124);
}
