//! One value is put back, and nothing else.

use std::{cell::Cell, collections::BTreeMap, rc::Rc};

use adapter::{CallMatcher, Drift, Fault, FaultOrder, Order, OrderEffect, SimulatorConfig};
use planloom_workspace::{
    File, PlanOptions, Workspace,
    engine::{ApplyOptions, EngineError},
};
use protocol::{Code, Problem};
use runtime::Timer as _;
use serde_json::{Value as Json, json};
use state::Change;
use tokio::sync::Notify;

use crate::{
    crash::Dying,
    environment::{Environment, Worker, actions},
};

const SHOP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm, params: {image_hash: p1, list: [a, b], deep: {one: 1, two: 2}}}}
services:
  db: {payload: p, labels: {tier: one, zone: east}}
  web: {payload: p, labels: {tier: two}}
";

/// A shop in which two values of one resource and one of another differ from the record.
fn drifted_shop() -> Environment {
    let site = Environment::new();
    assert!(site.apply(SHOP).ok);
    change(&site, "services.db", "/labels/tier", json!("other"));
    change(&site, "services.db", "/labels/zone", json!("west"));
    change(&site, "services.web", "/labels/tier", json!("other"));
    site.simulator.clear_journal();
    site
}

fn change(site: &Environment, address: &str, pointer: &str, value: Json) {
    let (address, pointer) = (address.to_owned(), pointer.to_owned());
    assert_eq!(site.simulator.drift(&Drift::Change { address, pointer, value }), 1);
}

fn revert_field(site: &Environment, address: &'static str, pointer: &'static str) -> Result<(), EngineError> {
    revert_field_by(site, &site.worker(SHOP, &PlanOptions::default()), address, pointer)
}

fn revert_field_by(
    site: &Environment,
    worker: &Worker,
    address: &'static str,
    pointer: &'static str,
) -> Result<(), EngineError> {
    let engine = worker.engine.clone();
    site.run(&worker.engine, async move {
        engine.open("put back").await?;
        let done = engine.revert_field(address, pointer).await;
        engine.close().await?;
        done
    })
}

/// The values that are not as they were recorded: `services.db/labels/tier`.
fn drifted(site: &Environment) -> Vec<String> {
    let planned = site.plan(SHOP);
    let changes = planned
        .plan
        .actions
        .iter()
        .flat_map(|it| it.changes.iter().map(|change| (&it.address, &change.path)));
    changes.map(|(address, path)| format!("{address}{path}")).collect()
}

/// The recorded attributes, the template with their references, and the generation, by address.
fn recorded_resources(site: &Environment) -> BTreeMap<String, (Json, Json, u64)> {
    let resources = site.load().resources.into_iter();
    resources.map(|(at, it)| (at, (Json::Object(it.spec), it.template, it.generation))).collect()
}

fn actual(site: &Environment, address: &str, pointer: &str) -> Option<Json> {
    let things = site.simulator.resources();
    let thing = things.into_iter().find(|it| it.address == address).expect("a thing");
    Json::Object(thing.actual).pointer(pointer).cloned()
}

#[test]
fn reverting_a_field_changes_nothing_else() {
    let site = drifted_shop();
    let (recorded, commits) = (recorded_resources(&site), site.backend.commits().len());
    revert_field(&site, "services.db", "/labels/tier").expect("done");
    assert_eq!(site.calls(), ["update services.db"]);
    assert_eq!(actual(&site, "services.db", "/labels"), Some(json!({"tier": "one", "zone": "west"})));
    assert_eq!(actual(&site, "services.web", "/labels"), Some(json!({"tier": "other"})));
    assert_eq!(recorded_resources(&site), recorded, "what it should be stays recorded");
    assert_eq!(drifted(&site), ["services.db/labels/zone", "services.web/labels/tier"]);
    let commits = site.backend.commits().split_off(commits);
    let [begun, done] = &commits[..] else { panic!("{commits:#?}") };
    assert!(matches!(&begun.changes[..], [Change::Begin(_)]), "journalled before it is sent");
    assert!(matches!(&done.changes[..], [Change::Put(..), Change::Settle(_)]), "{done:?}");
    assert!(site.apply(SHOP).ok);
    assert_eq!(drifted(&site), [""; 0]);
    assert_eq!(site.simulator.call_counts().made, 0, "nothing was made anew");
}

