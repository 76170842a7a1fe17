//! Checks the links of a spec, like the director when a release is uploaded (source: BOSH's director).

use std::collections::HashMap;

use diag::{Diagnostic, Span};
use links::{Named, Scope};
use syntax::{Mapping, Node, NodeData};

use super::{Consumes, Provides};
use crate::{
    codes,
    reporter::Reporter,
    shape::{self, kind},
    value::{is_open, scalar},
};

/// The links that a job provides.
pub(super) fn provides(job: &str, root: &Node, reporter: &mut Reporter) -> Vec<Provides> {
    let mut side = SpecList::new("provides", job);
    let mut provides = Vec::new();
    for item in side.items(root, reporter) {
        let Some((name, link_type)) = side.link(item, reporter) else { continue };
        if let Some(optional) = item.as_mapping().and_then(|it| it.entry("optional")) {
            let director = format!(
                "Link '{}' of type '{}' is a provides link, not allowed to have 'optional' key",
                name.text, link_type.text
            );
            let own = format!("`{}` is provided, so it cannot be optional", name.text);
            let found = reporter.error(codes::SPEC, optional.key_span, director, own);
            reporter.push(found.help("remove `optional`; it applies to consumed links only"));
        }
        if side.is_new(&name, reporter) {
            provides.push(Provides { name, link_type, listed: reporter.names(item, "properties") });
        }
    }
    provides
}

/// The links that a job consumes.
pub(super) fn consumes(job: &str, root: &Node, reporter: &mut Reporter) -> Vec<Consumes> {
    let mut side = SpecList::new("consumes", job);
    let mut consumes = Vec::new();
    for item in side.items(root, reporter) {
        let Some((name, link_type)) = side.link(item, reporter) else { continue };
        unknown_keys(item, reporter);
        if side.is_new(&name, reporter) {
            let (optional, scope) = (optional(item, reporter), scope(item, reporter));
            consumes.push(Consumes { name, link_type, optional, scope });
        }
    }
    consumes
}

/// One of the two lists of a spec.
struct SpecList<'a> {
    key: &'static str,
    job: &'a str,
    seen: HashMap<String, Span>,
}

impl<'a> SpecList<'a> {
    fn new(key: &'static str, job: &'a str) -> Self {
        Self { key, job, seen: HashMap::new() }
    }

