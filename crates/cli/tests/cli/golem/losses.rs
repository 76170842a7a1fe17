//! Records that were lost.

use std::{
    fs,
    process::{Output, Stdio},
    time::Duration,
};

use golem_network::{Behavior, Delays};
use serde_json::{Value as Json, json};

use super::bench::{APP, Bench, run};
use crate::run::remove_folder;

const ALONE: &str = r#"meta: {name: alone}
payloads: {p: {runtime: vm, params: {image_tag: "me/alone:1.0"}}}
services: {one: {payload: p}}
"#;

/// The deployment, applied; its lineage.
fn applied(bench: &Bench<'_>) -> String {
    fs::write(bench.path("app.yaml"), APP).unwrap();
    bench.succeed("apply", "app.yaml");
    lineage(bench)
}

fn lineage(bench: &Bench<'_>) -> String {
    let state: Json = serde_json::from_slice(&fs::read(bench.path("s.json")).unwrap()).unwrap();
    state["lineage"].as_str().unwrap().to_owned()
}

/// The deployment, applied, without any record of it; its lineage and its networks.
fn lost(bench: &Bench<'_>) -> (String, Vec<String>) {
    let lineage = applied(bench);
    let networks = bench.open().networks;
    bench.forget();
    (lineage, networks)
}

fn with(bench: &Bench<'_>, verb: &str, word: &str) -> Output {
    let mut words = bench.work(verb, "app.yaml");
    words.push(word);
    bench.planloom(&words)
}

#[track_caller]
fn says(said: &[u8], words: &[&str]) {
    let said = String::from_utf8_lossy(said);
    for word in words {
        assert!(said.contains(word), "{word}: {said}");
    }
}

#[test]
fn what_a_lost_folder_recorded_is_replaced() {
    run("folder", |bench| {
        applied(bench);
        let networks = bench.open().networks;
        remove_folder(&bench.path("s.json.golem"));
        let said = bench.succeed("apply", "app.yaml");
        says(said.as_bytes(), &["2 to rebuild", "`payload.runtime` differs from what was recorded"]);
        assert_eq!(bench.open().agreements.len(), 2);
        bench.succeed("destroy", "app.yaml");
        bench.nothing_else_is_open("a lost folder", &networks);
        bench.forget();
    });
}

#[test]
fn a_service_that_is_in_no_network_is_replaced_as_well() {
    run("alone", |bench| {
        fs::write(bench.path("app.yaml"), ALONE).unwrap();
        bench.succeed("apply", "app.yaml");
        let before = bench.open().agreements;
        remove_folder(&bench.path("s.json.golem"));
        let said = bench.succeed("apply", "app.yaml");
        says(said.as_bytes(), &["1 to rebuild"]);
        let after = bench.open().agreements;
        assert!(after.len() == 1 && after != before, "{before:?} {after:?}");
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open("alone");
        bench.forget();
    });
}

#[test]
fn services_of_a_lost_state_stay_as_they_are() {
    run("state", |bench| {
        applied(bench);
        let before = bench.open();
        forget_state(bench);
        let adopted = with(bench, "apply", "--adopt");
        says(&adopted.stderr, &["Adopted networks.lan, services.db, services.web."]);
        says(&adopted.stdout, &["it matches the descriptors"]);
        assert_eq!(bench.open(), before);
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open("a lost state");
        bench.forget();
    });
}

