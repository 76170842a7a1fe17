//! Engines that keep watch.

use std::{collections::BTreeSet, time::Duration};

use adapter::{CallMatcher, Drift, Fault, FaultOrder, Faults, Order, OrderEffect};
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Connection, Event, Route, StepState, Stop, Watching},
};
use protocol::{Caller, Code, Problem};

use crate::{
    cases::S0,
    environment::{Environment, Worker, outcomes},
};

pub(crate) const EVERY: Watching = Watching {
    interval: Duration::from_secs(10),
    terms: ApplyOptions { keep_going: true, allow_rebuild: false },
    only_look: false,
    changes: true,
    creates: false,
};

/// Watches for so long, and does something after so long.
pub(crate) fn watch(
    site: &Environment,
    worker: &Worker,
    how: Watching,
    seconds: i64,
    meanwhile: impl Fn(i64),
) {
    let (engine, running) = (worker.engine.clone(), worker.engine.clone());
    site.world.spawn(async move { running.run().await.expect("runs") });
    let watching = engine.clone();
    site.world.spawn(async move {
        watching.open_skipping_unreachable("watch").await.expect("open");
        watching.watch(how).await.expect("watched");
        watching.close().await.expect("closed");
        watching.stop();
    });
    for second in 0..seconds {
        meanwhile(second);
        site.world.advance(1_000);
    }
    engine.cancel(Stop::Gently);
    site.world.advance(60_000);
    assert_eq!(site.world.tasks(), 0, "all came to its end");
}

#[test]
fn drift_is_seen_and_repaired() {
    let site = Environment::new();
    assert!(site.apply(S0).ok);
    site.simulator.clear_journal();
    let worker = site.worker(S0, &PlanOptions::default());
    watch(&site, &worker, EVERY, 60, |second| {
        if second == 15 {
            site.simulator.drift(&Drift::Remove { address: "services.web".into() });
        }
    });
    assert_eq!(site.calls(), ["create services.web"]);
    let finished = worker.events.borrow().iter().filter(|it| matches!(it, Event::Finished(_))).count();
    assert_eq!(finished, 1);
}

/// As Kubernetes restarts containers: at once, then after 10 s, 20 s and so on up to 5 minutes.
#[test]
fn what_ends_again_and_again_is_restored_less_and_less_often() {
    let site = Environment::new();
    assert!(site.apply(S0).ok);
    site.simulator.clear_journal();
    let worker = site.worker(S0, &PlanOptions::default());
    watch(&site, &worker, EVERY, 1_800, |second| {
        if second < 1_000 {
            site.simulator.drift(&Drift::Remove { address: "services.web".into() });
        }
    });
    assert_eq!(site.calls(), ["create services.web"; 9]);
    let expected = [(1, 10), (2, 20), (3, 40), (4, 80), (5, 160), (6, 300), (7, 300), (8, 300)];
    assert_eq!(pauses(&worker), expected);
    assert_eq!(restarts(&site), Some(9));
}

/// The number of restores of the service, and the seconds that it waits then, for each wait.
fn pauses(worker: &Worker) -> Vec<(u32, u64)> {
    let events = worker.events.borrow();
    let pauses = events.iter().filter_map(|it| match it {
        Event::BackOff { address, restarts, seconds } if address == "services.web" => {
            Some((*restarts, *seconds))
        }
        _ => None,
    });
    pauses.collect()
}

/// The recorded number of times that a watch has restored the service.
fn restarts(site: &Environment) -> Option<u32> {
    site.load().resources["services.web"].restarts.as_ref().map(|it| it.times)
}

/// Watches for so many seconds while the service is removed again and again, and says how it waited.
fn flap(site: &Environment, yaml: &str, seconds: i64) -> Vec<(u32, u64)> {
    let worker = site.worker(yaml, &PlanOptions::default());
    watch(site, &worker, Watching { changes: true, ..EVERY }, seconds, |_| {
        site.simulator.drift(&Drift::Remove { address: "services.web".into() });
    });
    pauses(&worker)
}

#[test]
fn the_next_watch_goes_on_where_the_last_one_has_ended() {
    let flapping = || {
        let site = Environment::new();
        assert!(site.apply(S0).ok);
        assert_eq!((flap(&site, S0, 105), restarts(&site)), (vec![(1, 10), (2, 20), (3, 40)], Some(4)));
        site
    };
    assert_eq!(flap(&flapping(), S0, 150), [(4, 80), (5, 160)]);
    // It was as described for long enough, an apply has restored it, or it is another service.
    let (healthy, applied) = (flapping(), flapping());
    healthy.world.advance(600_000);
    assert_eq!(flap(&healthy, S0, 25), [(1, 10)]);
    assert!(applied.apply(S0).ok);
    assert_eq!((restarts(&applied), flap(&applied, S0, 25)), (None, vec![(1, 10)]));
    let other = S0.replace("  web: {", "  web: {labels: {tier: other}, ");
    assert_ne!(other, S0);
    assert_eq!(flap(&flapping(), &other, 25), [(1, 10)]);
}

