//! The results of Planloom for an example.

use std::collections::BTreeMap;

use linking::Questions as _;
use planloom_tests::{
    example::Inputs,
    outputs::{Outputs, json, workspace},
};
use serde_json::Value as Json;
use services::Questions as _;
use workspace::{File, view::LinkProfile};

use super::{
    document::Document,
    layout::{broken, dedented, indented, specification},
};

/// The columns of lines that a document has lost, by document and first line: a digit is half of a column.
const COLUMNS: &[(&str, usize, &str)] = &[
    ("golem", 22, "011111012233232312232323012012223512223535"),
    ("golem", 74, "01111012232323"),
    ("golem", 89, "012323"),
    ("golem", 96, "0111101223323233"),
    ("golem", 278, "013"),
    ("goten", 1049, "01220122"),
    ("goten", 3202, "012344344"),
    ("goten", 3364, "012344566645656565656"),
    ("goten", 3716, "01222"),
];

/// The lines of the only example of Deppy's proposal that is no Go: half of a column, and the number of words.
const ACTIVE_RESOLUTION: &[(usize, usize)] = &[
    (0, 2),
    (0, 2),
    (0, 1),
    (1, 2),
    (0, 1),
    (1, 6),
    (1, 8),
    (1, 1),
    (1, 2),
    (1, 2),
    (1, 1),
    (1, 5),
    (1, 4),
    (1, 2),
    (1, 2),
    (3, 2),
    (3, 5),
    (3, 2),
    (3, 2),
    (1, 2),
    (3, 2),
    (3, 2),
    (3, 2),
    (0, 1),
    (1, 1),
    (2, 4),
    (1, 1),
    (2, 2),
    (2, 2),
];

/// A specification needs these, and fragments do not show them.
const HEADER: &str =
    "name: custom.example.com\nproto:\n  package: {name: example.custom, currentVersion: v1}\n";

/// Services that the guide's examples import; their own specifications are not part of the guide.
const IMPORTED: [(&str, &str); 2] = [
    (
        "meta.yaml",
        "name: meta.goten.com\nproto:\n  package: {name: goten.meta, currentVersion: v1}\nresources:\n- name: Region\n\
         - name: Service\n  multiRegion: {isPolicyHolder: true}\n- {name: Resource, parents: [Service]}\n\
         - {name: Deployment, parents: [Service]}\n",
    ),
    (
        "iam.yaml",
        "name: iam.edgelq.com\nproto:\n  package: {name: ntt.iam, currentVersion: v1}\nresources:\n\
         - {name: Project, multiRegion: {isPolicyHolder: true}}\n\
         - {name: Organization, multiRegion: {isPolicyHolder: true}}\n",
    ),
];

/// Specs of the jobs that manifests of the proposal deploy, where it does not show them.
const JOBS: [(&str, &str); 6] = [
    (
        "cf-mysql__node.yml",
        "name: node\nconsumes:\n- {name: nats, type: nats, optional: true}\n- {name: metron, type: metron, optional: true}\n",
    ),
    (
        "cf-mysql__proxy.yml",
        "name: proxy\nconsumes: [{name: data-node, type: data-node, optional: true}]\n\
         provides: [{name: data-node, type: data-node}]\n",
    ),
    ("cf__nats.yml", "name: nats\nprovides: [{name: nats, type: nats}]\n"),
    ("nats__natsd.yml", "name: natsd\nprovides: [{name: nats, type: nats}]\n"),
    ("nats__node.yml", "name: node\nprovides: [{name: nats, type: nats}]\n"),
    ("loggregator__metron.yml", "name: metron\nprovides: [{name: metron, type: metron}]\n"),
];

