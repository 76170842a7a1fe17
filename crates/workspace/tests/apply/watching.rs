//! Engines that keep watch.

use adapter::{Drift, Order, What, Which};
use planloom_workspace::{
    PlanOptions,
    engine::{Event, Stop, Terms, Watching},
};
use protocol::{Code, Problem};

use crate::{
    cases::S0,
    site::{Site, Worker},
};

pub(crate) const EVERY: Watching = Watching {
    interval: 10_000,
    terms: Terms { keep_going: true, allow_rebuild: false },
    only_look: false,
    destroys: false,
};

/// Watches for so long, and does something after so long.
pub(crate) fn watch(site: &Site, worker: &Worker, how: Watching, seconds: i64, meanwhile: impl Fn(i64)) {
    let (engine, running) = (worker.engine.clone(), worker.engine.clone());
    site.world.spawn(async move { running.run().await.expect("runs") });
    let watching = engine.clone();
    site.world.spawn(async move {
        watching.open("watch").await.expect("open");
        watching.watch(how).await.expect("watched");
        watching.close().await.expect("closed");
        watching.stop();
    });
    for second in 0..seconds {
        meanwhile(second);
        site.world.pass(1_000);
    }
    engine.cancel(Stop::Gently);
    site.world.pass(60_000);
    assert_eq!(site.world.tasks(), 0, "all came to its end");
}

#[test]
fn drift_is_seen_and_repaired() {
    let site = Site::new();
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

#[test]
fn who_only_looks_repairs_nothing() {
    let site = Site::new();
    site.apply(S0);
    site.simulator.drift(&Drift::Remove { address: "services.web".into() });
    site.simulator.clear_journal();
    let worker = site.worker(S0, &PlanOptions::default());
    watch(&site, &worker, Watching { only_look: true, ..EVERY }, 30, |_| {});
    assert_eq!(site.calls(), [""; 0]);
    assert!(worker.events.borrow().iter().any(|it| matches!(it, Event::Planned { actions: 1, .. })));
}

/// Case 67 of `notes/cosi`: what was refused for good is not asked again until something is different.
#[test]
fn what_was_refused_is_not_tried_again_and_again() {
    let site = Site::new();
    site.apply(S0);
    site.simulator.drift(&Drift::Remove { address: "services.web".into() });
    site.simulator.clear_journal();
    let refusal = What::Fail(Problem::new(Code::InvalidSpec, "no"));
    site.simulator.order(Order::new(Which::call("create"), refusal));
    let worker = site.worker(S0, &PlanOptions::default());
    watch(&site, &worker, EVERY, 300, |_| {});
    assert_eq!(site.calls(), ["create services.web"]);
}

/// What is not described any more is only destroyed by who said so.
#[test]
fn a_watch_destroys_only_if_told_so() {
    let less = S0.split("  web:").next().expect("the rest").to_owned();
    for destroys in [false, true] {
        let site = Site::new();
        site.apply(S0);
        site.simulator.clear_journal();
        let worker = site.worker(&less, &PlanOptions::default());
        watch(&site, &worker, Watching { destroys, ..EVERY }, 30, |_| {});
        let expected: &[&str] = if destroys { &["destroy services.web"] } else { &[] };
        assert_eq!(site.calls(), expected);
    }
}