    fn items<'n>(&self, root: &'n Node, reporter: &mut Reporter) -> &'n [Node] {
        let Some(entry) = reporter.key(root, self.key) else { return &[] };
        if let Some(items) = entry.value.as_sequence() {
            return items;
        }
        let (key, job) = (self.key, self.job);
        let director = format!(
            "Job '{job}' has invalid spec format: '{key}' must be an array of hashes with name and type"
        );
        let own = format!("`{key}` is a list, not {}", kind(&entry.value));
        let found = reporter.error(codes::SPEC, shape::place(entry), director, own);
        reporter.push(found.help(format!("write `{key}:` and below it `- name: …` with `type: …`")));
        &[]
    }

    /// The name and the type of a link.
    fn link(&self, item: &Node, reporter: &mut Reporter) -> Option<(Named, Named)> {
        let capital = if self.key == "provides" { "Provides" } else { "Consumes" };
        let Some(mapping) = item.as_mapping() else {
            let director = format!("{capital} section in the release spec must be a list of hashes");
            let own = format!("a link is a map with `name` and `type`, not {}", kind(item));
            reporter.push(reporter.error(codes::SPEC, item.span, director, own));
            return None;
        };
        let (Some(name), Some(link_type)) = (mapping.get("name"), mapping.get("type")) else {
            let key = self.key;
            let director = format!(
                "Each {key} item in the {key} section of the release spec must contain 'name' and 'type'"
            );
            let lacks = if mapping.entry("name").is_none() { "name" } else { "type" };
            let found =
                reporter.error(codes::SPEC, item.span, director, format!("this link has no `{lacks}`"));
            reporter.push(found.help("give it both a `name` and a `type`"));
            return None;
        };
        Some((self.word("name", name, item, reporter)?, self.word("type", link_type, item, reporter)?))
    }

    /// A name or a type, which the director does not check.
    fn word(&self, key: &str, node: &Node, item: &Node, reporter: &mut Reporter) -> Option<Named> {
        let place = if node.span.start == node.span.end { item.span } else { node.span };
        match scalar(node) {
            Some(text) if !text.is_empty() => return Some(Named::new(text, node.span)),
            Some(text) if !reporter.is_strict() => return Some(Named::new(text, place)),
            None if node.is_collection() || reporter.is_strict() => {
                let message = format!("the `{key}` of a link is text, not {}", kind(node));
                reporter.push(Diagnostic::error(codes::SPEC, place, message));
            }
            None => return Some(Named::new("", place)),
            Some(_) => {
                let message = format!("the `{key}` of a link is empty");
                let found = Diagnostic::error(codes::SPEC, place, message);
                reporter.push(found.help("manifests refer to the link by its name"));
            }
        }
        None
    }

    fn is_new(&mut self, name: &Named, reporter: &mut Reporter) -> bool {
        let Some(first) = self.seen.get(&*name.text) else {
            self.seen.insert(name.text.to_string(), name.span);
            return true;
        };
        let (job, key) = (self.job, self.key);
        let director = format!("Job '{job}' specifies duplicate {key} link with name '{}'", name.text);
        let own = format!("`{job}` {key} two links `{}`", name.text);
        let found = reporter.error(codes::SPEC, name.span, director, own).related(*first, "the first one");
        reporter.push(found.help("give one of them another name"));
        false
    }
}

/// The director reads any value except null and false as true.
fn optional(item: &Node, reporter: &mut Reporter) -> bool {
    let Some(entry) = reporter.key(item, "optional") else { return false };
    match entry.value.data {
        NodeData::Bool(it) => it,
        _ => {
            reporter.strictly(|| {
                let message = format!("`optional` is true or false, not {}", kind(&entry.value));
                let found = Diagnostic::warning(codes::SPEC, shape::place(entry), message);
                found.help("it counts as true")
            });
            true
        }
    }
}

/// The scope of a consumer: an extension that the director does not know.
pub(crate) fn scope(item: &Node, reporter: &mut Reporter) -> Scope {
    if !reporter.is_strict() {
        return Scope::Deployment;
    }
    if let Some(NodeData::Bool(true)) = reporter.key(item, "colocated").map(|it| &it.value.data) {
        return Scope::Colocated;
    }
    let Some(scope) = reporter.text(item, "scope") else { return Scope::Deployment };
    match &*scope.text {
        "instance" | "colocated" => Scope::Colocated,
        "deployment" => Scope::Deployment,
        other if is_open(other) => Scope::Deployment,
        other => {
            let message = format!("unknown scope `{other}`");
            let found = Diagnostic::error(codes::CONSUMER, scope.span, message);
            let found = reporter.help(found, other, ["instance", "deployment"], "scopes");
            reporter.push(found);
            Scope::Deployment
        }
    }
}

const OF_CONSUMES: [&str; 6] = ["name", "type", "optional", "scope", "colocated", "description"];

fn unknown_keys(item: &Node, reporter: &mut Reporter) {
    let no_entries = Mapping::default();
    for entry in &item.as_mapping().unwrap_or(&no_entries).entries {
        if reporter.is_strict() && !OF_CONSUMES.contains(&&*entry.key) {
            let message = format!("unknown key `{}` on a consumed link; it is ignored", entry.key);
            let found = Diagnostic::warning(codes::UNKNOWN_KEY, entry.key_span, message);
            let names = OF_CONSUMES.into_iter().filter(|it| item.get(it).is_none());
            let found = reporter.rename(found, (&entry.key, entry.key_span), names, "other keys");
            reporter.push(found);
        }
    }
}
