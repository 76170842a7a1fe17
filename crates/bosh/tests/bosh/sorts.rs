//! Kinds of files.

use diag::FileId;
use planloom_bosh::{DocumentKind, sort};
use syntax::{Limits, parse};

#[track_caller]
fn check(name: &str, text: &str, expected: Option<DocumentKind>) {
    let root = parse(FileId(0), text, &Limits::default()).document.root.expect("it has content");
    assert_eq!(sort(name, &root), expected, "{name} {text}");
}

#[test]
fn files_of_bosh_are_known() {
    check("d.yml", "{name: d, instance_groups: []}", Some(DocumentKind::Manifest));
    check("d.yml", "{name: d, releases: [], stemcells: [], update: {}}", Some(DocumentKind::Manifest));
    check("d.yml", "{instance_groups: [], addons: []}", Some(DocumentKind::Manifest));
    check("o.yml", "[{type: replace, path: /a, value: 1}]", Some(DocumentKind::Operations));
    check("o.yml", "[5, {type: replase, path: /a, value: 1}]", Some(DocumentKind::Operations));
    check("o.yml", "[{type: remove}]", Some(DocumentKind::Operations));
    check("r.yml", "{addons: [], releases: []}", Some(DocumentKind::RuntimeConfig));
    check(
        "c.yml",
        "{networks: [{name: n, type: manual}], azs: [{name: z1}]}",
        Some(DocumentKind::CloudConfig),
    );
    check("c.yml", "{networks: [{name: n}]}", Some(DocumentKind::CloudConfig));
    check("c.yml", "{azs: [], vm_types: []}", Some(DocumentKind::CloudConfig));
    check("r__j.yml", "{name: j}", Some(DocumentKind::JobSpec));
    check("some/where/r__j.yaml", "{consumes: []}", Some(DocumentKind::JobSpec));
    check("jobs/j/spec", "{name: j, templates: {}}", Some(DocumentKind::JobSpec));
    check("spec", "{name: j, packages: [], provides: []}", Some(DocumentKind::JobSpec));
}

#[test]
fn other_files_are_not() {
    check("d.yaml", "{services: {web: {payload: x}}, networks: {n: {}}, meta: {name: d}}", None);
    check("d.yaml", "{networks: {n: {}}}", None);
    check("r__j.yml", "{meta: {name: j}, services: {}}", None);
    check("r__j.yml", "{networks: {n: {}}}", None);
    check("r__j.yml", "{payloads: {}}", None);
    check("compose.yml", "{name: x, services: {web: {image: nginx}}, networks: {n: ~}}", None);
    check("k.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: x}}", None);
    check("x.yaml", "{name: x}", None);
    check("x.yaml", "{azs: [z1], name: x}", None);
    check("x.yaml", "[1, 2]", None);
    check("x.yaml", "[]", None);
    check("x.yaml", "text", None);
}
