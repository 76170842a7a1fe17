//! Effects of a run besides its calls: reads, writes of the state, and events.

use std::rc::Rc;

use adapter::SimulatorConfig;
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Event, FormerAdapters, Settings, Setup, Stop},
};
use runtime::Timer as _;
use serde_json::json;
use state::{Backend as _, Change};

use crate::{
    cases::S0,
    environment::{Environment, Worker, deployment, outcomes, plan_and_apply},
    script::{Line, Script, after, instead, says},
};

const ONE: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
services: {db: {payload: p, labels: {tier: one}}}
";

/// Half as long again each time, and never longer than the last pause.
#[test]
fn whether_something_is_ready_is_looked_at_less_and_less_often() {
    let site = Environment::with(SimulatorConfig {
        ready_ms: 9_000,
        journal_reads: true,
        ..SimulatorConfig::default()
    });
    let report = site.apply(ONE);
    assert!(report.ok, "{report:#?}");
    let journal = site.simulator.journal();
    let made = journal.iter().find(|it| it.verb == "create").expect("it was made").at;
    let reads = journal.iter().filter(|it| it.verb == "read" && it.at > made);
    let reads: Vec<i64> = reads.map(|it| it.at - made).collect();
    assert_eq!(reads, [100, 250, 475, 812, 1_317, 2_074, 3_209, 4_911, 6_911, 8_911, 10_911]);
}

/// An adapter that cannot change anything in place, and makes something else than it was asked for.
fn restless() -> Vec<Line> {
    let refused = |_| instead("update", says(protocol::Problem::new(protocol::Code::RebuildRequired, "no")));
    let other = |_| {
        after("batch_read", |_, mut body| {
            if let Some(item) = body["items"].get_mut(0) {
                item["spec"]["labels"]["tier"] = json!("other");
            }
            Ok((200, body))
        })
    };
    (0..9).map(refused).chain((0..20).map(other)).collect()
}

#[test]
fn a_resource_that_never_matches_is_not_rebuilt_forever() {
    let script = Script::new(Environment::new());
    assert!(script.apply(ONE).expect("a report").ok);
    let script = script.with(restless());
    let worker = script.worker(ONE, false);
    let terms = ApplyOptions { allow_rebuild: true, ..ApplyOptions::default() };
    let report = script.site.drive(&worker, "apply", terms).expect("a report");
    assert_eq!(outcomes(&report), ["update services.db done"; 5]);
    let error = report.error.as_ref().map(|it| &*it.code);
    assert_eq!((error, report.ok), (Some("engine/does-not-settle"), false));
    assert_eq!((script.count("update"), script.count("create")), (5, 5));
    let finished = worker.events.borrow().iter().filter(|it| matches!(it, Event::Finished(_))).count();
    assert_eq!((finished, report.serial), (1, script.site.load().serial));
}

/// Consequences of a rebuild that were not requested before are done in the same run.
#[test]
fn a_run_ends_once_nothing_follows() {
    let script = Script::new(Environment::new());
    assert!(script.apply(ONE).expect("a report").ok);
    let script = script.with(restless().into_iter().take(1).collect());
    let terms = ApplyOptions { allow_rebuild: true, ..ApplyOptions::default() };
    // The first is rebuilt, the second is changed in place.
    for (tier, plans) in [("two", 2), ("three", 1)] {
        let worker = script.worker(&ONE.replace("one", tier), false);
        let report = script.site.drive(&worker, "apply", terms).expect("a report");
        assert_eq!((outcomes(&report), report.ok), (vec!["update services.db done".into()], true));
        let events = worker.events.borrow();
        let planned = events.iter().filter(|it| matches!(it, Event::Planned { .. }));
        assert_eq!(planned.count(), plans, "{tier}");
    }
}

