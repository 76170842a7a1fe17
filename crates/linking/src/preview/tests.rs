use workspace::{File, Workspace};

use crate::{Linking, Questions as _, REGISTRATION};

const MANIFEST: &str = "
name: d
instance_groups:
- {name: s, instances: 2, networks: [{name: net}], jobs: [{name: store, release: r}]}
- name: a
  instances: 1
  networks: [{name: net}]
  jobs: [{name: api, release: r, properties: {port: ((port)), host: h}}]
";

const STORE: &str = "
name: store
provides: [{name: kv, type: kv, properties: [pass]}]
properties: {pass: {default: ((pass))}}
";

const API: &str = "
name: api
consumes: [{name: backend, type: kv}]
properties: {port: {}, host: {}}
";

const APP: &str = "
payloads: {p: {runtime: vm}}
networks: {default: {ip: 192.168.0.0/24}}
services:
  web: {payload: p, network: default, consumes: {data: {}}}
  db:
    payload: p
    network: default
    provides: {data: {properties: {note: ((odd))}}}
";

fn file((name, text): &(&str, &str)) -> File {
    File { name: (*name).into(), text: (*text).into(), package: None }
}

/// The text; where there is none, what is said, each with its code and column.
fn made(files: &[(&str, &str)], releases: &[(&str, &str)], owner: &str, template: &str) -> String {
    let mut workspace = Workspace::with(&[&REGISTRATION]);
    workspace.load(Box::new(Linking));
    workspace.set_files(files.iter().map(file).collect());
    workspace.set_releases(releases.iter().map(file).collect());
    let view = workspace.preview_template(owner, "t.erb", template);
    assert_eq!(view.text.is_some(), view.diagnostics.is_empty(), "{template}");
    let said = view.diagnostics.iter().map(|it| {
        let at = format!("{}-{}", it.column.unwrap_or(0), it.end_column.unwrap_or(0));
        format!("{} {at}: {} ({})", it.code, it.message, it.help.as_deref().unwrap_or_default())
    });
    let said: Vec<String> = said.collect();
    view.text.unwrap_or_else(|| said.join("\n"))
}

#[track_caller]
fn check_job(template: &str, expected: &str) {
    let releases = [("r__store.yml", STORE), ("r__api.yml", API)];
    assert_eq!(made(&[("d.yml", MANIFEST)], &releases, "a/api", template), expected, "{template}");
}

#[track_caller]
fn check_service(template: &str, expected: &str) {
    assert_eq!(made(&[("app.yaml", APP)], &[], "services.web", template), expected, "{template}");
}

#[test]
fn values_only_the_director_knows_are_named() {
    check_job("<%= link('backend').instances.map(&:id).join(',') %>", "((s.0.id)),((s.1.id))");
    check_job("<%= link('backend').address(status: 'healthy') %>", "q-s3.s.net.d.bosh");
}

#[test]
fn a_job_computes_nothing_with_placeholders() {
    check_job("${HOME} <%= p('port') %> <%= link('backend').p('pass') %>", "${HOME} ((port)) ((pass))");
    check_job("<%= p('host').length %>", "1");
    let later = "is known only at run time ()";
    check_job("<%= p('port').to_i %>", &format!("preview/failed 14-19: `to_i` of this {later}"));
    check_job(
        "<%= link('backend').p('pass').length %>",
        &format!("preview/failed 30-37: `length` of this {later}"),
    );
}

#[test]
fn references_in_a_template_of_a_service_are_reported() {
    let reported = "`${…}` is not filled in here (a template takes `<%= link(\"db\").address %>`; `${…}` is for descriptors)";
    check_service(
        "a ${links.data.address} ${x}",
        &format!("preview/not-run 3-24: {reported}\npreview/not-run 25-29: {reported}"),
    );
    check_service("<%= '${HOME}' %> <%= link('data').p('note').length %>", "${HOME} 7");
}
