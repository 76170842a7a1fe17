//! Any text can be a BOSH manifest, and any text its operations file.

use crate::{ask_everything, file};
use linking::Questions as _;
use workspace::PlanOptions;

pub(crate) fn run() {
    let seed = |text: &str| text.as_bytes().to_vec();
    let seeds = [seed(&format!("{MANIFEST}\n===\n{OPERATIONS}\n===\n{SPEC}")), seed(OPERATIONS)];
    crate::fuzz("operations", check, &seeds, WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut parts = text.split("\n===\n");
    let (first, second, spec) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    // A text alone is the operations of a manifest that is fine.
    let (manifest, operations) = second.map_or((MANIFEST, first), |second| (first, second));
    let mut workspace = capabilities::workspace();
    workspace.set_files(vec![file("manifest.yml", manifest), file("ops.yml", operations)]);
    workspace.set_releases(vec![file("r__web.yml", spec.unwrap_or(SPEC))]);
    ask_everything(&mut workspace, &PlanOptions::default());
    workspace.set_profile(::workspace::view::LinkProfile::Bosh);
    workspace.links();
}

const MANIFEST: &str = "name: d\nreleases: [{name: r, version: 1}]\ninstance_groups:\n- name: g\n  instances: 2\n  azs: [z1]\n  networks: [{name: n}]\n  jobs:\n  - {name: web, release: r, provides: {web: {as: w, shared: true}}, consumes: {web: {from: w}}, properties: {port: 1}}\n";
const OPERATIONS: &str = "- {type: replace, path: /instance_groups/name=g/jobs/name=web/properties?/port, value: ((port))}\n- {type: replace, path: /instance_groups/-, value: {name: h, jobs: []}}\n- {type: remove, path: \"/instance_groups/1\"}\n";
const SPEC: &str = "name: web\ntemplates: {}\nprovides: [{name: web, type: http, properties: [port]}]\nconsumes: [{name: web, type: http, optional: true}]\nproperties: {port: {default: 80}}\n";

const WORDS: &[&str] = &[
    "- type: replace\n",
    "- type: remove\n",
    "path: ",
    "/name=",
    "/-",
    ":next",
    ":prev",
    ":before",
    ":after",
    "?",
    "~1",
    "value: ",
    "((",
    "))",
    "\n===\n",
    "instance_groups:\n",
    "jobs:\n",
    "provides: ",
    "consumes: ",
    "from: ",
    "as: ",
    "shared: true",
    "nil",
    "deployment: ",
    "addons:\n",
    "properties: ",
    "azs: ",
    "networks: ",
    "custom_provider_definitions: ",
];