/// A step is recorded before it is done, and its outcome afterwards; the number of restores is written with these.
#[test]
fn a_restart_is_recorded_with_two_commits() {
    let site = Environment::new();
    assert!(site.apply(S0).ok);
    let before = site.load().serial;
    assert_eq!(flap(&site, S0, 35), [(1, 10), (2, 20)]);
    assert_eq!((restarts(&site), site.load().serial - before), (Some(2), 4));
}

/// The adapter refuses it, or the outcome is not known until it is read again.
#[test]
fn what_could_not_be_restored_counts_as_well() {
    for code in [Code::Internal, Code::Cancelled, Code::Gone] {
        let site = Environment::new();
        assert!(site.apply(S0).ok);
        let failure = OrderEffect::Fail(Problem::new(code, "no room"));
        site.simulator.order(Order::new(CallMatcher::call("create"), failure));
        assert_eq!(flap(&site, S0, 35), [(1, 10), (2, 20)], "{code:?}");
        assert!(!site.resources().contains(&"services.web".to_owned()), "{code:?}");
        assert_eq!(flap(&site, S0, 5), [(2, 20)], "{code:?}");
        assert_eq!((restarts(&site), site.load().journal.len()), (Some(2), 0), "{code:?}");
    }
}

/// A port that is in use for a moment, say.
#[test]
fn what_could_not_be_made_ready_is_tried_again() {
    let site = Environment::new();
    assert!(site.apply(S0).ok);
    site.simulator.clear_journal();
    let worker = site.worker(S0, &PlanOptions::default());
    let unready = OrderEffect::Fail(Problem::new(Code::Internal, "exited before it was ready"));
    site.simulator.order(Order::new(CallMatcher::call("create").times(2), unready));
    watch(&site, &worker, EVERY, 120, |second| {
        if second == 15 {
            site.simulator.drift(&Drift::Remove { address: "services.web".into() });
        }
    });
    assert!(site.resources().contains(&"services.web".to_owned()), "{:?}", site.calls());
    assert!(site.recorded().contains(&"services.web active".to_owned()), "{:?}", site.recorded());
}

#[test]
fn a_read_only_watch_repairs_nothing() {
    let site = Environment::new();
    site.apply(S0);
    site.simulator.drift(&Drift::Remove { address: "services.web".into() });
    site.simulator.clear_journal();
    let worker = site.worker(S0, &PlanOptions::default());
    watch(&site, &worker, Watching { only_look: true, ..EVERY }, 30, |_| {});
    assert_eq!(site.calls(), [""; 0]);
    assert!(worker.events.borrow().iter().any(|it| matches!(it, Event::Planned { actions: 1, .. })));
}

/// A step that was refused permanently is not requested again until something differs.
#[test]
fn refused_actions_are_not_retried_by_a_watch() {
    let site = Environment::new();
    site.apply(S0);
    site.simulator.drift(&Drift::Remove { address: "services.web".into() });
    site.simulator.clear_journal();
    let refusal = OrderEffect::Fail(Problem::new(Code::InvalidSpec, "no"));
    site.simulator.order(Order::new(CallMatcher::call("create"), refusal));
    let worker = site.worker(S0, &PlanOptions::default());
    watch(&site, &worker, EVERY, 300, |_| {});
    assert_eq!(site.calls(), ["create services.web"]);
}

/// Resources that are not described any more are destroyed only by a watch that follows the descriptors.
#[test]
fn a_watch_destroys_only_with_changes() {
    let less = S0.split("  web:").next().expect("the rest").to_owned();
    for changes in [false, true] {
        let site = Environment::new();
        site.apply(S0);
        site.simulator.clear_journal();
        let worker = site.worker(&less, &PlanOptions::default());
        watch(&site, &worker, Watching { changes, ..EVERY }, 30, |_| {});
        let expected: &[&str] = if changes { &["destroy services.web"] } else { &[] };
        assert_eq!(site.calls(), expected);
    }
}

