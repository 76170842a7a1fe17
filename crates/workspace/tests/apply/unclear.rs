//! Answers that say something else than they seem to.

use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, EngineError, Event, FormerAdapters, Watching},
};
use protocol::{Code, Problem, TransportError};
use serde_json::{Value as Json, json};
use state::{Intent, MemoryBackend};

use crate::{
    environment::{Environment, deployment},
    script::{Line, Script, after, instead, lost, operation, says},
    watching::{EVERY, watch},
};

const APP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
services: {db: {payload: p, labels: {tier: one}}}
";

fn shop(lines: Vec<Line>) -> Script {
    let script = Script::new(Environment::new());
    assert!(script.apply(APP).expect("a report").ok);
    script.with(lines)
}

/// Checks the outcome of creating, changing or destroying with these answers, and the calls.
#[track_caller]
fn check(verb: &str, lines: Vec<Line>, outcome: &str, calls: &[&str]) -> Script {
    let script = if verb == "create" { Script::new(Environment::new()).with(lines) } else { shop(lines) };
    let worker = script.worker(&APP.replace("one", "two"), verb == "destroy");
    let report = script.site.drive(&worker, verb_name(verb), ApplyOptions::default()).expect("a report");
    let is = report.steps[0].error.as_ref().map_or("done", |it| &*it.code);
    assert_eq!((is, &*script.writes()), (outcome, calls), "{verb}");
    script
}

fn verb_name(verb: &str) -> &'static str {
    if verb == "destroy" { "destroy" } else { "apply" }
}

fn problem(code: Code) -> Problem {
    Problem::new(code, "so it is")
}

/// A client that is refused now may have been authorized before.
#[test]
fn a_final_refusal_may_follow_a_successful_write() {
    let unauthorized = || instead("destroy", says(problem(Code::Unauthorized)));
    let broken = instead("destroy", lost(TransportError::Broken("it broke".into())));
    let script = check("destroy", vec![unauthorized()], "adapter/unauthorized", &["destroy"]);
    assert!(script.site.load().journal.is_empty());
    let calls = ["destroy", "read", "destroy"];
    let script = check("destroy", vec![broken, unauthorized()], "engine/unknown", &calls);
    assert_eq!(script.site.load().journal.len(), 1);
}

/// Only a resource that is destroyed may have been made from any spec.
#[test]
fn a_yes_to_something_else_is_looked_into() {
    let other = |call: &'static str| {
        after(call, move |call, mut body: Json| {
            if let Some(id) = call.resource().filter(|_| call.verb() == Some(protocol::Verb::Destroy)) {
                body = json!({"kind": id.kind, "id": id.id, "phase": "terminated"});
            }
            body["spec_hash"] = json!("other");
            Ok((200, body))
        })
    };
    check("create", vec![other("create")], "done", &["create", "read"]);
    check("update", vec![other("update")], "done", &["update", "read"]);
    check("destroy", vec![other("destroy")], "done", &["destroy"]);
}

#[test]
fn late_failures_mean_the_same_as_early_ones() {
    let late = |problem: Problem| {
        let begun = after("create", |call, _| Ok((202, operation(call, json!({})))));
        let ended = instead("operation", move |_, _| {
            let id = id();
            let end = json!({"op": "o", "verb": "create", "kind": "service", "id": id, "done": true});
            let mut end = end.as_object().expect("a map").clone();
            end.insert("problem".into(), serde_json::to_value(&problem).expect("JSON"));
            Ok((200, Json::Object(end)))
        });
        vec![begun, ended]
    };
    let looked = ["create", "operation", "read"];
    check("create", late(problem(Code::Internal)), "done", &looked);
    check("create", late(problem(Code::Forbidden)), "adapter/forbidden", &looked[..2]);
    let timeout = Problem { status: 408, ..problem(Code::Busy) };
    check("create", late(timeout), "done", &["create", "operation", "create"]);
}

/// The id of the database: the lineage is the first that is drawn.
fn id() -> String {
    let site = Environment::new();
    assert!(site.apply(APP).ok);
    site.load().resources["services.db"].id.clone()
}

/// A program that ended, say: its attributes could be taken, and it is there.
#[test]
fn started_but_failed_resources_are_recreated() {
    let ruin = |code| Problem { resource_usable: Some(false), ..problem(code) };
    let lines = vec![after("create", says(ruin(Code::InvalidSpec)))];
    let script = check("create", lines, "engine/unusable", &["create"]);
    let report = script.with(Vec::new());
    let report = report.apply(APP).expect("a report");
    assert_eq!(
        crate::environment::outcomes(&report),
        ["destroy services.db done", "create services.db done"]
    );
    let lines = vec![instead("update", says(ruin(Code::Forbidden)))];
    check("update", lines, "adapter/forbidden", &["update"]);
    let lines = vec![instead("create", says(problem(Code::InvalidSpec)))];
    check("create", lines, "adapter/invalid_spec", &["create"]);
}

