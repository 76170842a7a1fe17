//! Answers of adapters when one value is reverted, and their outcomes.

use std::rc::Rc;

use adapter::{Drift, SimulatorConfig};
use planloom_workspace::{
    File, PlanOptions, Workspace,
    engine::{ApplyOptions, EngineError, Stop},
};
use protocol::{Code, Problem, TransportError};
use runtime::Timer as _;
use serde_json::{Value as Json, json};
use state::{Adapter, Change, Entry, MemoryBackend};

use crate::{
    environment::{Environment, Worker, deployment, outcomes, plan_and_apply},
    script::{Line, Script, after, instead, lost, says},
};

const APP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm, params: {code: hunter2}}}
services: {db: {payload: p, labels: {tier: one, zone: east}}}
";

/// A database whose tier is not as it was recorded, and answers of its adapter.
fn drifted(lines: Vec<Line>) -> Script {
    let script = Script::new(Environment::new());
    assert!(script.apply(APP).expect("a report").ok);
    change(&script, "/labels/tier", "other");
    script.site.simulator.clear_journal();
    script.with(lines)
}

fn change(script: &Script, pointer: &str, value: &str) {
    assert_eq!(script.site.simulator.drift(&changed(pointer, value)), 1);
}

fn changed(pointer: &str, value: &str) -> Drift {
    Drift::Change { address: "services.db".into(), pointer: pointer.into(), value: value.into() }
}

/// The same after something was changed in its record.
fn recorded(change: impl Fn(&mut Entry), lines: Vec<Line>) -> Script {
    let mut script = drifted(lines);
    let mut state = script.site.load();
    change(state.resources.get_mut("services.db").expect("db"));
    script.site.backend = MemoryBackend::of(state).recording_commits();
    script
}

fn revert_field_by(script: &Script, worker: &Worker, pointer: &'static str) -> Result<(), EngineError> {
    let engine = worker.engine.clone();
    script.site.run(&worker.engine, async move {
        engine.open_skipping_unreachable("put back").await?;
        let done = engine.revert_field("services.db", pointer).await;
        engine.close().await?;
        done
    })
}

fn revert_field(script: &Script, pointer: &'static str) -> Result<(), EngineError> {
    revert_field_by(script, &script.worker(APP, false), pointer)
}

/// Checks the outcome of reverting the tier and the calls, and that the record changes in nothing but its phase and outputs.
#[track_caller]
fn check(script: Script, outcome: &str, calls: &[&str]) -> Script {
    let before = script.site.load().resources;
    let done = revert_field(&script, "/labels/tier");
    let is = done.as_ref().map_or_else(|it| &*it.code, |()| "done");
    assert_eq!((is, &*script.writes()), (outcome, calls), "{done:?}");
    let after = script.site.load();
    assert_eq!(after.journal.len(), usize::from(outcome == "engine/unknown"));
    let db = |it: &Entry| Entry { phase: String::new(), outputs: [].into_iter().collect(), ..it.clone() };
    assert_eq!(db(&after.resources["services.db"]), db(&before["services.db"]));
    script
}

fn modified(call: &'static str, change: impl Fn(&mut Json) + 'static) -> Line {
    after(call, move |_, mut body| {
        change(&mut body);
        Ok((200, body))
    })
}

const SENT: &[&str] = &["read", "update"];

/// Fields that are not reported count as they were sent.
#[test]
fn the_answer_to_a_revert_must_match_the_record() {
    let no = "engine/not-put-back";
    let labels = |labels: Json| vec![modified("update", move |it| it["spec"]["labels"] = labels.clone())];
    check(drifted(Vec::new()), "done", SENT);
    check(drifted(labels(json!({"tier": "other", "zone": "east"}))), no, SENT);
    check(drifted(labels(json!({"zone": "east"}))), no, SENT);
    check(drifted(labels(json!({"tier": "one", "zone": "north"}))), "done", SENT);
    check(drifted(vec![modified("update", |it| it["spec"] = json!({}))]), "done", SENT);
}

/// A field of its payload that the adapter leaves out is as it was sent.
#[test]
fn unobserved_fields_are_sent_as_recorded() {
    let script = drifted(vec![modified("read", |it| {
        it["spec"]["payload"].as_object_mut().expect("a map").remove("runtime");
    })]);
    let script = check(script, "done", SENT);
    let things = script.site.simulator.resources();
    assert_eq!(things[0].request["payload"]["runtime"], "vm");
    assert_eq!(things[0].request["labels"], json!({"tier": "one", "zone": "east"}));
}

