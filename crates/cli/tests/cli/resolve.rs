use expect_test::expect;

use crate::run::{Folder, codes};

const APP: &str = "meta: {name: shop}
payloads: {queue: {runtime: vm, package: {name: queue, version: \">=1.0.0\"}}}
services: {orders: {payload: queue}}
";

fn catalog(versions: &[&str]) -> String {
    let mut text = String::from("schema: olm.package\nname: queue\ndefaultChannel: stable\n");
    text.push_str("---\nschema: olm.channel\npackage: queue\nname: stable\nentries:\n");
    for (n, version) in versions.iter().enumerate() {
        let before = n.checked_sub(1).and_then(|it| versions.get(it));
        let replaces = before.map(|it| format!(", replaces: queue.v{it}")).unwrap_or_default();
        text.push_str(&format!("- {{name: queue.v{version}{replaces}}}\n"));
    }
    for version in versions {
        text.push_str(&format!(
            "---\nschema: olm.bundle\npackage: queue\nname: queue.v{version}\nimage: registry.example/queue:{version}\n\
             properties:\n- {{type: olm.package, value: {{packageName: queue, version: {version}}}}}\n"
        ));
    }
    text
}

fn folder() -> Folder {
    Folder::new(&[
        ("app.yaml", APP),
        ("old/queue/catalog.yaml", &catalog(&["1.0.0"])),
        ("new/queue/catalog.yaml", &catalog(&["1.0.0", "1.1.0"])),
        ("none/notes.txt", "nothing"),
        ("strict.yaml", "payloads: {queue: {package: {version: ^2.0.0}}}\n"),
    ])
}

#[test]
fn plan_uses_locked_versions() {
    let folder = folder();
    assert_eq!(folder.run("resolve app.yaml --catalog old --lock").code, 0);
    let plan = folder.run("plan app.yaml --format json").json();
    assert!(codes(&plan).is_empty(), "{plan}");
    let version = |plan: &serde_json::Value| {
        let changes = plan["actions"][0]["changes"].as_array().cloned().unwrap_or_default();
        changes.into_iter().find(|it| it["path"] == "/payload/version").map(|it| it["desired"].clone())
    };
    assert_eq!(version(&plan), Some("1.0.0".into()), "{plan}");
    // A newer catalog changes nothing until the lock is written again.
    let plan = folder.run("plan app.yaml --catalog new --format json").json();
    assert_eq!(version(&plan), Some("1.0.0".into()), "{plan}");
    folder.check(
        "resolve app.yaml --catalog new --lock",
        &expect![[r#"
            1 package required and selected

              queue  1.1.0  new stable  for payloads.queue

            changes from the locked or installed versions
              ~ queue 1.0.0 → 1.1.0
            --- standard error
            Wrote `planloom.lock`.
            --- exit code 0
        "#]],
    );
    let plan = folder.run("plan app.yaml --format json").json();
    assert_eq!(version(&plan), Some("1.1.0".into()), "{plan}");
}

#[test]
fn without_locked_versions_there_are_no_changes() {
    folder().check(
        "resolve app.yaml --catalog old",
        &expect![[r#"
            1 package required and selected

              queue  1.0.0  old stable  for payloads.queue

            no versions are locked or installed yet
            --- exit code 0
        "#]],
    );
}

/// It would be refused when it is read: an invisible character makes a name resemble another.
#[test]
fn no_lock_is_written_that_is_not_read_again() {
    let folder = folder();
    let hide = |text: &str| {
        text.replace("name: queue", "name: que\u{200B}ue").replace("e: queue", "e: que\u{200B}ue")
    };
    let catalog = hide(&catalog(&["1.0.0"])).replace("packageName: queue", "packageName: que\u{200B}ue");
    folder.write("old/queue/catalog.yaml", catalog.as_bytes());
    folder.write("app.yaml", hide(APP).as_bytes());
    let ran = folder.run("resolve app.yaml --catalog old --lock");
    assert!(
        ran.err.contains("no lock is written: a name in it has a character that cannot be seen"),
        "{}",
        ran.err
    );
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(!folder.path("planloom.lock").exists());
}

#[test]
fn an_unsatisfiable_resolution_fails_and_writes_no_lock() {
    let folder = folder();
    folder.check(
        "resolve app.yaml strict.yaml --catalog old --lock",
        &expect![[r#"
            the required packages cannot be installed together

            no bundles found for package "queue" matching version "^2.0.0"
              1. payloads.queue requires package queue in ^2.0.0  app.yaml:2
              2. 1.0.0 is not in ^2.0.0  strict.yaml:1
            possible fixes
              • Widen the range of payloads.queue to `^2.0.0 || 1.0.0`
            --- exit code 1
        "#]],
    );
    assert!(!folder.path("planloom.lock").exists());
}

#[test]
fn catalogs_must_be_there() {
    folder().check(
        "resolve app.yaml --catalog nowhere",
        &expect![[r#"
        --- standard error
        error[host/not-found]: cannot read `nowhere`: there is no such file
         ╭▸ nowhere
         ╰ help: check the name and the folder

        1 error
        --- exit code 1
    "#]],
    );
    folder().check(
        "resolve app.yaml --catalog none",
        &expect![[r#"
        --- standard error
        error[host/empty-folder]: `none` holds no catalog: no `.yaml`, `.yml`, `.json` or `.jsonl` file
         ╭▸ none
         ╰ help: name the folder that contains the packages

        1 error
        --- exit code 1
    "#]],
    );
    folder().check(
        "resolve app.yaml",
        &expect![[r#"
            the requirements have errors of their own
            --- standard error
            error[versions/no-catalog]: there is no catalog to choose from
            help: add one to the files, or name it with `--catalog`

            error[versions/not-locked]: no version of the package `queue` is chosen, and there is no catalog
              ╭▸ app.yaml:2:49
              │
            2 │ payloads: {queue: {runtime: vm, package: {name: queue, version: ">=1.0.0"}}}
              │                                                 ━━━━━
              │
              ╰ help: add a catalog to the files, or name one with `--catalog`; or give the `planloom.lock`
                      that was written from one

            2 errors
            --- exit code 1
        "#]],
    );
}

#[test]
fn programs_read_problems_and_upgrades() {
    let folder = Folder::new(&[
        (
            "problem.yaml",
            "format: planloom.problem/1\nvariables: [{id: a, constraints: [mandatory, prohibited]}]\n",
        ),
        ("catalog.yaml", &catalog(&["1.0.0", "1.1.0"])),
    ]);
    let answer = folder.run("resolve problem.yaml --format json").json();
    assert_eq!(
        (&answer["outcome"], &answer["conflict"][1]["kind"]),
        (&"unsolvable".into(), &"prohibited".into())
    );
    let upgrades = folder.run("resolve --catalog catalog.yaml --upgrades queue --format json").json();
    assert_eq!(upgrades["edges"][0]["kind"], "replaces", "{upgrades}");
    folder.check("resolve --catalog catalog.yaml --upgrades queue --format mermaid", &expect![[r#"
        graph LR
          classDef deprecated fill:#E8960F
          classDef skipped stroke:#FF0000,stroke-width:4px
          classDef deprecatedskipped fill:#E8960F,stroke:#FF0000,stroke-width:4px
          %% package "queue"
          subgraph "queue"
            %% channel "stable"
            subgraph queue-stable["stable"]
              queue-stable-queue.v1.1.0["queue.v1.1.0"]
              queue-stable-queue.v1.0.0["queue.v1.0.0"]-- replace --> queue-stable-queue.v1.1.0["queue.v1.1.0"]
              queue-stable-queue.v1.0.0["queue.v1.0.0"]
            end
          end
        --- standard error
        error[workspace/no-files]: there are no files
        help: give at least one YAML file

        1 error
        --- exit code 1
    "#]]);
}

/// The sentences of `--why` are those of the answer, each once and in its order.
#[test]
fn why_says_what_the_answer_has() {
    let folder = folder();
    folder.write("old.yaml", b"payloads: {queue: {package: {version: '<1.1.0'}}}\n");
    let files = "resolve app.yaml old.yaml --catalog new";
    let answer = folder.run(&format!("{files} --format json")).json();
    let of = |it: &serde_json::Value, key: &str| it[key].as_array().cloned().unwrap_or_default();
    let considered = of(&answer, "selection").into_iter().flat_map(|it| of(&it, "considered"));
    let facts = considered.flat_map(|it| of(&it, "ruled_out_by"));
    let facts: Vec<String> =
        facts.map(|it| it["constraint"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(facts, ["1.1.0 is not in <1.1.0"], "{answer}");
    let text = folder.run(&format!("{files} --why")).out;
    let said: Vec<&str> = text.lines().filter_map(|it| it.strip_prefix("      ")).collect();
    assert_eq!(said.len(), facts.len(), "{text}");
    assert!(said.iter().zip(&facts).all(|(line, fact)| line.starts_with(fact)), "{text}");
}

#[test]
fn bundles_are_searched_by_name_and_by_api() {
    let folder = folder();
    let found = folder.run("resolve app.yaml --catalog new --search QUEUE --format json").json();
    let versions: Vec<&str> =
        found["bundles"].as_array().into_iter().flatten().filter_map(|it| it["version"].as_str()).collect();
    assert_eq!(versions, ["1.1.0", "1.0.0"], "{found}");
    assert_eq!(folder.run("resolve app.yaml --catalog new --provides */*/Queue").out, "0 bundles\n");
    let api = "- {type: olm.gvk, value: {group: queue.example.com, version: v1, kind: Queue}}\n";
    folder.write("apis/queue/catalog.yaml", (catalog(&["1.0.0", "1.1.0"]) + api).as_bytes());
    for provides in ["queue.example.com/v1/Queue", "*/*/Queue", "queue.example.com/*/*"] {
        folder.check(
            &format!("resolve app.yaml --catalog apis --provides {provides}"),
            &expect![[r#"
                1 bundle
                  queue  1.1.0  apis · stable · provides queue.example.com/v1/Queue
                --- exit code 0
            "#]],
        );
    }
    for other in ["queue.example.com/v2/Queue", "*/*/queue", "*/v1/Topic"] {
        let none = folder.run(&format!("resolve app.yaml --catalog apis --provides {other}"));
        assert_eq!(none.out, "0 bundles\n", "{other}");
    }
    let both = folder.run("resolve app.yaml --catalog apis --search topic --provides */*/Queue");
    assert_eq!(both.out, "0 bundles\n");
    let wrong = folder.run("resolve app.yaml --catalog new --provides Queue --format json");
    assert_eq!(wrong.code, 1, "{}", wrong.err);
    assert!(wrong.err.contains("`Queue` is not an API with group, version and kind"), "{}", wrong.err);
}