/// Changes of the descriptors wait for an apply, and so do their dependents.
#[test]
fn a_watch_without_changes_restores_drift_only() {
    let before = "
payloads: {p: {runtime: vm}}
services:
  db: {payload: p, labels: {tier: one}}
  web: {payload: p, depends_on: [db]}
  mail: {payload: p, labels: {tier: one}}
  old: {payload: p}
  log: {payload: p, depends_on: [old]}
";
    let after = before.replace("one", "two").replace("  old: {payload: p}\n", "  new: {payload: p}\n");
    let after = after.replace("[old]", "[]");
    let site = Environment::new();
    assert!(site.apply(before).ok);
    site.simulator.clear_journal();
    let worker = site.worker(&after, &PlanOptions::default());
    watch(&site, &worker, Watching { changes: false, ..EVERY }, 60, |second| {
        if second == 15 {
            for name in ["web", "mail", "log"] {
                site.simulator.drift(&Drift::Remove { address: format!("services.{name}") });
            }
        }
    });
    assert_eq!(site.calls(), ["create services.log"]);
    let waiting: BTreeSet<String> =
        worker.engine.unapplied().iter().map(|(action, address)| format!("{action} {address}")).collect();
    let expected =
        ["create services.mail", "create services.new", "create services.web", "destroy services.old"];
    assert_eq!(waiting, expected.into_iter().chain(["update services.db"]).map(Into::into).collect());
    let worker = site.worker(&after, &PlanOptions::default());
    watch(&site, &worker, Watching { creates: true, ..EVERY }, 60, |_| {});
    assert_eq!(site.calls().len(), 6, "all of it is done by a watch that follows the descriptors");
    assert!(worker.engine.unapplied().is_empty());
}

/// Two adapters: one makes services; the other, which has the faults, makes networks.
fn apart(site: &Environment, faults: &Faults, yaml: &str) -> Worker {
    let route = |faults: &Faults, kind: &str, port: u16| {
        let caller = Caller::new(&format!("http://127.0.0.1:{port}"), None).expect("an address");
        let connection = Connection {
            name: format!("makes-{kind}"),
            transport: site.transport_through(faults),
            caller,
            credentials: None,
        };
        Route { kind: Some(kind.into()), connection }
    };
    site.worker_of(yaml, vec![route(&site.faults, "service", 1), route(faults, "network", 2)])
}

const APART: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {db: {payload: p}, web: {payload: p, network: lan}, log: {payload: p, depends_on: [web]}}
";

/// An unreachable adapter delays its resources and their dependents, and nothing else.
#[test]
fn an_unreachable_adapter_does_not_block_others() {
    let site = Environment::new();
    let faults = Faults::new();
    let worker = apart(&site, &faults, APART);
    let report = site.drive(&worker, "apply", ApplyOptions::default()).expect("applied");
    assert!(report.ok, "{report:#?}");
    faults.order(FaultOrder::before(CallMatcher::default(), Fault::Reset { after: 0 }));
    let worker = apart(&site, &faults, APART);
    let gone = |name: &str| site.simulator.drift(&Drift::Remove { address: format!("services.{name}") });
    site.simulator.clear_journal();
    watch(&site, &worker, EVERY, 300, |second| match second {
        50 => drop(["db", "web", "log"].map(gone)),
        200 => {
            assert_eq!(site.calls(), ["create services.db"], "the others are held up");
            faults.clear();
        }
        _ => {}
    });
    assert_eq!(site.calls(), ["create services.db", "create services.web", "create services.log"]);
    let events = worker.events.borrow();
    let errors: Vec<_> =
        events.iter().filter_map(|it| if let Event::Error(it) = it { Some(it) } else { None }).collect();
    assert!(
        errors[0].message.starts_with("adapter `makes-network` cannot report the status of networks.lan: ")
    );
    assert_eq!(
        (errors[0].about.as_slice(), &*errors[0].code),
        (&["networks.lan".to_owned()][..], "engine/unreachable")
    );
    assert!(errors.len() <= 2, "it is not said again and again: {errors:#?}");
    let left: Vec<_> = events
        .iter()
        .filter_map(|it| if let Event::Step(it) = it { Some(it) } else { None })
        .filter(|it| it.state == StepState::Skipped)
        .map(|it| (it.address.as_str(), it.message.is_some()))
        .collect();
    assert_eq!(left, [("services.web", true), ("services.log", true)]);
    assert!(events.iter().any(|it| matches!(it, Event::Reached { adapter } if adapter == "makes-network")));
}

/// The error of a plan names the unreachable adapter and its resources.
#[test]
fn a_plan_of_half_of_what_there_is_is_none() {
    let site = Environment::new();
    let faults = Faults::new();
    let worker = apart(&site, &faults, APART);
    let report = site.drive(&worker, "apply", ApplyOptions::default()).expect("applied");
    assert!(report.ok, "{report:#?}");
    faults.order(FaultOrder::before(CallMatcher::default(), Fault::Reset { after: 0 }));
    let worker = apart(&site, &faults, APART);
    let error = site.drive(&worker, "apply", ApplyOptions::default()).expect_err("it cannot be planned");
    assert_eq!(error.about, ["networks.lan"]);
    assert!(error.message.starts_with("adapter `makes-network` cannot report the status of networks.lan: "));
}