/// Kills an apply while the service of `ALONE` is started, when its agreement is open. The start takes longer than it takes
/// to see that, also on a busy machine.
fn interrupt(bench: &Bench<'_>) {
    fs::write(bench.path("app.yaml"), ALONE).unwrap();
    let delays = Delays { results: Duration::from_secs(10), ..Delays::default() };
    bench.set_all(&Behavior { delays, ..Behavior::default() });
    let mut command = bench.command(&bench.work("apply", "app.yaml"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while bench.open().activities.is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    bench.set_all(&Behavior::default());
}

fn forget_state(bench: &Bench<'_>) {
    for name in ["s.json", "s.json.journal", "s.json.lock", "s.json.history"] {
        let path = bench.path(name);
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        // Not all of it is always there.
        removed.unwrap_or_default();
    }
}

#[test]
fn what_was_begun_is_ended() {
    run("begun", |bench| {
        interrupt(bench);
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open("begun");
        bench.forget();
        interrupt(bench);
        remove_folder(&bench.path("s.json.golem"));
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open("begun, without its folder");
        bench.forget();
    });
}

#[test]
fn what_was_begun_is_found_without_its_state() {
    run("begun-state", |bench| {
        interrupt(bench);
        forget_state(bench);
        let done = with(bench, "destroy", "--adopt");
        says(&done.stderr, &["Adopted services.one."]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        bench.nothing_is_open("begun, without its state");
        bench.forget();
    });
}

#[test]
fn what_was_begun_is_continued_without_its_folder() {
    run("begun-folder", |bench| {
        interrupt(bench);
        remove_folder(&bench.path("s.json.golem"));
        bench.succeed("apply", "app.yaml");
        assert_eq!(bench.open().agreements.len(), 1);
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open("begun, without its folder");
        bench.forget();
    });
}

#[test]
fn another_name_does_not_hide_what_is_adopted_by_its_lineage() {
    run("renamed", |bench| {
        let lineage = applied(bench);
        forget_state(bench);
        fs::write(bench.path("app.yaml"), APP.replace("shop", "renamed")).unwrap();
        let before = bench.open();
        let wrong = with(bench, "apply", "--adopt=none-of-these");
        says(&wrong.stderr, &["engine/no-lineage", "host/other-agreements", &lineage]);
        assert!(!wrong.status.success());
        assert_eq!(bench.open(), before);
        let named = with(bench, "destroy", &format!("--adopt={lineage}"));
        assert!(named.status.success(), "{}", String::from_utf8_lossy(&named.stderr));
        bench.nothing_is_open("another name");
        bench.forget();
    });
}

#[test]
fn what_is_recorded_nowhere_is_found_and_ended() {
    run("nowhere", |bench| {
        let (lineage, networks) = lost(bench);
        let lost = bench.planloom(&bench.work("destroy", "app.yaml"));
        assert!(!lost.status.success());
        says(
            &lost.stderr,
            &["host/other-agreements", &lineage, "2 agreements", "--adopt=LINEAGE", "host/no-state"],
        );
        let unnamed = with(bench, "destroy", "--adopt");
        assert!(!unnamed.status.success());
        says(&unnamed.stderr, &["host/several-lineages", &lineage]);
        assert_eq!(bench.open().agreements.len(), 2);
        let named = with(bench, "destroy", &format!("--adopt={}", &lineage[..8]));
        says(&named.stderr, &["Adopted services.db, services.web."]);
        assert!(named.status.success(), "{}", String::from_utf8_lossy(&named.stderr));
        bench.nothing_else_is_open("everything was lost", &networks);
        bench.forget();
    });
}

#[test]
fn who_applies_once_more_is_told_what_is_still_rented() {
    run("again", |bench| {
        let (lineage, networks) = lost(bench);
        let known = ["host/other-agreements", &*lineage, "2 agreements", "--adopt=LINEAGE"];
        let planned = bench.planloom(&["plan", "app.yaml", "--state", "s.json", "--adapter", "golem"]);
        says(&planned.stdout, &["3 to create"]);
        says(&planned.stderr, &known);
        let mut words = bench.work("apply", "app.yaml");
        words.retain(|it| *it != "--auto-approve");
        let asked = bench.planloom(&words);
        says(&asked.stderr, &[&known[..], &["host/not-approved"]].concat());
        let said = String::from_utf8_lossy(&asked.stderr).into_owned();
        assert!(said.find("other-agreements") < said.find("not-approved"), "{said}");
        assert_eq!(bench.open().agreements.len(), 2);
        let again = bench.planloom(&bench.work("apply", "app.yaml"));
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
        says(&again.stderr, &known);
        assert_eq!(bench.open().agreements.len(), 4);
        bench.succeed("destroy", "app.yaml");
        forget_state(bench);
        let named = with(bench, "destroy", &format!("--adopt={lineage}"));
        assert!(named.status.success(), "{}", String::from_utf8_lossy(&named.stderr));
        bench.nothing_else_is_open("applied once more", &networks);
        bench.forget();
    });
}

/// `ALONE`, applied; its agreement has ended since then, and its folder is lost. Its lineage.
fn ended(bench: &Bench<'_>) -> String {
    fs::write(bench.path("app.yaml"), ALONE).unwrap();
    bench.succeed("apply", "app.yaml");
    let api = &bench.network.requestor().api;
    for id in bench.open().agreements {
        let path = format!("/market-api/v1/agreements/{id}/terminate");
        host::run(api.post(&path, json!({"message": "test"}))).unwrap().unwrap();
    }
    remove_folder(&bench.path("s.json.golem"));
    let open = bench.open();
    assert!(open.agreements.is_empty() && open.allocations.len() == 1, "{open:?}");
    lineage(bench)
}

#[test]
fn an_allocation_is_found_after_its_agreement_has_ended() {
    run("allocation", |bench| {
        let lineage = ended(bench);
        forget_state(bench);
        let lost = bench.planloom(&bench.work("destroy", "app.yaml"));
        assert!(!lost.status.success());
        says(
            &lost.stderr,
            &["host/other-agreements", &lineage, "an allocation; its last agreement was with"],
        );
        let named = with(bench, "destroy", &format!("--adopt={lineage}"));
        says(&named.stderr, &["Adopted services.one."]);
        assert!(named.status.success(), "{}", String::from_utf8_lossy(&named.stderr));
        bench.nothing_is_open("an allocation");
        bench.forget();
    });
}

#[test]
fn an_allocation_of_a_lost_folder_is_released_or_replaced() {
    run("allocation-folder", |bench| {
        ended(bench);
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open("an allocation");
        bench.forget();
        ended(bench);
        let said = bench.succeed("apply", "app.yaml");
        says(said.as_bytes(), &["1 to rebuild", "`payload.runtime` differs from what was recorded"]);
        let open = bench.open();
        assert_eq!((open.agreements.len(), open.allocations.len()), (1, 1));
        bench.succeed("destroy", "app.yaml");
        bench.nothing_is_open("an allocation");
        bench.forget();
    });
}

#[test]
fn what_is_adopted_is_rented_again() {
    run("adopted", |bench| {
        let (lineage, networks) = lost(bench);
        let named = with(bench, "apply", &format!("--adopt={lineage}"));
        assert!(named.status.success(), "{}", String::from_utf8_lossy(&named.stderr));
        assert_eq!(bench.open().agreements.len(), 2);
        assert_eq!(bench.recorded()["services.web"]["outputs"]["state"], "running");
        bench.succeed("destroy", "app.yaml");
        bench.nothing_else_is_open("adopted", &networks);
        bench.forget();
    });
}
