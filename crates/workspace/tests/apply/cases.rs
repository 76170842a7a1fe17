//! Records of applying and destroying, and the state after failures.

use adapter::{CallMatcher, Drift, Order, OrderEffect, SimulatorConfig};
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, StepState},
};
use protocol::{Code, Problem};
use state::{Backend, Change};

use crate::environment::{Environment, actions, outcomes, plan_and_apply};

/// S0: a network, a database in it, a web server that takes its address.
pub(crate) const S0: &str = "
meta: {name: shop}
payloads:
  p: {runtime: vm, capabilities: [vpn], params: {image_hash: p1}}
  q: {runtime: vm, capabilities: [vpn], params: {image_hash: q1}}
networks: {lan: {ip: 10.0.0.0/24}}
services:
  db: {payload: p, network: lan}
  web: {payload: q, network: lan, depends_on: [db], init: [[\"connect\", \"${services.db.network_node.ip}\"]]}
";

fn fail(site: &Environment, call: &str, address: &str, code: Code) {
    let problem = Problem::new(code, "not today");
    site.simulator.order(Order::new(CallMatcher::call(call).at(address), OrderEffect::Fail(problem)));
}

#[test]
fn everything_is_made_in_order_and_recorded() {
    let site = Environment::new();
    let report = site.apply(S0);
    assert!(report.ok, "{report:#?}");
    assert_eq!(site.calls(), ["create networks.lan", "create services.db", "create services.web"]);
    assert_eq!(site.recorded(), ["networks.lan active", "services.db active", "services.web active"]);
    // What web was started with is the address that db really has.
    let things = site.simulator.resources();
    let web = things.iter().find(|it| it.address == "services.web").expect("web");
    let db = things.iter().find(|it| it.address == "services.db").expect("db");
    let address = db.outputs["network_node"]["ip"].as_str().expect("an address");
    assert_eq!(web.request["init"][0]["run"]["args"][1], address);
    assert_eq!(
        site.load().resources["services.web"].template["init"][0]["run"]["args"][1],
        "${services.db.network_node.ip}"
    );
}

#[test]
fn applying_twice_does_nothing_the_second_time() {
    let site = Environment::new();
    site.apply(S0);
    site.simulator.clear_journal();
    let report = site.apply(S0);
    assert!(report.ok && report.steps.is_empty());
    assert_eq!(site.calls(), [""; 0]);
}

#[test]
fn a1_what_was_made_is_recorded_although_something_failed() {
    let site = Environment::new();
    fail(&site, "create", "services.web", Code::InvalidSpec);
    let report = site.apply(S0);
    assert!(!report.ok);
    assert_eq!(site.recorded(), ["networks.lan active", "services.db active"]);
    assert!(site.load().resources.values().all(|it| it.identity.is_object()));
    assert!(site.load().journal.is_empty());
    site.simulator.clear_orders();
    assert_eq!(actions(&site.plan(S0)), ["create services.web"]);
}

#[test]
fn a2_the_state_is_saved_after_each_action() {
    let site = Environment::new();
    site.apply(S0);
    let mut known = Vec::new();
    let mut seen = Vec::new();
    for commit in site.backend.commits() {
        for change in &commit.changes {
            if let Change::Put(address, _) = change
                && !known.contains(address)
            {
                known.push(address.clone());
                seen.push(known.clone());
            }
        }
    }
    let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        seen,
        [
            names(&["networks.lan"]),
            names(&["networks.lan", "services.db"]),
            names(&["networks.lan", "services.db", "services.web"]),
        ]
    );
    assert!(site.backend.commits().len() >= 3);
}

/// Dependents of a failed resource are skipped; the rest continues with `keep_going`, and otherwise is not begun.
#[test]
fn a3_what_needs_something_that_failed_is_not_tried() {
    let yaml = S0.to_owned() + "  other: {payload: p}\n  last: {payload: p, depends_on: [other]}\n";
    let site = Environment::with(SimulatorConfig {
        latency_ms: serde_json::from_str("{\"create\": 100}").expect("knobs"),
        ..SimulatorConfig::default()
    });
    fail(&site, "create", "services.db", Code::InvalidSpec);
    let terms = ApplyOptions { keep_going: true, ..ApplyOptions::default() };
    let report = site.apply_with(&yaml, terms).expect("a report");
    assert_eq!(
        outcomes(&report),
        [
            "create networks.lan done",
            "create services.db failed",
            "create services.web skipped because of a2",
            "create services.other done",
            "create services.last done",
        ]
    );
    assert_eq!((report.ok, report.summary.done, report.summary.skipped), (false, 3, 1));
    let failed = report.steps.iter().find(|it| it.state == StepState::Failed).expect("one");
    assert_eq!(failed.error.as_ref().expect("why").code, "adapter/invalid_spec");
}

#[test]
fn a3_the_first_failure_ends_the_run_without_keep_going() {
    let yaml = "
payloads: {p: {runtime: vm}}
services: {a: {payload: p}, b: {payload: p, depends_on: [a]}, c: {payload: p}, d: {payload: p, depends_on: [c]}}
";
    let site = Environment::with(SimulatorConfig {
        latency_ms: serde_json::from_str("{\"create\": 100}").expect("knobs"),
        ..SimulatorConfig::default()
    });
    fail(&site, "create", "services.a", Code::InvalidSpec);
    assert_eq!(
        outcomes(&site.apply(yaml)),
        [
            "create services.a failed",
            "create services.b skipped because of a1",
            "create services.c done",
            "create services.d not_started",
        ]
    );
}

const UPDATED: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
services: {db: {payload: p, labels: {tier: \"1\"}}}
";

#[test]
fn a4_an_update_that_is_refused_becomes_a_rebuild_if_that_was_allowed() {
    let site = Environment::new();
    site.apply(&UPDATED.replace("\"1\"", "\"0\""));
    site.simulator.order(Order::new(CallMatcher::call("update"), OrderEffect::RebuildRequired));
    let refused = site.apply(UPDATED);
    let error = refused.steps[0].error.clone().expect("why");
    assert_eq!(error.code, "adapter/rebuild_required");
    site.simulator.clear_journal();
    let terms = ApplyOptions { allow_rebuild: true, ..ApplyOptions::default() };
    let report = site.apply_with(UPDATED, terms).expect("a report");
    assert!(report.ok, "{report:#?}");
    assert_eq!(site.calls(), ["update services.db", "destroy services.db", "create services.db"]);
    assert_eq!(site.recorded(), ["services.db active"]);
    assert_eq!(site.load().resources["services.db"].generation, 2);
}

#[test]
fn a4_what_depends_on_it_follows() {
    let yaml = S0.replace("db: {payload: p,", "db: {payload: p, labels: {a: b},");
    let site = Environment::new();
    site.apply(S0);
    site.simulator.order(Order::new(CallMatcher::call("update"), OrderEffect::RebuildRequired));
    site.simulator.clear_journal();
    let terms = ApplyOptions { allow_rebuild: true, ..ApplyOptions::default() };
    let report = site.apply_with(&yaml, terms).expect("a report");
    assert!(report.ok, "{report:#?}");
    let calls = site.calls();
    assert_eq!(calls[..3], ["update services.db", "destroy services.db", "create services.db"]);
    assert_eq!(actions(&site.plan(&yaml)), [""; 0]);
}

#[test]
fn a4_no_other_failure_becomes_a_rebuild() {
    for code in [Code::InvalidSpec, Code::Forbidden, Code::ExistsDifferently, Code::Stale] {
        let site = Environment::new();
        site.apply(&UPDATED.replace("\"1\"", "\"0\""));
        site.simulator.clear_journal();
        fail(&site, "update", "services.db", code);
        let terms = ApplyOptions { allow_rebuild: true, ..ApplyOptions::default() };
        assert!(!site.apply_with(UPDATED, terms).expect("a report").ok);
        assert_eq!(site.calls(), ["update services.db"], "{code:?}");
    }
}

/// Destroys a service to which something happens after the plan was made.
fn destroy_after(site: &Environment, drift: Drift) -> Vec<String> {
    let worker = site.worker(S0, &PlanOptions { destroy: true, ..PlanOptions::default() });
    let (engine, simulator) = (worker.engine.clone(), site.simulator.clone());
    let report = site.run(&worker.engine, async move {
        engine.open("destroy").await.expect("open");
        let planned = engine.plan(true).await.expect("a plan");
        assert_eq!(simulator.drift(&drift), 1);
        let terms = ApplyOptions { keep_going: true, ..ApplyOptions::default() };
        let report = engine.apply(&planned.digest, terms).await.expect("a report");
        engine.close().await.expect("closed");
        report
    });
    assert!(site.load().journal.is_empty());
    outcomes(&report)
}

/// The approval of a destroy holds for the resource as it was shown, not as somebody changed it since then.
#[test]
fn resources_changed_after_the_plan_are_not_destroyed() {
    let site = Environment::new();
    site.apply(S0);
    let steps = destroy_after(
        &site,
        Drift::Change {
            address: "services.web".into(),
            pointer: "/payload/params/image_hash".into(),
            value: "precious".into(),
        },
    );
    assert_eq!(steps[0], "destroy services.web failed");
    assert_eq!(site.resources(), ["networks.lan", "services.db", "services.web"]);
    assert_eq!(site.recorded().len(), 3, "and all is still recorded");
    assert!(site.destroy(S0).ok, "a new plan is made of what is there now");
    assert_eq!(site.resources(), [""; 0]);
}

/// A change of readiness does not change the identity of a resource.
#[test]
fn resources_that_failed_after_the_plan_are_destroyed() {
    let site = Environment::new();
    site.apply(S0);
    let drift = Drift::Degrade { address: "services.web".into(), message: "restarting".into() };
    let steps = destroy_after(&site, drift);
    assert!(steps.iter().all(|it| it.ends_with(" done")), "{steps:?}");
    assert_eq!(site.resources(), [""; 0]);
}

#[test]
fn a5_destroying_what_is_gone_is_a_success() {
    let site = Environment::new();
    site.apply(S0);
    // Gone after it was looked at: only the call itself finds out.
    let options = PlanOptions { destroy: true, ..PlanOptions::default() };
    let worker = site.worker(S0, &options);
    let (engine, simulator) = (worker.engine.clone(), site.simulator.clone());
    let report = site.run(&worker.engine, async move {
        engine.open("destroy").await.expect("open");
        let planned = engine.plan(true).await.expect("a plan");
        assert_eq!(simulator.drift(&Drift::Remove { address: "services.web".into() }), 1);
        let report = engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report");
        engine.close().await.expect("closed");
        report
    });
    assert!(report.ok, "{report:#?}");
    assert_eq!(site.recorded(), [""; 0]);
    assert_eq!(site.resources(), [""; 0]);
}

#[test]
fn a5_what_has_no_identity_is_not_destroyed_but_forgotten() {
    let site = Environment::new();
    site.apply(UPDATED);
    let mut snapshot = site.load();
    snapshot.resources.get_mut("services.db").expect("db").identity = serde_json::Value::Null;
    let site = Environment { backend: state::MemoryBackend::of(snapshot), ..Environment::new() };
    let report = site.destroy(UPDATED);
    assert!(report.ok);
    assert_eq!((site.calls(), site.recorded()), (Vec::new(), Vec::new()));
}

#[test]
fn a6_what_is_not_ready_is_pending_and_holds_up_what_needs_it() {
    let site = Environment::with(SimulatorConfig { ready_ms: 5_000, ..SimulatorConfig::default() });
    let report = site.apply(S0);
    assert!(report.ok);
    let mut phases = Vec::new();
    for commit in site.backend.commits() {
        for change in &commit.changes {
            if let Change::Put(address, entry) = change {
                phases.push(format!("{address} {}", entry.phase));
            }
        }
    }
    assert_eq!(
        phases,
        [
            "networks.lan pending",
            "networks.lan active",
            "services.db pending",
            "services.db active",
            "services.web pending",
            "services.web active",
        ]
    );
    let at: Vec<i64> =
        site.simulator.journal().iter().filter(|it| it.verb == "create").map(|it| it.at).collect();
    assert!(at[1] >= at[0] + 5_000 && at[2] >= at[1] + 5_000, "{at:?}");
}

#[test]
fn a7_a_plan_of_an_older_state_is_refused() {
    let site = Environment::new();
    let old = site.plan(S0);
    site.apply(UPDATED);
    site.simulator.clear_journal();
    let before = site.load();
    let worker = site.worker(S0, &PlanOptions::default());
    let engine = worker.engine.clone();
    let refused = site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        engine.plan(true).await.expect("a plan");
        let refused = engine.apply(&old.digest, ApplyOptions::default()).await;
        engine.close().await.expect("closed");
        refused
    });
    assert_eq!(refused.expect_err("refused").code, "engine/plan-changed");
    assert_eq!(site.calls(), [""; 0]);
    assert_eq!(site.load(), before);
}

#[test]
fn a7_who_writes_behind_a_lease_wins_and_the_other_does_nothing() {
    let site = Environment::new();
    site.apply(UPDATED);
    site.simulator.clear_journal();
    let worker = site.worker(S0, &PlanOptions::default());
    let (engine, backend) = (worker.engine.clone(), site.backend.clone());
    let report = site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        let planned = engine.plan(true).await.expect("a plan");
        // Somebody takes the lock away and writes.
        let holder = backend.holder().await.expect("answered").expect("held");
        backend.unlock(&holder.id).await.expect("unlocked");
        engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report")
    });
    assert!(!report.ok);
    assert_eq!(report.error.expect("why").code, "state/lease-lost");
    assert_eq!(site.calls(), [""; 0]);
}

#[test]
fn two_engines_on_one_state_one_wins() {
    let site = Environment::new();
    let (one, other) = (site.worker(S0, &PlanOptions::default()), site.worker(S0, &PlanOptions::default()));
    let (first, second) = (one.engine.clone(), other.engine.clone());
    site.world.spawn(async move {
        other.engine.run().await.expect("runs");
    });
    let refused = site.run(&one.engine, async move {
        first.open("apply").await.expect("open");
        let refused = second.open("apply").await;
        plan_and_apply(&first, ApplyOptions::default()).await.expect("a report");
        first.close().await.expect("closed");
        second.stop();
        refused
    });
    let error = refused.expect_err("held");
    assert_eq!(error.code, "state/locked");
    assert!(error.message.contains("test") && error.message.contains("apply"), "{error}");
    assert_eq!(site.calls().len(), 3);
}

#[test]
fn a8_what_is_kept_and_read_again_gives_the_same_plan() {
    let site = Environment::new();
    site.apply(S0);
    let changed = S0.replace("p1", "p2");
    let plan = site.plan(&changed);
    let text = serde_json::to_string(&site.load()).expect("JSON");
    let mut again: state::Snapshot = serde_json::from_str(&text).expect("a state");
    again.rest.insert("later".into(), 1.into());
    let text = serde_json::to_string(&again).expect("JSON");
    let again: state::Snapshot = serde_json::from_str(&text).expect("a state");
    assert_eq!(again.rest["later"], 1);
    let kept = Environment { backend: state::MemoryBackend::of(again), ..site };
    assert_eq!(kept.plan(&changed).digest, plan.digest);
}

/// P7: a dependent never outlives its dependency.
#[test]
fn a_rebuild_takes_down_what_depends_on_it_first() {
    let site = Environment::new();
    site.apply(S0);
    site.simulator.clear_journal();
    let report = site.apply(&S0.replace("p1", "p2"));
    assert!(report.ok, "{report:#?}");
    assert_eq!(
        site.calls(),
        ["destroy services.web", "destroy services.db", "create services.db", "create services.web"]
    );
}

#[test]
fn everything_is_destroyed_in_reverse() {
    let site = Environment::new();
    site.apply(S0);
    site.simulator.clear_journal();
    let report = site.destroy(S0);
    assert!(report.ok);
    assert_eq!(site.calls(), ["destroy services.web", "destroy services.db", "destroy networks.lan"]);
    assert_eq!(site.recorded(), [""; 0]);
}

#[test]
fn a_plan_only_reads() {
    let site = Environment::new();
    site.apply(S0);
    let serial = site.load().serial;
    site.simulator.clear_journal();
    // Any write would fail, and be in the journal.
    fail(&site, "create", "*", Code::Forbidden);
    fail(&site, "update", "*", Code::Forbidden);
    fail(&site, "destroy", "*", Code::Forbidden);
    let planned = site.plan(&S0.replace("p1", "p2"));
    assert_eq!(actions(&planned), ["rebuild services.db", "rebuild services.web"]);
    assert!(site.simulator.journal().iter().all(|it| it.verb == "read"));
    assert_eq!(site.load().serial, serial);
}

#[test]
fn vanished_resources_are_created_again() {
    let site = Environment::new();
    site.apply(S0);
    site.simulator.drift(&Drift::Remove { address: "services.web".into() });
    site.simulator.clear_journal();
    let report = site.apply(S0);
    assert!(report.ok);
    assert_eq!(site.calls(), ["create services.web"]);
    assert_eq!(site.load().resources["services.web"].generation, 2);
}

#[test]
fn independent_branches_go_on_at_the_same_time() {
    let services: String = (0..30).map(|it| format!("  s{it}: {{payload: p}}\n")).collect();
    let yaml = format!("payloads: {{p: {{runtime: vm}}}}\nservices:\n{services}");
    let latency = serde_json::from_str("{\"create\": 1000}").expect("knobs");
    let site = Environment::with(SimulatorConfig { latency_ms: latency, ..SimulatorConfig::default() });
    let worker = site.worker(&yaml, &PlanOptions::default());
    let start = site.world.now();
    let report = site.drive(&worker, "apply", ApplyOptions::default()).expect("a report");
    assert!(report.ok);
    let traffic = worker.engine.traffic()["simulator"];
    assert_eq!(traffic.most_in_flight, 10, "as many as one adapter gets");
    let seconds = (site.world.now() - start) / 1000;
    assert!((3..=4).contains(&seconds), "three rounds of ten, not thirty: {seconds} s");
}

#[test]
fn orphans_are_reported_and_can_be_removed() {
    let site = Environment::new();
    site.apply(S0);
    let lineage = site.load().lineage;
    let mut snapshot = site.load();
    snapshot.resources.remove("services.web");
    let site = Environment { backend: state::MemoryBackend::of(snapshot), ..site };
    let worker = site.worker(S0, &PlanOptions::default());
    let engine = worker.engine.clone();
    let (orphans, left) = site.run(&worker.engine, async move {
        engine.inspect().await.expect("read");
        let orphans = engine.orphans().await.expect("answered");
        engine.remove_orphan(&orphans[0]).await.expect("removed");
        (orphans, engine.orphans().await.expect("answered"))
    });
    assert!(!lineage.is_empty());
    assert_eq!((orphans.len(), orphans[0].address.as_str(), left.len()), (1, "services.web", 0));
    assert_eq!(site.resources(), ["networks.lan", "services.db"]);
}