/// A site in which the creation of the network was begun, and its adapter never reported the outcome.
fn unsettled() -> (Environment, Faults) {
    let (site, faults) = (Environment::new(), Faults::new());
    faults.order(FaultOrder::after(CallMatcher::call("create").times(1), Fault::Reset { after: 0 }));
    faults.order(FaultOrder::before(CallMatcher::call("read"), Fault::Reset { after: 0 }));
    let terms = ApplyOptions { keep_going: true, ..ApplyOptions::default() };
    let report = site.drive(&apart(&site, &faults, APART), "apply", terms).expect("applied");
    assert_eq!(report.steps[0].error.as_ref().expect("why").code, "engine/unknown");
    assert_eq!(
        (site.calls(), site.load().journal.len()),
        (vec!["create networks.lan", "create services.db"].into_iter().map(Into::into).collect(), 1)
    );
    faults.clear();
    faults.order(FaultOrder::before(CallMatcher::default(), Fault::Reset { after: 0 }));
    site.simulator.clear_journal();
    (site, faults)
}

/// The steps that an earlier run began at an unreachable adapter are waited for; the rest is kept meanwhile.
#[test]
fn unsettled_operations_do_not_end_a_watch() {
    let (site, faults) = unsettled();
    let worker = apart(&site, &faults, APART);
    watch(&site, &worker, Watching { creates: true, ..EVERY }, 300, |second| match second {
        50 => assert_eq!(site.simulator.drift(&Drift::Remove { address: "services.db".into() }), 1),
        200 => {
            assert_eq!(site.calls(), ["create services.db"], "the others are held up");
            assert_eq!(site.load().journal.len(), 1);
            faults.clear();
        }
        _ => {}
    });
    assert_eq!(site.calls(), ["create services.db", "create services.web", "create services.log"]);
    assert!(site.load().journal.is_empty() && site.simulator.duplicates().is_empty());
    let events = worker.events.borrow();
    let errors: Vec<_> =
        events.iter().filter_map(|it| if let Event::Error(it) = it { Some(it) } else { None }).collect();
    assert!(
        errors[0].message.starts_with("adapter `makes-network` cannot report the status of networks.lan: ")
    );
    assert!(errors.len() <= 2, "it is not said again and again: {errors:#?}");
    let found =
        |it: &Event| matches!(it, Event::Recovered { address, found: true, .. } if address == "networks.lan");
    assert_eq!(events.iter().filter(|it| found(it)).count(), 1);
    assert!(events.iter().any(|it| matches!(it, Event::Reached { adapter } if adapter == "makes-network")));
}

/// An apply reports them, and does nothing.
#[test]
fn unsettled_operations_block_an_apply() {
    let (site, faults) = unsettled();
    let worker = apart(&site, &faults, APART);
    let error = site.drive(&worker, "apply", ApplyOptions::default()).expect_err("it cannot be opened");
    assert_eq!((&*error.code, site.calls()), ("engine/unsettled", Vec::new()));
    let message = "adapter `makes-network` cannot report the result of earlier steps on networks.lan: ";
    assert!(error.message.starts_with(message), "{error}");
    faults.clear();
    let report =
        site.drive(&apart(&site, &faults, APART), "apply", ApplyOptions::default()).expect("applied");
    assert!(report.ok, "{report:#?}");
    assert_eq!(site.calls(), ["create services.web", "create services.log"]);
}

/// A run that keeps going after a failure skips unreachable adapters, too; it reports that it was not complete.
#[test]
fn keep_going_skips_unreachable_adapters() {
    let (site, faults) = (Environment::new(), Faults::new());
    assert!(site.drive(&apart(&site, &faults, APART), "apply", ApplyOptions::default()).expect("applied").ok);
    faults.order(FaultOrder::before(CallMatcher::default(), Fault::Reset { after: 0 }));
    site.simulator.clear_journal();
    for name in ["db", "web"] {
        site.simulator.drift(&Drift::Remove { address: format!("services.{name}") });
    }
    let worker = apart(&site, &faults, APART);
    let engine = worker.engine.clone();
    let (report, unseen) = site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        let planned = engine.plan_skipping_unreachable().await.expect("a plan");
        let terms = ApplyOptions { keep_going: true, ..ApplyOptions::default() };
        let report = engine.apply(&planned.digest, terms).await.expect("a report");
        engine.close().await.expect("closed");
        (report, engine.unreachable_adapters())
    });
    assert_eq!(site.calls(), ["create services.db"]);
    assert_eq!(outcomes(&report), ["create services.db done", "create services.web skipped"]);
    let left = report.steps[1].message.as_deref().expect("why");
    assert_eq!(left, "skipped: adapter `makes-network` cannot report the status of its resources");
    assert_eq!(
        (report.ok, unseen.len(), unseen[0].about.clone()),
        (false, 1, vec!["networks.lan".to_owned()])
    );
}
