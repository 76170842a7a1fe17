//! Notices of files that were given as descriptors and are not.

use diag::{Diagnostic, FileId, Span};
use syntax::{Mapping, Node, NodeData, Tag};

use super::{Format, Notice, Reader};
use crate::codes;

/// The notice of a file of that format.
pub(super) fn notice(format: &Format, file: FileId, root: &Node) -> Option<Diagnostic> {
    Some(match format.notice? {
        Notice::Written(help) => {
            let message = format!("this is {}, not a descriptor", format.with_article());
            let span = root.get("format").map_or(root.span, |it| it.span);
            Diagnostic::error(codes::workspace::NOT_A_DESCRIPTOR, span, message).help(help)
        }
        Notice::OtherTool => {
            let message = format!("this looks like {}", format.with_article());
            let help = "Planloom reads descriptors of the Golem application model: `payloads`, `services` and `networks`";
            Diagnostic::warning(codes::workspace::OTHER_LANGUAGE, Span::at(file, root.span.start), message)
                .help(help)
        }
    })
}

/// A warning about the first tag in a file with tags, if the file is none of those that tags are for.
pub(super) fn tag_without_effect(format: &Format, root: &Node) -> Option<Diagnostic> {
    if format.reader != Reader::Capability {
        return None;
    }
    let (tag, span) = first_tag(root, root.span)?;
    let message = format!("`{tag}` has no effect in {}", format.with_article());
    let help = "remove it; only layers of descriptors are merged by tags";
    Some(Diagnostic::warning(codes::workspace::TAG_WITHOUT_EFFECT, span, message).help(help))
}

/// The first tag, and its value; the key of a value without text.
fn first_tag(node: &Node, key: Span) -> Option<(&'static str, Span)> {
    let place = if node.span.start < node.span.end { node.span } else { key };
    match (node.tag, &node.data) {
        (Tag::Reset, _) => Some(("!reset", place)),
        (Tag::Override, _) => Some(("!override", place)),
        (Tag::None, NodeData::Sequence(items)) => items.iter().find_map(|it| first_tag(it, it.span)),
        (Tag::None, NodeData::Mapping(map)) => {
            map.entries.iter().find_map(|it| first_tag(&it.value, it.key_span))
        }
        (Tag::None, _) => None,
    }
}

/// True for a Compose file: its services declare what they run; in descriptors they name a payload.
pub(super) fn is_compose(root: &Node) -> bool {
    let Some(mapping) = root.as_mapping() else { return false };
    let has = |service: &Node, key: &str| service.get(key).is_some();
    let Some(services) = mapping.get("services").and_then(Node::as_mapping) else { return false };
    let mut services = services.entries.iter().map(|it| &it.value);
    no_payloads(mapping)
        && services.clone().any(|it| has(it, "image") || has(it, "build"))
        && !services.any(|it| has(it, "payload"))
}

fn no_payloads(mapping: &Mapping) -> bool {
    mapping.entry("payloads").is_none()
}

#[cfg(test)]
mod tests {
    use crate::{File, Workspace};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut workspace = Workspace::new();
        workspace.set_files(vec![File { name: "a.yaml".into(), text: text.into(), package: None }]);
        let found = workspace.diagnostics().diagnostics;
        let shown: Vec<String> = found.iter().map(|it| format!("{} {}", it.severity, it.message)).collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn generated_files_are_named_without_other_diagnostics() {
        let check = |format: &str, what: &str| {
            let text = format!(r#"{{"format": "planloom.{format}/1", "deployment": "x", "serial": 3}}"#);
            check(&text, &[&format!("error this is {what}, not a descriptor")]);
        };
        check("state", "a recorded state");
        check("observed", "an observed state");
        check("plan", "a plan");
        check("types", "a file of type definitions");
        check("merge", "an output of Planloom");
    }

    #[test]
    fn other_tools_are_recognised_first() {
        check(
            "services: {a: {image: x}}\n",
            &[
                "warning this looks like a Compose file",
                "error `services.a` needs `payload`",
                "error unknown key `services.a.image`",
            ],
        );
        check(
            "apiVersion: v1\nkind: Pod\n",
            &[
                "warning this looks like a Kubernetes manifest",
                "error unknown key `apiVersion`",
                "error unknown key `kind`",
            ],
        );
        let own = "payloads: {p: {runtime: vm}}\nservices: {a: {image: x, payload: p}}\n";
        check(own, &["error unknown key `services.a.image`"]);
    }
}
