//! Resources that change before they are written, or before the answer is lost.

use adapter::{CallMatcher, Drift, Fault, FaultOrder, Order, OrderEffect};
use planloom_workspace::{PlanOptions, engine::ApplyOptions};
use protocol::{Code, Problem};
use serde_json::{Value as Json, json};

use crate::environment::{Environment, actions, outcomes, plan_and_apply};

const BEFORE: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
services: {db: {payload: p, labels: {tier: one, zone: east}}}
";

fn label(site: &Environment, name: &str) -> Json {
    let thing = site.simulator.resources().into_iter().find(|it| it.address == "services.db").expect("db");
    thing.actual["labels"][name].clone()
}

fn changed(name: &str, value: &str) -> Drift {
    let pointer = format!("/labels/{name}");
    Drift::Change { address: "services.db".into(), pointer, value: value.into() }
}

/// Changes the tier of a database to which something happens after the plan was made.
fn update_after(site: &Environment, drift: Drift) -> Vec<String> {
    let worker = site.worker(&BEFORE.replace("one", "two"), &PlanOptions::default());
    let (engine, simulator) = (worker.engine.clone(), site.simulator.clone());
    let report = site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        let planned = engine.plan(true).await.expect("a plan");
        assert_eq!(simulator.drift(&drift), 1);
        let report = engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report");
        engine.close().await.expect("closed");
        report
    });
    assert!(site.load().journal.is_empty());
    outcomes(&report)
}

/// A change of readiness does not change the identity of a resource.
#[test]
fn resources_that_failed_after_the_plan_are_updated() {
    let site = Environment::new();
    assert!(site.apply(BEFORE).ok);
    let drift = Drift::Degrade { address: "services.db".into(), message: "restarting".into() };
    assert_eq!(update_after(&site, drift), ["update services.db done"]);
    assert_eq!((label(&site, "tier"), site.calls().len()), (json!("two"), 2));
}

#[test]
fn resources_changed_after_the_plan_are_not_updated() {
    let site = Environment::new();
    assert!(site.apply(BEFORE).ok);
    assert_eq!(update_after(&site, changed("zone", "west")), ["update services.db failed"]);
    assert_eq!((label(&site, "tier"), label(&site, "zone")), (json!("one"), json!("west")));
    assert_eq!(site.calls(), ["create services.db"], "the adapter itself was not even asked");
    assert!(site.apply(BEFORE).ok, "a new plan is made of what is there now");
}

/// If only the observed state differed, the request is the same as before, and its hash does not show whether it was done.
#[test]
fn a_lost_repair_is_not_taken_for_done() {
    for done in [false, true] {
        let site = Environment::new();
        assert!(site.apply(BEFORE).ok);
        assert_eq!(site.simulator.drift(&changed("tier", "other")), 1);
        site.simulator.clear_journal();
        site.faults.order(FaultOrder {
            matcher: CallMatcher::call("update").times(1),
            done,
            fault: Fault::Reset { after: 0 },
        });
        let report = site.apply(BEFORE);
        assert!(report.ok, "{report:#?}");
        assert_eq!(label(&site, "tier"), json!("one"), "done: {done}");
        assert_eq!(site.calls(), ["update services.db"]);
        assert_eq!(actions(&site.plan(BEFORE)), [""; 0]);
    }
}

/// An orphan that was found, and to which something happens before it is removed.
fn remove_after(site: Environment, drift: &Drift) -> (Result<(), String>, Environment) {
    let mut snapshot = site.load();
    snapshot.resources.clear();
    let site = Environment { backend: state::MemoryBackend::of(snapshot), ..site };
    let worker = site.worker(BEFORE, &PlanOptions::default());
    let (engine, simulator, drift) = (worker.engine.clone(), site.simulator.clone(), drift.clone());
    let removed = site.run(&worker.engine, async move {
        engine.inspect().await.expect("read");
        let orphans = engine.orphans().await.expect("answered");
        assert_eq!(simulator.drift(&drift), 1);
        engine.remove_orphan(&orphans[0]).await.map_err(|it| it.code.into_owned())
    });
    (removed, site)
}

#[test]
fn an_orphan_goes_as_it_was_seen_and_not_otherwise() {
    let site = || {
        let site = Environment::new();
        assert!(site.apply(BEFORE).ok);
        site
    };
    let (removed, left) = remove_after(site(), &changed("tier", "precious"));
    assert_eq!((removed, left.resources().len()), (Err("adapter/stale".to_owned()), 1));
    let degraded = Drift::Degrade { address: "services.db".into(), message: "restarting".into() };
    let (removed, left) = remove_after(site(), &degraded);
    assert_eq!((removed, left.resources().len()), (Ok(()), 0));
}

/// An adapter that says so although nothing moved is asked once.
#[test]
fn unchanged_resources_are_not_sent_again() {
    let site = Environment::new();
    assert!(site.apply(BEFORE).ok);
    site.simulator.clear_journal();
    let stale = OrderEffect::Fail(Problem::new(Code::Stale, "it moved"));
    site.simulator.order(Order::new(CallMatcher::call("update"), stale));
    let worker = site.worker(&BEFORE.replace("one", "two"), &PlanOptions::default());
    let engine = worker.engine.clone();
    let report = site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        plan_and_apply(&engine, ApplyOptions::default()).await.expect("a report")
    });
    assert_eq!((outcomes(&report), site.calls().len()), (vec!["update services.db failed".to_owned()], 1));
}
