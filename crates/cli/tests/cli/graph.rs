use expect_test::expect;

use crate::run::Folder;

const APP: &str = "\
payloads:
  p: {runtime: vm, capabilities: [vpn]}
networks:
  lan: {}
services:
  web:
    payload: p
    network: lan
    depends_on: [cache]
    init:
      - [connect, '${services.db.network_node.ip}']
  cache: {payload: p}
  db: {payload: p, network: lan}
";

fn folder() -> Folder {
    Folder::new(&[("app.yaml", APP)])
}

#[test]
fn waves_say_who_starts_when_and_why() {
    folder().check(
        "graph app.yaml",
        &expect![[r#"
            4 resources in 3 waves, 4 connections

            wave 1
              networks.lan                                            app.yaml:4
              services.cache                                          app.yaml:12

            wave 2, after that
              services.db                                             app.yaml:13
              └─ is attached to networks.lan                          app.yaml:13

            wave 3, after that
              services.web                                            app.yaml:6
              ├─ is attached to networks.lan                          app.yaml:8
              ├─ starts after services.cache                          app.yaml:9
              └─ takes a value of services.db at init[0].run.args[1]  app.yaml:11
            --- exit code 0
        "#]],
    );
}

#[test]
fn other_programs_read_it_too() {
    let folder = folder();
    folder.check(
        "graph app.yaml --format mermaid",
        &expect![[r#"
        flowchart RL
          %% 1 connection that follows from others is left out
          n0["networks.lan"]
          n1["services.web"]
          n2["services.cache"]
          n3["services.db"]
          n1 --> n2
          n1 -.-> n3
          n3 -->|lives in| n0
        --- exit code 0
    "#]],
    );
    folder.check(
        "graph app.yaml --format dot",
        &expect![[r#"
        digraph planloom {
          rankdir=RL;
          node [shape=box];
          // 1 connection that follows from others is left out
          "networks.lan" [label="networks.lan"];
          "services.web" [label="services.web"];
          "services.cache" [label="services.cache"];
          "services.db" [label="services.db"];
          "services.web" -> "services.cache" [style=solid, tooltip="depends_on"];
          "services.web" -> "services.db" [style=dashed, tooltip="reference"];
          "services.db" -> "networks.lan" [style=dotted, tooltip="attachment"];
        }
        --- exit code 0
    "#]],
    );
    let svg = folder.run("graph app.yaml --format svg");
    assert!(svg.out.starts_with("<svg") && svg.out.trim_end().ends_with("</svg>") && svg.code == 0);
    let view = folder.run("graph app.yaml --format json").json();
    assert_eq!(view["format"], "planloom.graph/1");
    assert_eq!(view["nodes"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_circle_is_shown_with_its_lines() {
    let text = "payloads: {p: {runtime: vm}}\nservices:\n  a: {payload: p, depends_on: [b]}\n  b: {payload: p, depends_on: [a]}\n";
    Folder::new(&[("app.yaml", text)]).check(
        "graph app.yaml",
        &expect![[r#"
        2 resources in 1 wave, 2 connections

        wave 1
          services.a                  app.yaml:3
          └─ starts after services.b  app.yaml:3
          services.b                  app.yaml:4
          └─ starts after services.a  app.yaml:4
        --- standard error
        error[graph/cycle]: dependency cycle: services.a → services.b → services.a
          ╭▸ app.yaml:3:32
          │
        3 │   a: {payload: p, depends_on: [b]}
          │                                ━
          │                                │
          │                                services.a names services.b in `depends_on` (explicit)
        4 │   b: {payload: p, depends_on: [a]}
          │                                ─ services.b names services.a in `depends_on` (explicit)
          │
          ╰ help: remove services.b from `depends_on` of services.a, or services.a from `depends_on` of
                  services.b

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_picture_goes_into_a_file() {
    let folder = folder();
    let said = folder.run("graph app.yaml --format svg --out app.svg");
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
    assert!(folder.read("app.svg").is_some_and(|it| it.starts_with("<svg")));
}