#[test]
fn unrecorded_fields_are_removed_by_a_revert() {
    let mine = |lines| {
        let script = drifted(lines);
        change(&script, "/labels/mine", "of somebody");
        let done = revert_field(&script, "/labels/mine").map_err(|it| it.code.into_owned());
        let labels = script.site.simulator.resources()[0].actual["labels"].clone();
        assert_eq!(labels, json!({"tier": "other", "zone": "east"}));
        done
    };
    assert_eq!(mine(Vec::new()), Ok(()));
    let still = modified("update", |it| it["spec"]["labels"]["mine"] = json!("of somebody"));
    assert_eq!(mine(vec![still]), Err("engine/not-put-back".into()));
}

#[test]
fn it_is_waited_for_until_it_is_ready() {
    let phase = |call, phase: &'static str| modified(call, move |it| it["phase"] = json!(phase));
    let pending = || phase("update", "pending");
    let looked = || modified("read", |_| {});
    let waited: &[&str] = &["read", "update", "read", "read"];
    let lines = vec![pending(), looked(), phase("read", "pending")];
    let script = check(drifted(lines), "done", waited);
    assert_eq!(script.site.recorded(), ["services.db active"]);
    let lines = vec![pending(), looked(), phase("read", "pending"), phase("read", "terminated")];
    let script = check(drifted(lines), "engine/ended", waited);
    assert_eq!(script.site.recorded(), ["services.db terminated"]);
}

#[test]
fn fields_of_missing_resources_are_not_reverted() {
    check(drifted(vec![modified("read", |it| it["phase"] = json!("terminated"))]), "engine/gone", &["read"]);
    let missing = Problem::new(Code::NotFound, "no");
    check(drifted(vec![instead("read", says(missing))]), "engine/gone", &["read"]);
    check(
        recorded(|it| (it.phase, it.identity) = ("terminated".into(), Json::Null), Vec::new()),
        "engine/gone",
        &[],
    );
    check(recorded(|it| (it.id, it.identity) = (String::new(), Json::Null), Vec::new()), "engine/gone", &[]);
}

#[test]
fn a_refusal_says_what_to_do() {
    let no = |problem: Problem| {
        let script = drifted(vec![instead("update", says(problem))]);
        let error = revert_field(&script, "/labels/tier").expect_err("it is refused");
        let blamed = error.blames.iter().map(|it| it.place.as_ref().map(|at| (at.line, at.column)));
        (error.code.into_owned(), error.help.into_owned(), blamed.collect::<Vec<_>>())
    };
    let rebuild = "it cannot be reverted in place: apply, and allow it to be rebuilt";
    assert_eq!(
        no(Problem::new(Code::RebuildRequired, "no")),
        ("adapter/rebuild_required".into(), rebuild.into(), Vec::new())
    );
    let invalid = Problem::new(Code::InvalidSpec, "no").at("/labels/tier", "too short");
    let place = Some((4, APP.lines().nth(3).and_then(|it| it.find("one")).map_or(0, |at| at as u32 + 1)));
    assert_eq!(no(invalid), ("adapter/invalid_spec".into(), String::new(), vec![place]));
}

#[test]
fn a_refusal_that_ruins_is_recorded_as_tainted() {
    let ruin = Problem { resource_usable: Some(false), ..Problem::new(Code::Internal, "it broke") };
    let script = drifted(vec![instead("update", says(ruin))]);
    let before = script.site.load().resources["services.db"].clone();
    assert_eq!(revert_field(&script, "/labels/tier").expect_err("it failed").code, "adapter/internal");
    let state = script.site.load();
    let ruined = Entry { tainted: true, identity: json!({"id": before.id}), ..before };
    assert_eq!((&state.resources["services.db"], state.journal.len()), (&ruined, 0));
    assert_eq!(revert_field(&script, "/labels/tier").expect_err("it is a ruin").code, "engine/unusable");
}

#[test]
fn unknown_outcomes_stay_in_the_journal() {
    let broken = |call| instead(call, lost(TransportError::Unresolved("no".into())));
    let first = modified("read", |_| {});
    let lost = instead("update", lost(TransportError::Broken("it broke".into())));
    check(drifted(vec![first, lost, broken("read")]), "engine/unknown", &["read", "update", "read"]);
}