/// Fields that only the adapter knows are not sent; other entries beside them in a map or list are sent as they are.
#[test]
fn reverting_a_field_sends_the_observed_spec() {
    let site = Environment::new();
    assert!(site.apply(SHOP).ok);
    site.simulator.set(SimulatorConfig { create_only: BTreeMap::new(), ..SimulatorConfig::default() });
    let params = "/payload/params";
    for (pointer, value) in [
        ("/own", json!("of the adapter")),
        ("/labels/mine", json!("of somebody")),
        ("/payload/params/list", json!(["a", "x"])),
        ("/payload/params/deep", json!(null)),
        ("/payload/params/image_hash", json!("p2")),
    ] {
        change(&site, "services.db", pointer, value);
    }
    for (pointer, now) in [
        ("/payload/params/list/1", json!({"image_hash": "p2", "list": ["a", "b"]})),
        ("/payload/params/deep/two", json!({"image_hash": "p2", "list": ["a", "b"], "deep": {"two": 2}})),
        (
            "/payload/params/deep/one",
            json!({"image_hash": "p2", "list": ["a", "b"], "deep": {"one": 1, "two": 2}}),
        ),
    ] {
        revert_field(&site, "services.db", pointer).expect(pointer);
        assert_eq!(actual(&site, "services.db", params), Some(now), "{pointer}");
    }
    assert_eq!(actual(&site, "services.db", "/labels/mine"), Some(json!("of somebody")));
    assert_eq!(actual(&site, "services.db", "/own"), None, "it was not asked for");
    assert_eq!(drifted(&site), ["services.db/payload/params/image_hash"]);
}

#[test]
fn a_list_whose_items_would_move_is_not_touched() {
    let site = Environment::new();
    assert!(site.apply(SHOP).ok);
    change(&site, "services.db", "/payload/params/list", json!([]));
    site.simulator.clear_journal();
    let error =
        revert_field(&site, "services.db", "/payload/params/list/1").expect_err("it would be the first");
    assert_eq!((&*error.code, site.calls()), ("engine/not-alone", Vec::new()));
    revert_field(&site, "services.db", "/payload/params/list").expect("the whole");
    assert_eq!(drifted(&site), [""; 0]);
}

#[test]
fn reverting_an_unchanged_field_sends_nothing() {
    let site = drifted_shop();
    change(&site, "services.db", "/labels/tier", json!("one"));
    let before = site.load();
    revert_field(&site, "services.db", "/labels/tier").expect("nothing to do");
    assert_eq!((site.calls(), site.load()), (Vec::new(), before));
    let error = revert_field(&site, "services.db", "/labels/none").expect_err("none exists");
    assert_eq!(error.code, "engine/no-such-value");
}

/// For every refusal of the adapter: nothing is changed, nothing is created again, and the state is as it was.
#[test]
fn a_refused_revert_changes_nothing() {
    let fail = |code| OrderEffect::Fail(Problem::new(code, "no"));
    for (what, code) in [
        (OrderEffect::RebuildRequired, "adapter/rebuild_required"),
        (fail(Code::Forbidden), "adapter/forbidden"),
        (fail(Code::InvalidSpec), "adapter/invalid_spec"),
    ] {
        let site = drifted_shop();
        let (before, drift) = (site.load().resources, drifted(&site));
        site.simulator.order(Order::new(CallMatcher::call("update").times(1), what));
        let error = revert_field(&site, "services.db", "/labels/tier").expect_err("refused");
        assert_eq!((&*error.code, site.calls()), (code, vec!["update services.db".to_owned()]));
        assert_eq!(site.load().resources, before, "{code}");
        assert!(site.load().journal.is_empty(), "{code}");
        assert_eq!(drifted(&site), drift, "{code}");
        revert_field(&site, "services.db", "/labels/tier").expect("another time");
    }
}

/// Reverts the tier of the database, to which a change happens between the read and the update.
fn put_back_while(site: &Environment, drift: Drift) -> Result<(), EngineError> {
    // Half of it passes before it is looked, half before the answer comes.
    let latency_ms = serde_json::from_str("{\"read\": 1000}").expect("knobs");
    site.simulator.set(SimulatorConfig { latency_ms, ..SimulatorConfig::default() });
    let worker = site.worker(SHOP, &PlanOptions::default());
    let engine = worker.engine.clone();
    let (world, simulator) = (site.world.clone(), site.simulator.clone());
    site.world.spawn(async move {
        world.timer().sleep_until(store::Millis(world.now() + 750)).await;
        assert_eq!(simulator.drift(&drift), 1);
    });
    site.run(&worker.engine, async move {
        engine.open("put back").await.expect("open");
        let done = engine.revert_field("services.db", "/labels/tier").await;
        engine.close().await.expect("closed");
        done
    })
}