/// A catalog with what the example of Deppy's proposal requires.
const CATALOG: &str = "\
---
{schema: olm.package, name: odf-operator, defaultChannel: stable}
---
{schema: olm.channel, package: odf-operator, name: stable, entries: [{name: odf-operator.v3.5.7}]}
---
schema: olm.bundle
package: odf-operator
name: odf-operator.v3.5.7
image: example.com/odf:3.5.7
properties: [{type: olm.package, value: {packageName: odf-operator, version: 3.5.7}}]
---
{schema: olm.package, name: cluster-logging, defaultChannel: stable}
---
{schema: olm.channel, package: cluster-logging, name: stable, entries: [{name: cluster-logging.v2.4.0}]}
---
schema: olm.bundle
package: cluster-logging
name: cluster-logging.v2.4.0
image: example.com/logging:2.4.0
properties: [{type: olm.package, value: {packageName: cluster-logging, version: 2.4.0}}]
";

/// The inputs for an example, in the form that the table names for it; `None` for an unknown form.
pub(crate) fn inputs(document: &Document, first: usize, last: usize, form: &str) -> Option<Inputs> {
    let lines = document.example(first, last);
    let columns = || {
        let found = COLUMNS.iter().find(|it| (it.0, it.1) == (document.name, first));
        indented(&lines, found.unwrap_or_else(|| panic!("{} {first} has no columns", document.name)).2)
    };
    let specified = |text: String| Inputs {
        files: files(&[("api-skeleton.yaml", &with_store(&text))], &IMPORTED),
        ..Inputs::default()
    };
    let one = |name: &str, text: &str| Inputs { files: files(&[(name, text)], &[]), ..Inputs::default() };
    Some(match form {
        "descriptor" => one("app.yaml", &columns()),
        "part of a service" => {
            let text = columns();
            let inside: String = text.lines().map(|line| format!("    {line}\n")).collect();
            let rest = "payloads:\n  p: {runtime: vm, params: {image_hash: \"1\"}}\nnetworks:\n  n: {ip: 10.0.0.0/24}\n\
                        services:\n  db-service: {payload: p, network: n}\n  web:\n    payload: p\n    network: n\n";
            one("app.yaml", &format!("{rest}{inside}"))
        }
        "specification" => specified(specification(&lines, "spec")),
        "part of a specification" => {
            let text = header_free(&specification(&lines, "spec"));
            // Methods of other APIs operate on a resource that the examples do not show.
            let operated = if text.contains("SomeResource\n") && !text.contains("resources:") {
                "resources:\n- name: SomeResource\n"
            } else {
                ""
            };
            specified(format!("{HEADER}{text}{operated}"))
        }
        "specification without `proto`" => {
            let text = specification(&lines, "spec");
            let (name, rest) = text.split_once('\n')?;
            specified(format!(
                "{name}\nproto:\n  package: {{name: edgelq.custom, currentVersion: v1}}\n{rest}"
            ))
        }
        "part of a resource" => {
            let text = specification(&lines, "resource");
            let named = if text.starts_with("name:") { "" } else { "name: Example\n" };
            let parts = "- {name: Project}\n- {name: Organization}\n- {name: SomeOptionalParent}\n";
            specified(format!(
                "{HEADER}imports: [meta.goten.com]\nresources:\n{parts}{}",
                item(&format!("{named}{text}"))
            ))
        }
        "part of an action" => {
            let text = specification(&lines, "action");
            let named = format!("name: Act\nwithStoreHandle: {{transaction: NONE}}\n{text}");
            let inside: String = item(&named).lines().map(|line| format!("  {line}\n")).collect();
            specified(format!("{HEADER}resources:\n- name: ProvisioningPolicy\n  actions:\n{inside}"))
        }
        "actions" => {
            let text = specification(&lines, "[action]");
            let inside: String = text.lines().map(|line| format!("  {line}\n")).collect();
            specified(format!("{HEADER}resources:\n- name: Example\n  actions:\n{inside}"))
        }
        "proto file" => described(&lines.join("\n")),
        "part of a proto file" => described(&format!("syntax = \"proto3\";\n{}\n", lines.join("\n"))),
        "part of a proto message" => {
            described(&format!("syntax = \"proto3\";\nmessage Example {{\n{}\n}}\n", lines.join("\n")))
        }
        "part of a proto service" => {
            described(&format!("syntax = \"proto3\";\nservice Example {{\n{}\n}}\n", lines.join("\n")))
        }
        "YAML" => one("example.yaml", &columns()),
        "text" => one("example.yaml", &lines.join("\n")),
        "job spec" => job(dedented(&lines))?,
        "part of a manifest" => {
            let files = files(&[("manifest.yml", &manifest(&dedented(&lines)))], &[]);
            Inputs {
                files,
                releases: self::files(&[], &JOBS),
                profile: Some(LinkProfile::Bosh),
                ..Inputs::default()
            }
        }
        "ActiveResolution" => {
            let text = broken(document.example(first, first)[0], ACTIVE_RESOLUTION);
            let all = [("redhat-operators.yaml", CATALOG), ("resolution.yaml", text.as_str())];
            Inputs { files: files(&all, &[]), ..Inputs::default() }
        }
        _ => return None,
    })
}