/// Errors that would be the same each time.
#[test]
fn permanent_read_errors_are_not_retried() {
    for (line, code) in [
        (after("batch_read", |_, _| Ok((200, json!({"items": 5})))), "engine/adapter-contract"),
        (instead("batch_read", lost(TransportError::Unresolved("no".into()))), "engine/unreachable"),
        (instead("batch_read", lost(TransportError::TooLong)), "engine/adapter-contract"),
    ] {
        let script = shop(vec![line]);
        assert_eq!(script.apply(APP).expect_err("nobody can tell").code, code);
        assert_eq!(script.count("batch_read"), 1, "{code}");
    }
}

/// Two steps were begun: an adapter that could not report the one is not asked for the other.
#[test]
fn an_adapter_that_fails_a_read_is_not_read_again() {
    let begun = |address: &str, kind: &str| {
        let intent = state::testing::intent(address, address);
        let entry = state::Entry { kind: kind.into(), adapter: None, ..intent.entry };
        Intent { entry, ..intent }
    };
    let opened = |kind: &str| -> (Result<(), EngineError>, usize, usize) {
        let silent = || instead("read", lost(TransportError::Unresolved("no".into())));
        let mut script = shop(vec![silent()]);
        let mut state = script.site.load();
        state.journal = vec![begun("services.a", "service"), begun("services.b", kind)];
        script.site.backend = MemoryBackend::of(state).recording_commits();
        let routes = vec![
            script.route(Some("service"), "for-services", 1),
            script.route(Some("network"), "for-networks", 2),
        ];
        let engine = script.site.worker_of(APP, routes).engine;
        let running = engine.clone();
        let opened = script.site.run(&running, async move {
            let opened = engine.open("apply").await;
            if opened.is_ok() {
                engine.close().await?;
            }
            opened
        });
        (opened, script.count("read"), script.site.load().journal.len())
    };
    let (error, reads, left) = opened("service");
    let error = error.expect_err("it cannot tell");
    assert_eq!((&*error.code, error.about.len(), reads, left), ("engine/unsettled", 2, 1, 2));
    let (error, reads, left) = opened("network");
    assert_eq!((error.expect_err("it cannot tell").about.len(), reads, left), (1, 2, 1));
}

/// The read succeeds; the kinds of the adapter are read only before a destroy.
#[test]
fn errors_that_block_a_watch_are_reported_once() {
    let script = Script::new(Environment::new());
    let more = APP.replace("db:", "old: {payload: p}, db:");
    assert!(script.apply(&more).expect("a report").ok);
    let makes_nothing = after("describe", |_, mut body| {
        body["types"] = json!({"volume": null});
        Ok((200, body))
    });
    let script = script.with(vec![makes_nothing]);
    let worker = script.worker(APP, false);
    let how = Watching { changes: true, terms: ApplyOptions::default(), ..EVERY };
    watch(&script.site, &worker, how, 60, |_| {});
    let events = worker.events.borrow();
    let errors = events.iter().filter_map(|it| if let Event::Error(it) = it { Some(it) } else { None });
    let errors: Vec<(&str, &[String])> = errors.map(|it| (&*it.code, &*it.about)).collect();
    assert_eq!(errors, [("engine/no-adapter", &["services.old".to_owned()][..])]);
    assert_eq!(script.writes(), [""; 0]);
}

/// For a plan that was made without a read: no adapter is requested to destroy the resource, and none does.
#[test]
fn resources_of_a_lost_adapter_are_only_forgotten() {
    let says = |instance: &'static str| {
        after("describe", move |_, mut body| {
            body["instance"] = json!(instance);
            Ok((200, body))
        })
    };
    let script = Script::new(Environment::new()).with(vec![says("one")]);
    assert!(script.apply(APP).expect("a report").ok);
    let script = script.with(vec![says("two"), says("two")]);
    let planner = deployment(APP, &PlanOptions { destroy: true, ..PlanOptions::default() });
    let (backend, routes) = (script.site.backend.clone(), vec![script.route(None, "simulator", 1)]);
    let worker = script.site.worker_moving(planner, std::rc::Rc::new(backend), routes, FormerAdapters::Lost);
    let engine = worker.engine.clone();
    let report = script.site.run(&worker.engine, async move {
        engine.open("destroy").await.expect("open");
        let planned = engine.plan(false).await.expect("a plan");
        let terms = ApplyOptions { keep_going: true, ..ApplyOptions::default() };
        let report = engine.apply(&planned.digest, terms).await.expect("a report");
        engine.close().await.expect("closed");
        report
    });
    assert_eq!(crate::environment::outcomes(&report), ["destroy services.db done"]);
    assert_eq!(
        (script.writes(), script.site.recorded().len(), script.site.resources().len()),
        (vec![], 0, 1)
    );
}
