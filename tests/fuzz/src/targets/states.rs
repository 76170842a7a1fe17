//! Any text can be a state, what was observed, or a saved plan.

use crate::{ask_everything, file};
use state::{Commit, Snapshot};
use workspace::PlanOptions;

pub(crate) fn run() {
    let seeds: Vec<Vec<u8>> = SEEDS.iter().map(|it| it.as_bytes().to_vec()).collect();
    crate::fuzz("states", check, &seeds, WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(snapshot) = Snapshot::read(text) {
        let written = snapshot.to_text();
        let again = Snapshot::read(&written).expect("what was written is read");
        assert_eq!(again.to_text(), written);
    }
    if let Ok(commit) = Commit::read(text) {
        assert_eq!(Commit::read(&commit.to_line()).expect("a commit").to_line(), commit.to_line());
    }
    if let Ok(plan) = serde_json::from_str::<workspace::view::PlanView>(text) {
        serde_json::to_string(&plan).expect("a plan can be written");
    }
    let (state, observed) = text.split_once("\n===\n").map_or((text, None), |(a, b)| (a, Some(b.to_owned())));
    let mut workspace = capabilities::workspace();
    workspace.set_files(vec![file("app.yaml", APP)]);
    let options = PlanOptions { state: Some(state.to_owned()), observed, ..PlanOptions::default() };
    ask_everything(&mut workspace, &options);
    workspace.plan(&PlanOptions { destroy: true, ..options });
}

const APP: &str = "meta: {name: shop}\npayloads: {p: {runtime: vm, params: {image_tag: a}}}\nservices: {a: {payload: p}, b: {payload: p, init: [[x, \"${services.a.network_node.ip}\"]]}}\n";

const SEEDS: &[&str] = &[
    r#"{"format":"planloom.state/1","deployment":"shop","lineage":"l","serial":3,"resources":{"services.a":{"kind":"service","phase":"active","id":"i","identity":{},"template":{},"spec":{"payload":{"runtime":"vm","params":{"image_tag":"a"}}},"outputs":{"network_node":{"ip":"10.0.0.1"}},"depends_on":[],"protected":false,"generation":1}},"journal":[]}"#,
    "{\"format\":\"planloom.state/1\",\"serial\":1,\"resources\":{}}\n===\n{\"format\":\"planloom.observed/1\",\"resources\":{\"services.a\":{\"kind\":\"service\",\"phase\":\"active\",\"spec\":{}}}}",
    r#"{"serial":2,"changes":[]}"#,
    r#"{"format":"planloom.plan/1","mode":"apply","deployment":"shop","serial":1,"digest":"sha256:0","actions":[],"summary":{"create":0,"update":0,"rebuild":0,"destroy":0,"unchanged":0},"diagnostics":[]}"#,
];

const WORDS: &[&str] = &[
    "\"serial\":",
    "\"resources\":{",
    "\"services.a\":{",
    "\"phase\":\"active\"",
    "\"phase\":\"pending\"",
    "\"generation\":",
    "\"journal\":[",
    "\"$sensitive\":\"",
    "9007199254740993",
    "1e400",
    "\"\\ud800\"",
    "\n===\n",
    "\"depends_on\":[",
    "null",
    "\"checksum\":\"",
    "\"lineage\":\"",
    "\"protected\":true",
];