/// A change of readiness does not change the identity of a resource.
#[test]
fn fields_of_unready_resources_are_reverted() {
    let site = drifted_shop();
    let drift = Drift::Degrade { address: "services.db".into(), message: "restarting".into() };
    put_back_while(&site, drift).expect("done");
    assert_eq!(site.calls(), ["update services.db"]);
    assert_eq!(actual(&site, "services.db", "/labels"), Some(json!({"tier": "one", "zone": "west"})));
    assert!(site.load().journal.is_empty());
}

#[test]
fn concurrent_changes_abort_a_revert() {
    let site = drifted_shop();
    let (address, pointer) = ("services.db".to_owned(), "/labels/zone".to_owned());
    let drift = Drift::Change { address, pointer, value: json!("north") };
    let error = put_back_while(&site, drift).expect_err("it is not as it was read");
    assert_eq!(error.code, "adapter/stale", "{error}");
    assert_eq!(actual(&site, "services.db", "/labels"), Some(json!({"tier": "other", "zone": "north"})));
    assert_eq!(site.calls(), [""; 0], "the adapter itself was not even asked");
}

#[test]
fn fields_of_missing_or_failed_resources_are_not_reverted() {
    let site = drifted_shop();
    site.simulator.drift(&Drift::Remove { address: "services.db".into() });
    let error = revert_field(&site, "services.db", "/labels/tier").expect_err("it is gone");
    assert_eq!(error.code, "engine/gone");
    let error = revert_field(&site, "services.none", "/labels/tier").expect_err("it never was");
    assert_eq!(error.code, "engine/not-recorded");
    let mut snapshot = site.load();
    snapshot.resources.get_mut("services.web").expect("web").tainted = true;
    let site = Environment { backend: state::MemoryBackend::of(snapshot), ..site };
    let error = revert_field(&site, "services.web", "/labels/tier").expect_err("it is a ruin");
    assert_eq!((&*error.code, site.calls()), ("engine/unusable", Vec::new()));
}

/// An answer that is lost: a finished update is found by the hash of the request.
#[test]
fn a_lost_answer_is_found_out() {
    for done in [true, false] {
        let site = drifted_shop();
        let which = CallMatcher::call("update").times(1);
        site.faults.order(FaultOrder { matcher: which, done, fault: Fault::Reset { after: 0 } });
        revert_field(&site, "services.db", "/labels/tier").expect("done in the end");
        assert_eq!(actual(&site, "services.db", "/labels/tier"), Some(json!("one")));
        assert_eq!(site.calls(), ["update services.db"]);
        assert!(site.load().journal.is_empty());
    }
}

/// If the only value that differs is reverted, the request is the same as before, and its hash does not show whether it
/// was done. It is sent again, and done once.
#[test]
fn an_unfinished_revert_is_sent_again() {
    for done in [false, true] {
        let site = drifted_shop();
        let which = CallMatcher::call("update").times(1);
        site.faults.order(FaultOrder { matcher: which, done, fault: Fault::Reset { after: 0 } });
        revert_field(&site, "services.web", "/labels/tier").expect("done in the end");
        assert_eq!(actual(&site, "services.web", "/labels/tier"), Some(json!("two")));
        assert_eq!(site.calls(), ["update services.web"]);
        assert!(site.load().journal.is_empty());
    }
}

/// The engine dies after each write of the state. The next one finds the outcome; the record stays.
#[test]
fn death_after_each_write_loses_nothing() {
    for ready_ms in [0, 900] {
        let mut writes = 0;
        loop {
            writes += 1;
            let site = drifted_shop();
            site.simulator.set(SimulatorConfig { ready_ms, ..SimulatorConfig::default() });
            let recorded = recorded_resources(&site);
            let died = die_after(&site, writes);
            // The dead engine's lease runs out.
            site.world.advance(120_000);
            let worker = site.worker(SHOP, &PlanOptions::default());
            let engine = worker.engine.clone();
            site.run(&worker.engine, async move {
                engine.open("find out").await.expect("open");
                engine.close().await.expect("closed");
            });
            assert_eq!(recorded_resources(&site), recorded, "after {writes} writes");
            assert!(site.load().journal.is_empty(), "after {writes} writes");
            assert!(drifted(&site).len() <= 3, "after {writes} writes");
            revert_field(&site, "services.db", "/labels/tier").expect("put back");
            assert_eq!(drifted(&site), ["services.db/labels/zone", "services.web/labels/tier"]);
            assert_eq!(site.calls(), ["update services.db"], "after {writes} writes: once in all");
            assert_eq!(site.simulator.resources().iter().map(|it| it.number).max(), Some(2));
            if !died {
                break;
            }
        }
        assert_eq!(writes, if ready_ms == 0 { 3 } else { 4 });
    }
}