#[test]
fn the_lease_is_renewed_after_a_third_of_its_time() {
    let site = Environment::new();
    let (backend, world) = (site.backend.clone(), site.world.clone());
    let start = site.world.now();
    let worker = site.worker(ONE, &PlanOptions::default());
    let engine = worker.engine.clone();
    site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        for (at, until) in [
            (1, 60_000),
            (19_999, 60_000),
            (20_001, 80_000),
            (39_999, 80_000),
            (40_001, 100_000),
            (200_001, 260_000),
        ] {
            world.timer().sleep_until(store::Millis(start + at)).await;
            let holder = backend.holder().await.expect("answered").expect("it is held");
            assert_eq!(holder.until - start, until, "after {at} ms");
        }
        engine.close().await.expect("closed");
    });
}

/// A run that is given up does not become one that is ended gently.
#[test]
fn a_run_is_never_ended_less_hard() {
    let cases: [(&'static [Stop], &str); 5] = [
        (&[Stop::Gently], "create services.db done"),
        (&[Stop::No], "create services.db done"),
        (&[Stop::AtOnce], "create services.db failed"),
        (&[Stop::AtOnce, Stop::Gently], "create services.db failed"),
        (&[Stop::Gently, Stop::AtOnce], "create services.db failed"),
    ];
    for (stops, outcome) in cases {
        let latency_ms = serde_json::from_str("{\"create\": 5000}").expect("knobs");
        let site = Environment::with(SimulatorConfig { latency_ms, ..SimulatorConfig::default() });
        let worker = site.worker(ONE, &PlanOptions::default());
        let (engine, stopper, world) = (worker.engine.clone(), worker.engine.clone(), site.world.clone());
        let start = site.world.now();
        let (report, ended) = site.run(&worker.engine, async move {
            engine.open("apply").await.expect("open");
            let (report, ()) = tokio::join!(plan_and_apply(&engine, ApplyOptions::default()), async {
                world.timer().sleep_until(store::Millis(start + 1_000)).await;
                stops.iter().for_each(|it| stopper.cancel(*it));
            });
            let ended = world.now() - start;
            engine.close().await.expect("closed");
            (report.expect("a report"), ended)
        });
        assert_eq!(outcomes(&report), [outcome], "{stops:?}");
        assert_eq!(ended, if outcome.ends_with("done") { 5_000 } else { 1_000 }, "{stops:?}");
    }
}

/// Nobody else draws the same ones.
#[test]
fn each_call_has_a_key_and_an_intent_of_its_own() {
    let site = Environment::new();
    assert!(site.apply(S0).ok);
    let begun: Vec<state::Intent> = site
        .backend
        .commits()
        .iter()
        .flat_map(|it| it.changes.clone())
        .filter_map(|it| if let Change::Begin(intent) = it { Some(*intent) } else { None })
        .collect();
    let keys: std::collections::BTreeSet<&str> = begun.iter().map(|it| &*it.key).collect();
    assert_eq!((begun.len(), keys.len()), (3, 3));
    for intent in &begun {
        assert!(intent.key.len() == 32 && intent.key.bytes().all(|it| it.is_ascii_hexdigit()), "{intent:?}");
        assert!(intent.id.ends_with(&format!("-{}", &intent.key[..8])), "{intent:?}");
        assert!(intent.spec_hash.starts_with("sha256:") && intent.spec_hash.len() == 71, "{intent:?}");
    }
    let state = site.load();
    assert_eq!((&*state.deployment, state.lineage.len()), ("shop", 32));
    let unnamed = Environment::new();
    assert!(unnamed.apply(&ONE.replace("meta: {name: shop}", "")).ok);
    assert_eq!(unnamed.load().deployment, "deployment");
}

/// The numbers of desired, observed and recorded resources, of leases, steps, their turns and their outcomes in its store.
fn shown(worker: &Worker) -> [usize; 7] {
    let kinds = worker.engine.runtime().inspect().kinds;
    let count = |kind: &str| kinds.iter().find(|it| it.kind.to_string() == kind).map_or(0, |it| it.resources);
    [
        "desired/Resources",
        "observed/Resources",
        "recorded/Resources",
        "run/Leases",
        "run/Steps",
        "run/Decisions",
        "run/Outcomes",
    ]
    .map(count)
}

#[test]
fn the_store_shows_what_there_is() {
    let script = Script::new(Environment::new());
    let worker = script.worker(S0, false);
    let engine = worker.engine.clone();
    let ended = deployment(S0, &PlanOptions { destroy: true, ..PlanOptions::default() });
    let less = deployment(S0.split("  web:").next().expect("the rest"), &PlanOptions::default());
    let worker = Rc::new(worker);
    let looks = worker.clone();
    let seen = script.site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        let mut seen = Vec::new();
        for planner in [None, Some(less), Some(ended)] {
            planner.into_iter().for_each(|it| engine.describe(it));
            let planned = engine.plan(true).await.expect("a plan");
            seen.push(shown(&looks));
            assert!(engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report").ok);
            seen.push(shown(&looks));
        }
        engine.close().await.expect("closed");
        seen.push(shown(&looks));
        seen
    });
    // Planned and carried out: all is made, the last is destroyed, all is destroyed; then it is closed.
    let expected = [
        [3, 0, 0, 1, 3, 0, 0],
        [3, 0, 3, 1, 3, 3, 3],
        [2, 3, 3, 1, 1, 0, 0],
        [2, 3, 2, 1, 1, 1, 1],
        [3, 2, 2, 1, 2, 0, 0],
        [3, 2, 0, 1, 2, 2, 2],
        [3, 2, 0, 0, 2, 2, 2],
    ];
    assert_eq!(seen, expected);
}

