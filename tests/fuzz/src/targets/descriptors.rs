//! Any two texts can be descriptors, one over the other.

use crate::{ask_everything, file};
use workspace::PlanOptions;

pub(crate) fn run() {
    let seeds: Vec<Vec<u8>> = SEEDS.iter().map(|it| it.as_bytes().to_vec()).collect();
    crate::fuzz("descriptors", check, &seeds, WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (base, over) = text.split_once("\n===\n").unwrap_or((text, ""));
    let mut workspace = capabilities::workspace();
    workspace.set_files(vec![file("base.yaml", base), file("over.yaml", over)]);
    ask_everything(&mut workspace, &PlanOptions::default());
}

const SEEDS: &[&str] = &[
    "meta: {name: shop}\npayloads:\n  p: {runtime: vm, params: {image_tag: a/b:1}}\nnetworks:\n  n: {ip: 10.0.0.0/24}\nservices:\n  a: {payload: p, network: n}\n  b: {payload: p, network: n, depends_on: [a], init: [[/bin/x, \"${services.a.network_node.ip}\"]]}\n===\nservices:\n  a: {http_proxy: {ports: [\"8080:80\"]}}\n  b: !reset\n",
    "services:\n  a: {payload: p, provides: {db: {type: sql, properties: {port: 1}}}}\n  b: {payload: p, consumes: {db: {type: sql}}, init: [[x, \"${links.db.properties.port}\"]]}\npayloads: {p: {runtime: vm, params: {package: {name: q, version: ^1.0.0}}}}\n",
    "services:\n  a: {payload: p, instances: 3}\n  b: {payload: p, depends_on: [a, c]}\n  c: {payload: p, depends_on: [b]}\npayloads: {p: &p {runtime: process, params: {command: [/bin/x], secrets: {K: s3cret}}}, q: {<<: *p}}\n",
];

const WORDS: &[&str] = &[
    "services:\n",
    "payloads:\n",
    "networks:\n",
    "meta:\n",
    "payload: ",
    "network: ",
    "depends_on: [",
    "init:\n",
    "${services.",
    "${links.",
    "${payloads.",
    ".network_node.ip}",
    "$${",
    "!reset",
    "!override [",
    "\n===\n",
    "instances: ",
    "provides: {",
    "consumes: {",
    "package: {name: ",
    "http_proxy: ",
    "tcp_proxy: ",
    "ip: ",
    "secrets: {",
    "<<: *p",
    "&p ",
    "x-y: ",
    "kinds:\n",
    "deployment: ",
];