/// Lets an engine put a value back until the state was written so many times, and kills it then.
fn die_after(site: &Environment, writes: usize) -> bool {
    let died = Rc::new(Notify::new());
    let dying = Dying { inner: site.backend.clone(), left: Cell::new(writes), died: died.clone() };
    let worker = site.worker_on(SHOP, &PlanOptions::default(), Rc::new(dying), site.transport());
    let (engine, running) = (worker.engine.clone(), worker.engine);
    site.world.run(async move {
        let work = async move {
            engine.open("put back").await.expect("open");
            engine.revert_field("services.db", "/labels/tier").await.expect("put back");
            engine.close().await.expect("closed");
        };
        tokio::select! {
            () = died.notified() => true,
            () = work => false,
            ran = running.run() => unreachable!("{ran:?}"),
        }
    })
}

/// A plan was made for how it was before; it may not be carried out afterwards.
#[test]
fn a_plan_from_before_does_not_count() {
    let site = drifted_shop();
    let worker = site.worker(SHOP, &PlanOptions::default());
    let engine = worker.engine.clone();
    let refused = site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        let planned = engine.plan(true).await.expect("a plan");
        assert_eq!(actions(&planned).len(), 2);
        engine.revert_field("services.db", "/labels/tier").await.expect("put back");
        let refused = engine.apply(&planned.digest, ApplyOptions::default()).await.expect_err("refused");
        let planned = engine.plan(true).await.expect("a new plan");
        assert!(engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report").ok);
        engine.close().await.expect("closed");
        refused
    });
    assert_eq!(refused.code, "engine/plan-used");
    assert_eq!(drifted(&site), [""; 0]);
}

const SECRET: &str = "kinds: {payload: {fields: {params: {fields: {key: {type: text, sensitive: true}}}}}}";
const WITH_SECRET: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm, params: {image_hash: p1, key: hunter2}}}
services: {db: {payload: p, labels: {tier: one}}}
";

fn secretive(site: &Environment) -> Worker {
    let mut workspace = Workspace::new();
    workspace.set_types(vec![File { name: "types.yaml".into(), text: SECRET.into(), package: None }]);
    workspace.set_files(vec![File { name: "app.yaml".into(), text: WITH_SECRET.into(), package: None }]);
    let planner = workspace.deployment(&PlanOptions::default());
    site.worker_with(planner, Rc::new(site.backend.clone()), vec![Environment::route(site.transport())])
}

/// Only a mark of a secret is recorded: it is never reverted, nor sent if it differs from the record.
#[test]
fn a_secret_is_not_put_back() {
    let site = Environment::new();
    let report = site.drive(&secretive(&site), "apply", ApplyOptions::default()).expect("applied");
    assert!(report.ok, "{report:#?}");
    assert!(!site.load().to_text().contains("hunter2"));
    change(&site, "services.db", "/labels/tier", json!("other"));
    site.simulator.clear_journal();
    revert_field_by(&site, &secretive(&site), "services.db", "/labels/tier")
        .expect("the secret is as it was");
    assert_eq!(actual(&site, "services.db", "/payload/params/key"), Some(json!("hunter2")));
    let begun = site.backend.commits().iter().rev().find_map(|it| match &it.changes[..] {
        [Change::Begin(intent)] => Some(intent.spec_hash.len()),
        _ => None,
    });
    assert_eq!(begun, Some("sha256:".len() + 4), "the hash of what was sent would confirm a guess");
    site.simulator.clear_journal();
    for seen in [json!("guessed"), json!("••••••"), json!(null)] {
        change(&site, "services.db", "/payload/params/key", seen);
        change(&site, "services.db", "/labels/tier", json!("other"));
        for pointer in ["/payload/params/key", "/payload/params", "/payload/params/key/x", "/labels/tier"] {
            let done = revert_field_by(&site, &secretive(&site), "services.db", pointer);
            let error = done.expect_err(pointer);
            assert_eq!((&*error.code, site.calls()), ("engine/secret", Vec::new()), "{pointer}: {error}");
            assert!(!format!("{error:?}").contains("hunter2"));
        }
    }
    assert!(!site.load().to_text().contains("hunter2"));
}
