//! Any text can be a catalog, and any text the lock of what was chosen from one.

use crate::{ask_everything, file};
use versions::Questions as _;
use workspace::{PlanOptions, view::Severity};

pub(crate) fn run() {
    let seed = |lock: &str, catalog: &str| format!("{lock}\n===\n{catalog}").into_bytes();
    crate::fuzz("catalogs", check, &[seed(LOCK, CATALOG), seed("", JSON)], WORDS);
}

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (lock, catalog) = text.split_once("\n===\n").unwrap_or(("", text));
    let mut workspace = capabilities::workspace();
    workspace.set_files(vec![file("app.yaml", APP), file("planloom.lock", lock)]);
    workspace.set_catalogs(vec![file("catalog.yaml", catalog)]);
    ask_everything(&mut workspace, &PlanOptions::default());
    workspace.upgrades("q");
    workspace.what_would_move("q.v1.0.0");
    // What is written is read again.
    if let Some(lock) = workspace.lock() {
        workspace.set_files(vec![file("app.yaml", APP), file("planloom.lock", &lock)]);
        let found = workspace.diagnostics().diagnostics;
        let of_lock = found
            .iter()
            .find(|it| it.file.as_deref() == Some("planloom.lock") && it.severity == Severity::Error);
        assert!(of_lock.is_none(), "{of_lock:?}\n{lock}");
    }
}

const APP: &str = "payloads: {p: {runtime: vm, params: {package: {name: q, version: \">=1.0.0\"}}}}\nservices: {a: {payload: p}}\n";
const LOCK: &str = "format: planloom.lock/1\nprofile: v1\npackages:\n  q: {version: 1.0.0, bundle: q.v1.0.0, image: x/q@sha256:1}\n";
const CATALOG: &str = "---\nschema: olm.package\nname: q\ndefaultChannel: stable\n---\nschema: olm.channel\nname: stable\npackage: q\nentries: [{name: q.v1.0.0}, {name: q.v1.1.0, replaces: q.v1.0.0, skips: [q.v0.9.0], skipRange: \"<1.1.0\"}]\n---\nschema: olm.bundle\nname: q.v1.0.0\npackage: q\nimage: x/q:1\nproperties: [{type: olm.package, value: {packageName: q, version: 1.0.0}}, {type: olm.gvk, value: {group: g, kind: K, version: v1}}]\n---\nschema: olm.bundle\nname: q.v1.1.0\npackage: q\nimage: x/q:2\nproperties: [{type: olm.package, value: {packageName: q, version: 1.1.0}}, {type: olm.package.required, value: {packageName: r, versionRange: ^1.0.0}}, {type: olm.constraint, value: {any: {constraints: [{package: {packageName: r, versionRange: \"*\"}}]}}}]\n";
const JSON: &str = "{\"schema\":\"olm.package\",\"name\":\"q\",\"defaultChannel\":\"s\"}\n{\"schema\":\"olm.channel\",\"name\":\"s\",\"package\":\"q\",\"entries\":[{\"name\":\"q.v1.0.0\"}]}\n{\"schema\":\"olm.bundle\",\"name\":\"q.v1.0.0\",\"package\":\"q\",\"image\":\"x\",\"properties\":[{\"type\":\"olm.package\",\"value\":{\"packageName\":\"q\",\"version\":\"1.0.0\"}}]}\n";

const WORDS: &[&str] = &[
    "schema: olm.package\n",
    "schema: olm.channel\n",
    "schema: olm.bundle\n",
    "schema: olm.deprecations\n",
    "\n---\n",
    "\n===\n",
    "defaultChannel: ",
    "replaces: ",
    "skips: [",
    "skipRange: ",
    "olm.package.required",
    "olm.gvk.required",
    "olm.constraint",
    "cel: {rule: ",
    "versionRange: ",
    ">=1.0.0 <2.0.0",
    "1.0.0-rc.1+b",
    "not: ",
    "all: ",
    "any: ",
    "\\u0000",
    "{\"schema\":",
    "format: planloom.lock/1\n",
    "image: ",
    "profile: v0",
];
