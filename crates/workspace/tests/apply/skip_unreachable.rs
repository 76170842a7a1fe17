//! Adapters that answer slowly or never, and the resources that have to wait for them.

use adapter::{CallMatcher, Fault, FaultOrder, Faults, SimulatorConfig};
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Event, FormerAdapters},
};
use protocol::{Code, Problem};
use serde_json::json;
use state::MemoryBackend;

use crate::{
    before_apply::apart,
    crash::die_after,
    environment::{Environment, deployment, outcomes},
    script::{Script, after, instead, says},
    watching::{EVERY, watch},
};

const APART: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm, params: {image_hash: p1}}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {a: {payload: p}, b: {payload: p}, c: {payload: p}, d: {payload: p}}
";

/// An adapter that never answers gets less time the next time; one that is only slow has as much as before.
#[test]
fn an_unresponsive_adapter_delays_others_briefly() {
    let (site, faults) = (Environment::new(), Faults::new());
    let worker = apart(&site, &faults, APART);
    assert!(site.drive(&worker, "apply", ApplyOptions::default()).expect("a report").ok);
    faults.order(FaultOrder::before(CallMatcher::default(), Fault::Silence));
    let slow = Fault::Slow { ms: 10_000 };
    site.faults.order(FaultOrder::after(CallMatcher::call("batch_read"), slow));
    let worker = apart(&site, &faults, APART);
    let (engine, world) = (worker.engine.clone(), site.world.clone());
    let looks = site.run(&worker.engine, async move {
        engine.inspect().await.expect("read");
        let mut looks = Vec::new();
        for _ in 0..2 {
            let start = world.now();
            engine.plan_skipping_unreachable().await.expect("a plan");
            let unseen = engine.unreachable_adapters().into_iter().map(|it| it.message).collect::<Vec<_>>();
            looks.push((world.now() - start, unseen));
        }
        looks
    });
    let [(first, _), (second, unseen)] = &looks[..] else { panic!("two looks") };
    assert!(*first > 120_000, "as often as anything: {first}");
    let message = "adapter `makes-network` cannot report the status of networks.lan: it still does not \
                   respond";
    assert_eq!((*second, &unseen[..]), (10_000, &[message.to_owned()][..]));
    assert_eq!(looks[0].1.len(), 1, "the slow one could tell");
}

/// Resources that are only not ready yet become ready without any call.
#[test]
fn a_watch_does_not_wait_for_what_gets_ready() {
    let site = Environment::with(SimulatorConfig { ready_ms: 400_000, ..SimulatorConfig::default() });
    let yaml = "payloads: {p: {runtime: vm}}\nservices: {db: {payload: p}}\n";
    assert!(die_after(&site, yaml, &PlanOptions::default(), 2));
    site.world.advance(61_000);
    assert!(site.plan(yaml).plan.actions.iter().all(|it| it.waits));
    let worker = site.worker(yaml, &PlanOptions::default());
    watch(&site, &worker, EVERY, 60, |_| {});
    let finished = worker.events.borrow().iter().filter(|it| matches!(it, Event::Finished(_))).count();
    assert_eq!((finished, site.simulator.call_counts().made), (0, 1));
}

fn shop() -> Script {
    let script = Script::new(Environment::new());
    assert!(script.apply(APART).expect("a report").ok);
    script.with(Vec::new())
}

/// Half of it at a time.
#[test]
fn oversized_batches_are_halved() {
    let sizes = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let noted = sizes.clone();
    let line = move |is_too_much: bool| {
        let sizes = noted.clone();
        let no = says(Problem::new(Code::TooLarge, "no"));
        let answer = move |call: &protocol::Call, body: serde_json::Value| {
            let protocol::Call::BatchRead(ids) = call else { panic!("{call:?}") };
            sizes.borrow_mut().push(ids.len());
            if is_too_much { no(call, body) } else { Ok((200, body)) }
        };
        if is_too_much { instead("batch_read", answer) } else { after("batch_read", answer) }
    };
    let script = shop().with([false, true, false, false].map(line).into());
    assert!(script.apply(APART).expect("a report").ok);
    assert_eq!(*sizes.borrow(), [1, 4, 2, 2]);
}

fn instance(instance: &'static str) -> crate::script::Line {
    after("describe", move |_, mut body| {
        body["instance"] = json!(instance);
        Ok((200, body))
    })
}

