use expect_test::expect;

use crate::run::Folder;

const BASE: &str = "\
meta: {name: forum}
payloads:
  store: {runtime: vm, capabilities: [vpn], params: {image_hash: s1}}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  db: {payload: store, network: lan}
  web: {payload: store, network: lan, init: [[serve, \"${services.db.network_node.ip}\"]]}
";
const PROD: &str = "\
meta: {owner: operations}
services:
  db: {init: [[start, --memory, 4g]]}
  cache: {payload: store, network: lan}
  web: {depends_on: [cache]}
";

fn folder() -> Folder {
    Folder::new(&[("base.yaml", BASE), ("prod.yaml", PROD), ("broken.yaml", "services: [\n")])
}

#[test]
fn two_environments_differ_by_resource_and_value() {
    folder().check("compare base.yaml --to base.yaml prod.yaml", &expect![[""]]);
}

#[test]
fn the_same_files_do_not_differ() {
    folder().check("compare base.yaml --to base.yaml", &expect![[""]]);
}

#[test]
fn errors_are_those_of_the_files_that_have_them() {
    folder().check("compare base.yaml --to base.yaml broken.yaml", &expect![[""]]);
}

#[test]
fn a_side_may_be_a_state() {
    let state = r#"{"format":"planloom.state/1","deployment":"forum","lineage":"l","serial":2,"resources":{"services.old":
        {"kind":"service","phase":"active","identity":{"id":"1"},"spec":{},"outputs":{},"depends_on":[]}},"journal":[]}"#;
    let folder = Folder::new(&[("base.yaml", BASE), ("state.json", state)]);
    folder.check("compare base.yaml --to state.json", &expect![[""]]);
}
