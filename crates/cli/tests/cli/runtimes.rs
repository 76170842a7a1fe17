//! Services of a runtime that the adapter does not have are refused in the plan.

use expect_test::expect;

use crate::run::Folder;

/// The first example of the README.
const APP: &str = "\
payloads:
  web: {runtime: vm, params: {image_tag: me/web:1.0}}
networks:
  lan: {ip: 10.0.0.0/24}
services:
  db: {payload: web, network: lan}
  site: {payload: web, network: lan}
";

#[test]
fn a_plan_with_an_adapter_refuses_what_it_cannot_run() {
    let folder = Folder::new(&[("app.yaml", APP)]);
    folder.check("plan app.yaml --adapter process", &expect![[r#"
        --- standard error
        error[engine/not-accepted]: the adapter `process` does not accept `vm` as `payload.runtime` of `services.db` and 1 more
          ╭▸ app.yaml:2:18
          │
        2 │   web: {runtime: vm, params: {image_tag: me/web:1.0}}
          │                  ━━
          │
          ╰ help: nothing was done; it accepts `process`: write that, or choose an adapter that accepts
                  `vm`; the simulator accepts everything and creates nothing real

        1 error
        --- exit code 1
    "#]]);
    for command in ["plan app.yaml --adapter container", "check app.yaml --adapter process"] {
        let done = folder.run(command);
        let said = format!("{}{}", done.out, done.err);
        assert!(done.code == 1 && said.contains("engine/not-accepted"), "{command}: {said}");
    }
}

#[test]
fn an_apply_refuses_it_before_anything_is_created() {
    let folder = Folder::new(&[("app.yaml", APP)]);
    folder.check("apply app.yaml --state s.json --auto-approve", &expect![[r#"
        Unnamed deployment from `app.yaml`.
        --- standard error
        error[engine/not-accepted]: the adapter `process` does not accept `vm` as `payload.runtime` of `services.db` and 1 more
          ╭▸ app.yaml:2:18
          │
        2 │   web: {runtime: vm, params: {image_tag: me/web:1.0}}
          │                  ━━
          │
          ╰ help: nothing was done; it accepts `process`: write that, or choose an adapter that accepts
                  `vm`; the simulator accepts everything and creates nothing real

        1 error
        --- exit code 1
    "#]]);
    let state = folder.read("s.json").unwrap_or_default();
    assert!(!state.contains("networks.lan"), "{state}");
    let refreshed = folder.run("plan app.yaml --state s.json --adapter process --refresh");
    assert!(refreshed.code == 1 && refreshed.err.contains("engine/not-accepted"), "{}", refreshed.err);
}

#[test]
fn adapters_that_have_the_runtime_or_say_nothing_are_not_refused() {
    let folder = Folder::new(&[("app.yaml", APP)]);
    for adapter in ["golem", "simulator", "service=simulator --adapter network=process"] {
        let done = folder.run(&format!("plan app.yaml --adapter {adapter}"));
        assert_eq!(done.code, 2, "{adapter}: {}{}", done.out, done.err);
    }
    let without = folder.run("plan app.yaml");
    assert_eq!(without.code, 2, "{}", without.err);
}