fn files(one: &[(&str, &str)], other: &[(&str, &str)]) -> Vec<File> {
    let file =
        |(name, text): &(&str, &str)| File { name: (*name).into(), text: (*text).into(), package: None };
    one.iter().chain(other).map(file).collect()
}

/// A proto file beside a specification of a resource that it describes.
fn described(proto: &str) -> Inputs {
    let message = proto.lines().find_map(|it| it.strip_prefix("message ")?.strip_suffix(" {"));
    let specification = format!("{HEADER}resources:\n- name: {}\n", message.unwrap_or("Example"));
    let all = [("api-skeleton.yaml", specification.as_str()), ("example.proto", proto)];
    Inputs { files: files(&all, &[]), ..Inputs::default() }
}

/// A job with a deployment; one that only consumes is deployed with a job that provides.
fn job(text: String) -> Option<Inputs> {
    let name = text.lines().find_map(|it| it.strip_prefix("name: "))?.split(' ').next()?.to_owned();
    let manifest = format!(
        "name: shop\ninstance_groups:\n- name: g\n  instances: 1\n  networks: [{{name: private}}]\n  jobs:\n\
         \x20 - {{name: {name}, release: r}}\n"
    );
    let other = if text.contains("provides:") { "" } else { "  - {name: other, release: r}\n" };
    let provides = "name: other\nprovides:\n- {name: data-node, type: data-node}\n- {name: metron, type: metron}\n\
                    - {name: db, type: db}\n";
    let spec = |name: &str, text: &str| File {
        name: format!("r__{name}.yml"),
        text: text.to_owned(),
        package: None,
    };
    Some(Inputs {
        files: files(&[("manifest.yml", &format!("{manifest}{other}"))], &[]),
        releases: vec![spec(&name, &text), spec("other", provides)],
        profile: Some(LinkProfile::Bosh),
        ..Inputs::default()
    })
}

/// A manifest with what the examples leave out: its name, and the instances and networks of its groups.
fn manifest(text: &str) -> String {
    let networks = if text.contains("networks:") { "" } else { "  networks: [{name: private}]\n" };
    let mut whole = if text.starts_with("name:") { String::new() } else { "name: shop\n".to_owned() };
    for line in text.lines() {
        whole.push_str(&format!("{line}\n"));
        if line.starts_with("- name: ") {
            whole.push_str(&format!("  instances: 1\n{networks}"));
        }
    }
    whole
}

/// A specification whose actions have what the examples leave out where they show something else: `withStoreHandle`.
fn with_store(text: &str) -> String {
    let mut whole = String::new();
    let mut actions = None;
    for line in text.lines() {
        let column = line.len() - line.trim_start().len();
        whole.push_str(&format!("{line}\n"));
        if line.trim() == "actions:" {
            actions = Some(column + 2);
        } else if actions == Some(column)
            && line.trim_start().starts_with("- name: ")
            && !text.contains("withStoreHandle")
        {
            whole.push_str(&format!("{}withStoreHandle: {{transaction: NONE}}\n", " ".repeat(column + 2)));
        }
    }
    whole
}