/// The plan, its steps and their outcomes are in the store, as hosts show them.
#[test]
fn the_store_holds_what_happens() {
    let script = Script::new(Environment::new());
    let worker = script.worker(S0, false);
    assert!(script.site.drive(&worker, "apply", ApplyOptions::default()).expect("a report").ok);
    let specs = |kind: &str| -> Vec<serde_json::Value> {
        let found = worker.engine.runtime().resources(&store::Kind::new("run", kind));
        found.iter().map(|it| it.spec.value()).collect()
    };
    let shown: Vec<_> = worker.engine.steps().iter().map(|it| json!(it)).collect();
    let by_step = |mut all: Vec<serde_json::Value>| {
        all.sort_by_key(|it| it["step"].to_string());
        all
    };
    assert_eq!(by_step(specs("Outcomes")), by_step(shown.clone()));
    let plans = specs("Plans");
    let actions = plans[0]["actions"].as_array().expect("actions");
    let of_plan: Vec<_> = actions.iter().map(|it| json!([it["id"], it["address"], it["action"]])).collect();
    let of_steps: Vec<_> = shown.iter().map(|it| json!([it["action"], it["address"], it["verb"]])).collect();
    assert_eq!(of_plan, of_steps);
    let of_kind: Vec<_> = by_step(shown).iter().map(|it| it["address"].clone()).collect();
    let steps: Vec<_> = specs("Steps").iter().map(|it| it["address"].clone()).collect();
    assert_eq!(steps, of_kind);
}

#[test]
fn debug_output_of_an_engine_has_no_secrets() {
    let script = Script::new(Environment::new());
    let worker = script.worker(ONE, false);
    assert_eq!(format!("{:?}", worker.engine), "Engine { who: \"test\", .. }");
    let route = format!("{:?}", script.route(Some("service"), "simulator", 1));
    let start =
        "Route { kind: Some(\"service\"), connection: Connection { name: \"simulator\", caller: Caller ";
    assert!(route.starts_with(start), "{route}");
    let timer = script.site.world.timer();
    let setup = Setup {
        planner: deployment(ONE, &PlanOptions::default()),
        backend: Rc::new(script.site.backend.clone()),
        routes: Vec::new(),
        former: FormerAdapters::default(),
        clock: timer.clock(),
        timer,
        random: Rc::new(|| [0; 16]),
        who: "ada".into(),
        settings: Settings::default(),
    };
    assert_eq!(format!("{setup:?}"), "Setup { who: \"ada\", routes: [], .. }");
}
