//! Checks before a run begins, and data that a step takes over from before.

use adapter::{CallMatcher, Fault, FaultOrder, Faults};
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Connection, EngineError, Event, Report, Route, Watching},
};
use protocol::Caller;
use serde_json::{Value as Json, json};
use state::MemoryBackend;

use crate::{
    cases::S0,
    environment::{Environment, Worker, actions, outcomes},
    script::{Script, after},
    watching::{EVERY, watch},
};

const SHOP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm, params: {image_hash: p1}}}
services: {db: {payload: p, labels: {tier: one}}}
";

fn shop() -> Script {
    let script = Script::new(Environment::new());
    assert!(script.apply(SHOP).expect("a report").ok);
    script.with(Vec::new())
}

fn apply(script: &Script, yaml: &str, terms: ApplyOptions) -> Result<Report, EngineError> {
    script.site.drive(&script.worker(yaml, false), "apply", terms)
}

/// Once to plan; once more before something is destroyed, or may be.
#[test]
fn only_a_run_that_may_destroy_something_looks_first() {
    let rebuilt = SHOP.replace("p1", "p2");
    let updated = SHOP.replace("one", "two");
    let more = SHOP.replace("db:", "new: {payload: p}, db:");
    let (keep_going, allow_rebuild) = (true, true);
    for (yaml, terms, looks) in [
        (&more, ApplyOptions { allow_rebuild, ..ApplyOptions::default() }, 1),
        (&updated, ApplyOptions::default(), 1),
        (&updated, ApplyOptions { allow_rebuild, ..ApplyOptions::default() }, 2),
        (&updated, ApplyOptions { keep_going, allow_rebuild }, 1),
        (&rebuilt, ApplyOptions::default(), 2),
        (&rebuilt, ApplyOptions { keep_going, ..ApplyOptions::default() }, 1),
    ] {
        let script = shop();
        assert!(apply(&script, yaml, terms).expect("a report").ok, "{yaml}");
        assert_eq!(script.count("batch_read"), looks, "{terms:?} {yaml}");
    }
}

/// The outcome of a rebuild, by the kinds that the adapter reports.
#[test]
fn an_adapter_has_to_make_the_kind_or_say_nothing() {
    let nobody = "nothing was started, because adapter `simulator` failed: the adapter does not support \
                  the kind `service`";
    for (types, expected) in [
        (json!({}), Ok(true)),
        (json!({"service": null}), Ok(true)),
        (json!({"volume": null, "network": null}), Err(nobody.to_owned())),
    ] {
        let script = shop().with(vec![after("describe", move |_, mut body: Json| {
            body["types"] = types.clone();
            Ok((200, body))
        })]);
        let done = apply(&script, &SHOP.replace("p1", "p2"), ApplyOptions::default());
        assert_eq!(done.map(|it| it.ok).map_err(|it| it.message), expected);
    }
}

#[test]
fn kinds_without_an_adapter_fail_before_any_destroy() {
    let script = shop();
    let yaml = SHOP.replace("p1", "p2") + "networks: {lan: {ip: 10.0.0.0/24}}\n";
    let worker = script.site.worker_of(&yaml, vec![script.route(Some("service"), "simulator", 1)]);
    let error = script.site.drive(&worker, "apply", ApplyOptions::default()).expect_err("it cannot begin");
    assert_eq!(
        (&*error.code, &*error.message),
        ("engine/no-adapter", "no adapter supports the kind `network`")
    );
    assert_eq!((error.about, script.writes()), (vec!["networks.lan".to_owned()], vec![]));
}

#[test]
fn kinds_without_an_adapter_fail_before_any_create() {
    let script = Script::new(Environment::new());
    let yaml = SHOP.to_owned() + "networks: {lan: {ip: 10.0.0.0/24}}\n";
    let worker = script.site.worker_of(&yaml, vec![script.route(Some("service"), "simulator", 1)]);
    let error = script.site.drive(&worker, "apply", ApplyOptions::default()).expect_err("it cannot begin");
    assert_eq!((&*error.code, error.about), ("engine/no-adapter", vec!["networks.lan".to_owned()]));
    assert_eq!(script.writes(), Vec::<String>::new());
}

const APART: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {db: {payload: p}, web: {payload: p, network: lan}}
";

/// Two adapters: one makes services; the other, which has the faults, makes networks.
pub(crate) fn apart(site: &Environment, faults: &Faults, yaml: &str) -> Worker {
    let route = |faults: &Faults, kind: &str, port: u16| {
        let caller = Caller::new(&format!("http://127.0.0.1:{port}"), None).expect("an address");
        let transport = site.transport_through(faults);
        let name = format!("makes-{kind}");
        Route {
            kind: Some(kind.into()),
            connection: Connection { name, transport, caller, credentials: None },
        }
    };
    site.worker_of(yaml, vec![route(&site.faults, "service", 1), route(faults, "network", 2)])
}