/// A text without the name that a fragment shows as well as the header.
fn header_free(text: &str) -> String {
    text.lines().filter(|it| !it.starts_with("name:")).map(|it| format!("{it}\n")).collect()
}

/// A map as the item of a list.
fn item(text: &str) -> String {
    let line = |(at, line): (usize, &str)| format!("{}{line}\n", if at == 0 { "- " } else { "  " });
    text.lines().enumerate().map(line).collect()
}

/// The result in one line: what there is, and the codes of the problems.
pub(crate) fn result(inputs: &Inputs, imported: bool) -> String {
    let outputs = Outputs::of(inputs);
    let mut parts: Vec<String> = Vec::new();
    parts.extend(waves(&json(&outputs.graph)));
    parts.extend(outputs.specification.as_deref().map(|it| kinds(&json(it), imported)));
    parts.extend(outputs.links.as_deref().map(|it| links(&json(it))));
    parts.extend(outputs.resolution.as_deref().map(|it| resolved(&json(it))));
    let found = codes(&json(&outputs.check));
    parts.push(if found.is_empty() { "no problem".into() } else { found });
    parts.retain(|it| !it.is_empty());
    parts.join("; ")
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn word(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

fn waves(graph: &Json) -> Option<String> {
    let mut waves: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for node in list(&graph["nodes"]) {
        waves.entry(node["wave"].as_u64().unwrap_or(99)).or_default().push(word(&node["address"]));
    }
    let waves: Vec<String> = waves.into_values().map(|it| it.join(", ")).collect();
    (!waves.is_empty()).then(|| waves.join(" then "))
}

/// The kinds with their names, or in a specification of many only how many there are.
fn kinds(specification: &Json, imported: bool) -> String {
    let own = |it: &&Json| {
        imported || !IMPORTED.iter().any(|(_, text)| text.contains(&format!("name: {}\n", word(&it["name"]))))
    };
    let services = list(&specification["services"]).iter().filter(own);
    let resources = services.flat_map(|it| list(&it["resources"]));
    let patterns = |it: &Json| list(&it["patterns"]).iter().map(word).collect::<Vec<_>>().join(" or ");
    resources.map(patterns).collect::<Vec<_>>().join(", ")
}

fn links(links: &Json) -> String {
    let link = |it: &Json| {
        let provider = &it["provider"];
        let to = if provider.is_null() { "nothing".into() } else { owner(provider) };
        format!("{} `{}` from {to}", owner(it), word(&it["link"]))
    };
    list(&links["links"]).iter().map(link).collect::<Vec<_>>().join(", ")
}

fn owner(it: &Json) -> String {
    format!("{}/{}", word(&it["instance_group"]), word(&it["job"]))
}

fn resolved(resolution: &Json) -> String {
    let ids: Vec<&str> = list(&resolution["selection"]).iter().map(|it| word(&it["id"])).collect();
    format!("{}: {}", word(&resolution["outcome"]), ids.join(", "))
}

fn codes(check: &Json) -> String {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for it in list(&check["diagnostics"]) {
        *counts.entry((word(&it["severity"]), word(&it["code"]))).or_default() += 1;
    }
    let shown = |((severity, code), count): ((&str, &str), usize)| match count {
        1 => format!("{severity} {code}"),
        _ => format!("{severity} {code} ×{count}"),
    };
    counts.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The names that the texts are, with the types of their resources in the guide's service.
pub(crate) fn names(inputs: &Inputs, texts: &[&str]) -> String {
    let mut workspace = workspace(inputs);
    let read = |text: &&str| {
        let answer = workspace.resource_name(text);
        match answer.names.first() {
            Some(name) => format!("{} of {}", name.pattern, name.type_name),
            None => answer.problem.map_or_else(String::new, |it| format!("no name: {}", it.code)),
        }
    };
    let mut found: Vec<String> = texts.iter().map(read).collect();
    found.dedup();
    found.join(", ")
}

/// The links of a manifest with the networks that their addresses are of.
pub(crate) fn linked(inputs: &Inputs) -> Json {
    serde_json::to_value(workspace(inputs).links()).expect("plain data")
}