/// One that says which it is has to be asked before it is known to be the one that made it.
#[test]
fn only_the_adapter_that_created_a_resource_can_revert_it() {
    let made_by = |instance: &'static str, says: &'static str| {
        let by = move |it: &mut Entry| {
            it.adapter = Some(Adapter { instance: instance.into(), ..Adapter::default() });
        };
        let script = recorded(by, vec![modified("describe", move |it| it["instance"] = json!(says))]);
        let done = revert_field(&script, "/labels/tier").map_err(|it| {
            let names_it = it.message.starts_with("services.db was created by adapter ");
            (it.code.into_owned(), it.about, names_it)
        });
        (done, script.writes())
    };
    assert_eq!(made_by("one", "one"), (Ok(()), SENT.to_vec()));
    assert_eq!(made_by("", "one"), (Ok(()), SENT.to_vec()));
    let other = Err(("engine/other-adapter".to_owned(), vec!["services.db".to_owned()], true));
    assert_eq!(made_by("two", "one"), (other, vec![]));
}

const SECRET: &str = "kinds: {payload: {fields: {params: {fields: {code: {type: text, sensitive: true}}}}}}";

/// The whole hash of a request would confirm a guess, whether the schema or the record marks the secret.
#[test]
fn of_what_holds_a_secret_only_the_first_bits_are_journalled() {
    let begun = |types: &str, mark: bool| {
        let mut script = drifted(Vec::new());
        if mark {
            let mut state = script.site.load();
            let mark = state.marks().text("hunter2");
            let db = state.resources.get_mut("services.db").expect("db");
            db.spec["payload"]["params"]["code"] = json!({"$sensitive": mark});
            script.site.backend = MemoryBackend::of(state).recording_commits();
        }
        let mut workspace = Workspace::new();
        workspace.set_types(vec![File { name: "types.yaml".into(), text: types.into(), package: None }]);
        workspace.set_files(vec![File { name: "app.yaml".into(), text: APP.into(), package: None }]);
        let planner = workspace.deployment(&PlanOptions::default());
        let backend = Rc::new(script.site.backend.clone());
        let worker = script.site.worker_with(planner, backend, vec![script.route(None, "simulator", 1)]);
        revert_field_by(&script, &worker, "/labels/tier").expect("put back");
        let hash = script.site.backend.commits().iter().rev().find_map(|it| match &it.changes[..] {
            [Change::Begin(intent)] => Some(intent.spec_hash.len()),
            _ => None,
        });
        hash.map(|it| it - "sha256:".len())
    };
    let none = "kinds: {}";
    assert_eq!(
        (begun(none, false), begun(none, true), begun(SECRET, false), begun(SECRET, true)),
        (Some(64), Some(4), Some(4), Some(4))
    );
}

/// While a plan is being carried out nothing else is; one that was given up holds nothing up.
#[test]
fn a_plan_and_putting_back_do_not_go_on_at_once() {
    let script = drifted(Vec::new());
    let latency_ms = serde_json::from_str("{\"update\": 5000}").expect("knobs");
    script.site.simulator.set(SimulatorConfig { latency_ms, ..SimulatorConfig::default() });
    let worker = script.worker(&APP.replace("east", "west"), false);
    let (engine, other) = (worker.engine.clone(), worker.engine.clone());
    let (timer, simulator) = (script.site.world.timer(), script.site.simulator.clone());
    let (report, busy, given_up) = script.site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        let (report, busy) = tokio::join!(plan_and_apply(&engine, ApplyOptions::default()), async {
            timer.sleep_until(store::Millis(timer.now().0 + 2_000)).await;
            other.revert_field("services.db", "/labels/tier").await.expect_err("busy").code
        });
        simulator.drift(&changed("/labels/tier", "other"));
        let (given_up, ()) = tokio::join!(engine.revert_field("services.db", "/labels/tier"), async {
            timer.sleep_until(store::Millis(timer.now().0 + 2_000)).await;
            other.cancel(Stop::AtOnce);
        });
        engine.close().await.expect("closed");
        (report.expect("a report"), busy, given_up.expect_err("given up").code)
    });
    assert_eq!(outcomes(&report), ["update services.db done"]);
    assert_eq!((&*busy, &*given_up), ("engine/busy", "engine/given-up"));
}

/// Later plans know the current state, without another read.
#[test]
fn a_plan_after_it_knows_how_it_is() {
    let script = drifted(Vec::new());
    let worker = script.worker(APP, false);
    let engine = worker.engine.clone();
    let other = deployment(&APP.replace("east", "west"), &PlanOptions::default());
    let report = script.site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        engine.plan(true).await.expect("a plan");
        engine.revert_field("services.db", "/labels/tier").await.expect("put back");
        engine.describe(other);
        let planned = engine.plan(false).await.expect("a plan");
        let report = engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report");
        engine.close().await.expect("closed");
        report
    });
    assert_eq!((outcomes(&report), script.count("update")), (vec!["update services.db done".into()], 2));
    let labels = script.site.simulator.resources()[0].actual["labels"].clone();
    assert_eq!(labels, json!({"tier": "one", "zone": "west"}));
}