/// A network whose adapter is unreachable is to be rebuilt, with its content; that is no reason to keep other resources.
#[test]
fn untouched_resources_are_not_read_in_preflight() {
    let (site, faults) = (Environment::new(), Faults::new());
    assert!(
        site.drive(&apart(&site, &faults, APART), "apply", ApplyOptions::default()).expect("a report").ok
    );
    site.simulator.clear_journal();
    faults.order(FaultOrder::before(CallMatcher::default(), Fault::Reset { after: 0 }));
    let less = APART.replace("db: {payload: p}, ", "").replace("10.0.0.0", "10.0.7.0");
    let worker = apart(&site, &faults, &less);
    watch(&site, &worker, Watching { changes: true, terms: ApplyOptions::default(), ..EVERY }, 30, |_| {});
    assert_eq!(site.calls(), ["destroy services.db"]);
    assert_eq!(site.resources(), ["networks.lan", "services.web"]);
}

#[test]
fn protection_is_kept_across_runs() {
    let mut script = shop();
    let mut state = script.site.load();
    state.resources.get_mut("services.db").expect("db").protected = true;
    script.site.backend = MemoryBackend::of(state).recording_commits();
    let report = apply(&script, &SHOP.replace("one", "two"), ApplyOptions::default()).expect("a report");
    assert_eq!(outcomes(&report), ["update services.db done"]);
    let db = script.site.load().resources["services.db"].clone();
    let by = db.adapter.as_ref().map(|it| (&*it.name, &*it.address));
    assert_eq!(
        (db.protected, &db.spec["labels"], by),
        (true, &json!({"tier": "two"}), Some(("simulator", "simulator")))
    );
}

/// An engine that continues with other descriptors: its earlier knowledge does not disturb it.
#[test]
fn plans_follow_each_other() {
    let site = Environment::new();
    let worker = site.worker(S0, &PlanOptions::default());
    let changed = S0.replace("p1", "p2");
    let less = changed.split("  web:").next().expect("the rest").to_owned();
    let others = [changed.clone(), less, changed];
    let others = others.map(|it| crate::environment::deployment(&it, &PlanOptions::default()));
    let engine = worker.engine.clone();
    let done = site.run(&worker.engine, async move {
        let mut done = Vec::new();
        engine.open("apply").await.expect("open");
        for planner in [None].into_iter().chain(others.map(Some)) {
            planner.into_iter().for_each(|it| engine.describe(it));
            let planned = engine.plan(true).await.expect("a plan");
            let report = engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report");
            let used =
                engine.apply(&planned.digest, ApplyOptions::default()).await.expect_err("it was carried out");
            assert_eq!((report.ok, &*used.code, engine.steps()), (true, "engine/plan-used", report.steps));
            assert_eq!(
                (planned.is_empty(), engine.plan(true).await.expect("a plan").is_empty()),
                (false, true)
            );
            done.push(actions(&planned));
        }
        engine.close().await.expect("closed");
        done
    });
    let expected: [&[&str]; 4] = [
        &["create networks.lan", "create services.db", "create services.web"],
        &["rebuild services.db", "rebuild services.web"],
        &["destroy services.web"],
        &["create services.web"],
    ];
    assert_eq!(done, expected);
    let planned = |it: &Event| if let Event::Planned { actions, .. } = it { Some(*actions) } else { None };
    let planned: Vec<usize> = worker.events.borrow().iter().filter_map(planned).collect();
    assert_eq!(planned, [3, 0, 2, 0, 1, 0, 1, 0]);
    let opened = Event::Opened { serial: 0, resources: 0 };
    assert_eq!(worker.events.borrow().iter().filter(|it| **it == opened).count(), 1);
}

/// A resource that was recorded without its adapter gets it by the next write; a recorded adapter is left as it is.
#[test]
fn the_adapter_instance_is_recorded_once_known() {
    let yaml = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {db: {payload: p}, web: {payload: p, labels: {tier: one}}}
";
    let says = || {
        after("describe", |_, mut body| {
            body["instance"] = json!("one");
            Ok((200, body))
        })
    };
    let mut script = Script::new(Environment::new()).with(vec![says()]);
    assert!(script.apply(yaml).expect("a report").ok);
    let mut state = script.site.load();
    state.resources.get_mut("networks.lan").expect("lan").adapter = None;
    let db = state.resources.get_mut("services.db").and_then(|it| it.adapter.as_mut()).expect("db");
    (db.name, db.address) = ("old".into(), "elsewhere".into());
    script.site.backend = state::MemoryBackend::of(state.clone()).recording_commits();
    let script = script.with(vec![says(), says()]);
    assert!(script.apply(yaml).expect("a report").ok);
    assert_eq!(script.site.load(), state, "nothing is written without need");
    let script = script.with(vec![says(), says()]);
    assert!(script.apply(&yaml.replace("one", "two")).expect("a report").ok);
    let by = |address: &str| {
        let by = script.site.load().resources[address].adapter.clone().unwrap_or_default();
        (by.instance, by.name, by.address)
    };
    let one = |name: &str, address: &str| ("one".to_owned(), name.to_owned(), address.to_owned());
    assert_eq!(by("networks.lan"), one("simulator", "simulator"));
    assert_eq!(by("services.db"), one("old", "elsewhere"));
    assert_eq!(by("services.web"), one("simulator", "simulator"));
}
