//! Any text gives a result, and nothing panics.

use links::Profile;
use planloom_bosh::{Document, DocumentKind, read, sort};
use proptest::prelude::*;
use syntax::{Limits, parse};

use crate::jobs;

/// A manifest in which every feature occurs.
const ALL: &str = "\
name: d
releases: [{name: r}]
stemcells: [{alias: default, os: ubuntu-jammy}]
features: {use_dns_addresses: true}
variables: [{name: v, type: certificate, consumes: {alternative_name: {from: kv, link_type: kv}}}]
properties: {port: 1, auth: {user: x}}
instance_groups:
- name: s
  instances: 2
  azs: [z1, z2]
  stemcell: default
  lifecycle: service
  networks: [{name: n, default: [dns, gateway], static_ips: [10.0.0.1 - 10.0.0.2]}, {name: m}]
  persistent_disks: [{name: data, type: big}]
  properties: {auth: {user: y}}
  jobs:
  - {name: store, release: r, provides: {kv: {as: x, shared: true}}, custom_provider_definitions: [{name: k, type: l, properties: [port]}]}
  - {name: web, release: r, consumes: {main: {from: x, network: n, ip_addresses: true}, spare: {instances: [{address: h}], properties: {a: 1}}}}
addons:
- {name: a, include: {stemcell: [{os: ubuntu-jammy}], jobs: [{name: store, release: r}]}, exclude: {azs: [z9]}, jobs: [{name: agent, release: r}]}
";

const OPS: &str = "\
- {type: replace, path: '/instance_groups/name=s/jobs/name=web/consumes?/spare', value: nil}
- {type: remove, path: /addons/0/exclude}
- {type: replace, path: '/instance_groups/-1/networks/0:after', value: {name: o}}
- {type: test, path: /name, value: d}
";

const OTHERS: [&str; 9] = ["~", "[]", "{}", "5", "-0.5", "'x'", "[[a]]", "{a: {b: c}}", "((x))"];

/// The text with one value of it, by number, replaced.
fn damaged(text: &str, at: usize, other: usize) -> String {
    let root = parse(diag::FileId(0), text, &Limits::default()).document.root.unwrap();
    let mut spans = Vec::new();
    collect(&root, &mut spans);
    let span = spans[at % spans.len()];
    let (start, end) = (span.start as usize, span.end as usize);
    // A block has to remain one line of the block around it.
    let before = if text[..start].ends_with([' ', '[', '{', '(']) { "" } else { " " };
    let broken = text[start..end].ends_with('\n');
    format!(
        "{}{before}{}{}{}",
        &text[..start],
        OTHERS[other % 9],
        if broken { "\n" } else { "" },
        &text[end..]
    )
}

fn collect(node: &syntax::Node, into: &mut Vec<diag::Span>) {
    into.push(node.span);
    if let Some(items) = node.as_sequence() {
        items.iter().for_each(|it| collect(it, into));
    }
    if let Some(mapping) = node.as_mapping() {
        mapping.entries.iter().for_each(|it| collect(&it.value, into));
    }
}

fn look_at(files: &[(&str, String)]) {
    let mut roots = Vec::new();
    for (n, (name, text)) in files.iter().enumerate() {
        let parsed = parse(diag::FileId(n as u32), text, &Limits::default());
        roots.extend(parsed.document.root.map(|root| (*name, root)));
    }
    let documents: Vec<Document<'_>> = roots
        .iter()
        .filter_map(|(name, root)| Some(Document { name, kind: sort(name, root)?, root }))
        .collect();
    for profile in [Profile::Bosh, Profile::Strict] {
        let read = read(&documents, profile);
        assert_eq!(read.manifests.len(), read.site.deployments.len());
        let links = links::select(&read.site, profile);
        links.iter().for_each(|it| drop(links::content(&read.site, it, profile)));
        let again = planloom_bosh::read(&documents, profile);
        assert_eq!(read.diagnostics, again.diagnostics);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_replaced_value_is_read_without_panic(
        file in 0_usize..3,
        damages in prop::collection::vec((0_usize..200, 0_usize..9), 1..3),
    ) {
        let mut files = vec![("d.yml", ALL.to_owned()), ("ops.yml", OPS.to_owned())];
        files.extend(jobs::SPECS.map(|(name, text)| (name, text.to_owned())));
        for (at, other) in damages {
            let changed = damaged(&files[file].1, at, other);
            if parse(diag::FileId(0), &changed, &Limits::default()).document.root.is_some() {
                files[file].1 = changed;
            }
        }
        look_at(&files);
    }

    #[test]
    fn any_document_kind_is_read_without_panic(at in 0_usize..200, other in 0_usize..9, which in 0_usize..7) {
        let text = damaged(ALL, at, other);
        let sorts = [DocumentKind::Manifest, DocumentKind::Operations, DocumentKind::RuntimeConfig, DocumentKind::CloudConfig, DocumentKind::JobSpec, DocumentKind::Variables, DocumentKind::Other];
        let parsed = parse(diag::FileId(0), &text, &Limits::default());
        if let Some(root) = &parsed.document.root {
            let manifest = Document { name: "d.yml", kind: DocumentKind::Manifest, root };
            read(&[manifest, Document { name: "x__y.yml", kind: sorts[which], root }], Profile::Strict);
        }
    }
}

#[test]
fn empty_input_is_read_without_panic() {
    look_at(&[("d.yml", "{instance_groups: ~}".into())]);
    look_at(&[("d.yml", "{instance_groups: [~, {}, {name: ~, jobs: [~, {}], networks: [~]}]}".into())]);
    look_at(&[("o.yml", "[{path: /}]".into())]);
    let read = read(&[], Profile::Strict);
    assert!(read.site.deployments.is_empty() && read.diagnostics.is_empty());
}

#[test]
fn large_manifests_are_read_in_one_pass() {
    let mut text = String::from("name: d\ninstance_groups:\n");
    for group in 0..1000 {
        text += &format!("- name: g{group}\n  instances: 3\n  networks: [{{name: n}}]\n  jobs:\n");
        for job in 0..20 {
            text += &format!("  - {{name: j{job}, release: r, consumes: {{main: {{from: x{group}}}}}}}\n");
        }
    }
    let mut files = vec![("d.yml", text)];
    let specs: Vec<(String, String)> = (0..20)
        .map(|job| {
            let spec = format!(
                "name: j{job}\nprovides: [{{name: kv, type: kv{job}}}]\nconsumes: [{{name: main, type: kv}}]"
            );
            (format!("r__j{job}.yml"), spec)
        })
        .collect();
    files.extend(specs.iter().map(|(name, text)| (name.as_str(), text.clone())));
    look_at(&files);
}
