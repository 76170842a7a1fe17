//! Documents of other sorts that are given as descriptors.

use diag::{Code, Diagnostic, FileId, Span};
use syntax::{Mapping, Node};
use types::Types;

const NOT_A_DESCRIPTOR: Code = Code("workspace/not-a-descriptor");
const OTHER_LANGUAGE: Code = Code("workspace/other-language");

/// What is said of a document that Planloom itself wrote; it is no layer then.
pub(crate) fn own(root: &Node, types: &Types) -> Option<Diagnostic> {
    let mapping = root.as_mapping().filter(|_| types.root_field("format").is_none())?;
    let format = mapping.entry("format")?;
    let name = format.value.as_str()?.strip_prefix("planloom.")?;
    let name = name.split('/').next().unwrap_or(name);
    let (what, help) = match name {
        "state" => ("a recorded state", "give it to `plan` with `--state`"),
        "observed" => ("an observed state", "give it to `plan` with `--observed`"),
        "plan" => ("a plan", "give the descriptors that it was made from"),
        "types" => ("a file of type definitions", "give it with `--types`"),
        _ => ("an answer of Planloom", "give the descriptors that it was made from"),
    };
    let message = format!("this is {what}, not a descriptor");
    Some(Diagnostic::error(NOT_A_DESCRIPTOR, format.value.span, message).help(help))
}

/// What is said of a document that looks like one of another tool, before all that does not fit in it.
pub(crate) fn of_another_tool(file: FileId, root: &Node) -> Option<Diagnostic> {
    let mapping = root.as_mapping()?;
    let what = if is_compose(mapping) {
        "a Compose file"
    } else if mapping.entry("apiVersion").is_some() && mapping.entry("kind").is_some() {
        "a Kubernetes manifest"
    } else {
        return None;
    };
    let message = format!("this looks like {what}");
    let help =
        "Planloom reads descriptors of the Golem application model: `payloads`, `services` and `networks`";
    Some(Diagnostic::warning(OTHER_LANGUAGE, Span::at(file, root.span.start), message).help(help))
}

/// Its services say what to run themselves; here they name a payload.
fn is_compose(mapping: &Mapping) -> bool {
    let has = |service: &Node, key: &str| service.get(key).is_some();
    let Some(services) = mapping.get("services").and_then(Node::as_mapping) else { return false };
    let mut services = services.entries.iter().map(|it| &it.value);
    mapping.entry("payloads").is_none()
        && services.clone().any(|it| has(it, "image") || has(it, "build"))
        && !services.any(|it| has(it, "payload"))
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
    fn what_planloom_wrote_is_named_and_nothing_else_said() {
        let check = |format: &str, what: &str| {
            let text = format!(r#"{{"format": "planloom.{format}/1", "deployment": "x", "serial": 3}}"#);
            check(&text, &[&format!("error this is {what}, not a descriptor")]);
        };
        check("state", "a recorded state");
        check("observed", "an observed state");
        check("plan", "a plan");
        check("types", "a file of type definitions");
        check("merge", "an answer of Planloom");
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