/// A state of an older version does not record the adapters: a resource is where it would be without a move.
#[test]
fn resources_without_a_recorded_adapter_move_too() {
    let script = Script::new(Environment::new());
    let yaml = "meta: {name: shop}\npayloads: {p: {runtime: vm}}\nservices: {db: {payload: p}}\n";
    assert!(script.apply(yaml).expect("a report").ok);
    let mut script = script.with(vec![instance("two"), instance("one")]);
    let mut state = script.site.load();
    state.resources.get_mut("services.db").expect("db").adapter = None;
    script.site.backend = MemoryBackend::of(state).recording_commits();
    let (new, old) = (script.route(None, "new", 2), script.route(None, "old", 1));
    let backend = std::rc::Rc::new(script.site.backend.clone());
    let planner = deployment(yaml, &PlanOptions::default());
    let worker = script.site.worker_moving(planner, backend, vec![new], FormerAdapters::Moved(vec![old]));
    let report = script.site.drive(&worker, "apply", ApplyOptions::default()).expect("a report");
    assert_eq!(outcomes(&report), ["destroy services.db done", "create services.db done"]);
    let by = script.site.load().resources["services.db"].adapter.clone().unwrap_or_default();
    assert_eq!((&*by.instance, &*by.address), ("two", "new"));
}

/// The number of reads of the adapter's identity, by whether the record has it.
#[test]
fn the_identity_of_a_recorded_adapter_is_checked_again() {
    for (is_known, requests) in [(false, 1), (true, 2)] {
        let script = Script::new(Environment::new()).with(vec![instance("one")]);
        assert!(script.apply(APART).expect("a report").ok);
        let mut state = script.site.load();
        if !is_known {
            state.resources.values_mut().for_each(|it| it.adapter = None);
        }
        let mut script = script.with((0..9).map(|_| instance("one")).collect());
        script.site.backend = MemoryBackend::of(state).recording_commits();
        let worker = script.worker(APART, false);
        let engine = worker.engine.clone();
        script.site.run(&worker.engine, async move {
            engine.inspect().await.expect("read");
            engine.plan(true).await.expect("a plan");
        });
        assert_eq!(script.count("describe"), requests);
    }
}

/// A resource is destroyed by the adapter of its recorded kind, whatever the descriptor has at its address now.
#[test]
fn resources_are_destroyed_as_their_recorded_kind() {
    let mut script = shop();
    let mut state = script.site.load();
    state.resources.retain(|address, _| address == "services.a");
    state.resources.get_mut("services.a").expect("a").kind = "gadget".into();
    script.site.backend = MemoryBackend::of(state).recording_commits();
    let script = script.with(vec![instead("destroy", |call, _| {
        let id = call.resource().expect("a resource");
        Ok((200, json!({"kind": id.kind, "id": id.id, "phase": "terminated"})))
    })]);
    let planner = deployment(APART, &PlanOptions { destroy: true, ..PlanOptions::default() });
    let backend = std::rc::Rc::new(script.site.backend.clone());
    let worker = script.site.worker_with(planner, backend, vec![script.route(Some("gadget"), "gadgets", 1)]);
    let engine = worker.engine.clone();
    let report = script.site.run(&worker.engine, async move {
        engine.open("destroy").await.expect("open");
        let planned = engine.plan(false).await.expect("a plan");
        let terms = ApplyOptions { keep_going: true, ..ApplyOptions::default() };
        let report = engine.apply(&planned.digest, terms).await.expect("a report");
        engine.close().await.expect("closed");
        report
    });
    assert_eq!(
        (outcomes(&report), script.writes()),
        (vec!["destroy services.a done".into()], vec!["destroy"])
    );
}

/// The record that it existed is kept, and so is its generation.
#[test]
fn resources_destroyed_for_a_rebuild_stay_recorded() {
    let script = shop();
    let no = instead("create", says(Problem::new(Code::Forbidden, "no")));
    let script = script.with(vec![no]);
    let yaml = APART.replace(", b: {payload: p}, c: {payload: p}, d: {payload: p}", "");
    let yaml = yaml.replace("p1", "p2");
    let worker = script.worker(&yaml, false);
    let report = script.site.drive(&worker, "apply", ApplyOptions::default()).expect("a report");
    assert_eq!(report.summary.failed, 1, "{:?}", outcomes(&report));
    let kinds = worker.engine.runtime().inspect().kinds;
    let shown =
        kinds.iter().find(|it| it.kind.to_string() == "recorded/Resources").map_or(0, |it| it.resources);
    assert_eq!(shown, script.site.recorded().len());
    let a = script.site.load().resources["services.a"].clone();
    assert_eq!((&*a.phase, a.generation, a.outputs.len()), ("terminated", 1, 0));
    assert!(script.apply(&yaml).expect("a report").ok);
    assert_eq!(script.site.load().resources["services.a"].generation, 2);
}

/// Two kinds over one connection are counted once.
#[test]
fn each_request_is_counted_once() {
    let script = Script::new(Environment::new());
    let routes = vec![script.route(Some("service"), "one", 1), script.route(Some("network"), "one", 1)];
    let worker = script.site.worker_of(APART, routes);
    assert!(script.site.drive(&worker, "apply", ApplyOptions::default()).expect("a report").ok);
    let requests =
        script.writes().len() + script.count("describe") + script.count("list") + script.count("batch_read");
    assert_eq!(worker.engine.traffic()["one"].requests, requests as u64);
    assert_eq!(requests, 7);
}
