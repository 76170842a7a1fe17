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
    folder().check(
        "compare base.yaml --to base.yaml prod.yaml",
        &expect![[r#"
        From base.yaml to base.yaml + prod.yaml: 1 resource added, 1 resource changed; 2 unchanged. Applying
        base.yaml + prod.yaml where base.yaml is deployed: 2 to rebuild, 1 to create.

        ~ services.db: rebuild, `init[0].run.args` changed and cannot be changed in place
            /init/0/run/args  forces rebuild
              + ["start","--memory","4g"] (prod.yaml:3)
        + services.cache: create, it is new
            /network
              + "lan" (prod.yaml:4)
            /payload/capabilities
              + ["vpn"] (base.yaml:3)
            /payload/params/image_hash
              + "s1" (base.yaml:3)
            /payload/runtime
              + "vm" (base.yaml:3)
        = services.web: rebuild, it takes `network_node.ip` of `services.db`, which is rebuilt

        dependencies
        + services.web needs services.cache  prod.yaml:5
        + services.cache needs networks.lan  prod.yaml:4

        other values
          /meta/owner
            + "operations" (prod.yaml:1)
        --- exit code 2
    "#]],
    );
}

#[test]
fn the_same_files_do_not_differ() {
    folder().check(
        "compare base.yaml --to base.yaml",
        &expect![[r#"
        From base.yaml to base.yaml: no resource differs; 3 unchanged.
        --- exit code 0
    "#]],
    );
}

#[test]
fn errors_are_those_of_the_files_that_have_them() {
    folder().check(
        "compare base.yaml --to base.yaml broken.yaml",
        &expect![[r#"
        --- standard error
        error[merge/kind-mismatch]: `services` is a list here and a map in an earlier file
          ╭▸ broken.yaml:1:1
          │
        1 │ services: [
          │ ━━━━━━━━
          │
          ⸬  base.yaml:6:1
          │
        6 │ services:
          │ ──────── a map here
          │
          ╰ help: write a map, or put `!override` before the value to replace what is there; until then
                  this value is ignored

        error[syntax/unclosed-bracket]: this `[` is not closed
          ╭▸ broken.yaml:1:11
          │
        1 │ services: [
          │           ━
          │
          ╰ help: close it with `]`

        2 errors
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_side_may_be_a_state() {
    let state = r#"{"format":"planloom.state/1","deployment":"forum","lineage":"l","serial":2,"resources":{"services.old":
        {"kind":"service","phase":"active","identity":{"id":"1"},"spec":{},"outputs":{},"depends_on":[]}},"journal":[]}"#;
    let folder = Folder::new(&[("base.yaml", BASE), ("state.json", state)]);
    folder.check(
        "compare base.yaml --to state.json",
        &expect![[r#"
        From base.yaml to state.json: 1 resource added, 3 resources removed; 0 unchanged.

        − networks.lan
            /ip
              - "10.0.0.0/24" (base.yaml:5)
        − services.db
            /network
              - "lan" (base.yaml:7)
            /payload/capabilities
              - ["vpn"] (base.yaml:3)
            /payload/params/image_hash
              - "s1" (base.yaml:3)
            /payload/runtime
              - "vm" (base.yaml:3)
        − services.web
            /init/0/run/args/0
              - "serve" (base.yaml:8)
            /init/0/run/args/1
              - "${services.db.network_node.ip}" (base.yaml:8)
            /network
              - "lan" (base.yaml:8)
            /payload/capabilities
              - ["vpn"] (base.yaml:3)
            /payload/params/image_hash
              - "s1" (base.yaml:3)
            /payload/runtime
              - "vm" (base.yaml:3)
        + services.old
        --- exit code 2
    "#]],
    );
}
