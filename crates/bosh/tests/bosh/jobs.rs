//! A small release, and manifests written as `group: job {settings}`, a line each.

use std::fmt::Write;

use links::Profile;
use planloom_bosh::ReadResult;

use crate::files::Files;

/// The specs of the release `r`.
pub(crate) const SPECS: [(&str, &str); 10] = [
    (
        "r__store.yml",
        "name: store\nprovides: [{name: kv, type: kv, properties: [port, auth.user, auth.pass]}]\n\
         properties: {port: {default: 6400}, auth.user: {default: svc}, auth.pass: {}}",
    ),
    ("r__cache.yml", "name: cache\nprovides: [{name: kv-cache, type: kv}]"),
    ("r__twin.yml", "name: twin\nprovides: [{name: kv-a, type: kv}, {name: kv-b, type: kv}]"),
    ("r__queue.yml", "name: queue\nprovides: [{name: kv, type: queue}]"),
    ("r__api.yml", "name: api\nconsumes: [{name: backend, type: kv}]"),
    ("r__web.yml", "name: web\nconsumes: [{name: main, type: kv}, {name: spare, type: kv, optional: true}]"),
    ("r__peer.yml", "name: peer\nprovides: [{name: mesh, type: mesh}]\nconsumes: [{name: mesh, type: mesh}]"),
    ("r__bare.yml", "name: bare\nproperties: {port: {default: 1}}"),
    ("r__agent.yml", "name: agent\nprovides: [{name: agent, type: agent}]"),
    ("r__probe.yml", "name: probe\nconsumes: [{name: agent, type: agent}]"),
];

/// The manifest of the deployment `d`. A repeated group gets another job; `further` is appended.
pub(crate) fn manifest(jobs: &str, further: &str) -> String {
    let mut groups: Vec<(&str, String)> = Vec::new();
    for line in jobs.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let (group, job) = line.split_once(": ").unwrap_or_else(|| panic!("what is {line}?"));
        let (name, said) = job.split_once(' ').unwrap_or((job, "{}"));
        let said =
            said.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or_else(|| panic!("{line}"));
        let comma = if said.is_empty() { "" } else { ", " };
        let job = format!("    - {{name: {name}, release: r{comma}{said}}}\n");
        match groups.iter_mut().find(|it| it.0 == group) {
            Some((_, jobs)) => jobs.push_str(&job),
            None => groups.push((group, job)),
        }
    }
    let mut text = String::from("name: d\ninstance_groups:\n");
    for (group, jobs) in groups {
        let _ = write!(text, "- name: {group}\n  instances: 2\n  networks: [{{name: net}}]\n  jobs:\n{jobs}");
    }
    text + further
}

/// Reads a manifest with the specs.
pub(crate) fn read(manifest: &str, others: &[(&str, &str)], profile: Profile) -> (Files, ReadResult) {
    let files = SPECS.iter().chain(others).copied().chain([("d.yml", manifest)]);
    let files = Files::new(files.collect::<Vec<_>>());
    let read = files.read(profile);
    (files, read)
}

/// The diagnostics, as `error: message`, with the text they point to.
pub(crate) fn reported(files: &Files, read: &ReadResult) -> Vec<String> {
    let shown = |it: &diag::Diagnostic| {
        let text = it.span.map_or("", |span| files.sources.text(span));
        format!("{}: {} @ {}", it.severity.as_str(), it.message, text.lines().next().unwrap_or_default())
    };
    read.diagnostics.iter().map(shown).collect()
}
