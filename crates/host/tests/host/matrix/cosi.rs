//! Adapters that refuse, vanish and come back; tests of times are in the workspace's `apply` tests.

use std::{cell::RefCell, rc::Rc, time::Duration};

use adapter::{CallMatcher, Fault, FaultOrder, Limits, SimulatorConfig};
use planloom_host::run;
use protocol::{Answer, Code, Problem};
use state::Backend;
use tokio::time::sleep;
use workspace::engine::{ApplyOptions, Event, StepState, Stop};

use super::scene::{Scene, start};

const ONE: &str = "payloads: {p: {runtime: vm}}\nservices: {web: {payload: p}}\n";

#[test]
fn case_66_a_create_that_was_answered_too_late_is_found_and_taken_over() {
    run(async {
        let mut scene = Scene::new().await;
        scene.settings.call_timeout = Duration::from_millis(600);
        scene.faults.order(FaultOrder::after(CallMatcher::call("create").times(1), Fault::Silence));
        assert!(scene.apply(ONE).await.unwrap().ok);
        assert_eq!((scene.carried(), scene.wire.writes()), (vec!["create made".to_owned()], vec![1]));
        let (resources, state) = (scene.simulator.resources(), scene.state().await);
        assert_eq!(resources.len(), 1);
        assert_eq!(state.resources["services.web"].identity["thing"], resources[0].number);
        assert_eq!(state.resources["services.web"].id, resources[0].id.id);
    })
    .unwrap();
}

/// And if it cannot be observed yet, the same call is sent again with the same key, and gets the first
/// answer.
#[test]
fn case_66_a_create_that_cannot_be_seen_yet_is_sent_again_under_its_key() {
    run(async {
        let mut scene = Scene::new().await;
        scene.settings.call_timeout = Duration::from_millis(600);
        scene.faults.order(FaultOrder::after(CallMatcher::call("create").times(1), Fault::Silence));
        scene.meddler.refuse("read", 1, || Problem::new(Code::NotFound, "not yet"));
        assert!(scene.apply(ONE).await.unwrap().ok);
        assert_eq!((scene.carried(), scene.wire.writes()), (vec!["create made".to_owned()], vec![2]));
        assert_eq!(scene.simulator.resources().len(), 1);
    })
    .unwrap();
}

#[test]
fn case_68_a_destroy_of_what_is_gone_is_done() {
    run(async {
        let scene = Scene::new().await;
        assert!(scene.apply(ONE).await.unwrap().ok);
        scene.meddler.refuse("destroy", 1, || Problem::new(Code::NotFound, "it is gone"));
        assert!(scene.destroy(ONE).await.unwrap().ok);
        assert!(scene.state().await.resources.is_empty());
    })
    .unwrap();
}

#[test]
fn case_68_the_record_stays_until_it_is_really_gone() {
    run(async {
        let mut scene = Scene::new().await;
        scene.settings.tries = 5;
        assert!(scene.apply(ONE).await.unwrap().ok);
        scene.forget();
        let (seen, backend) = (Rc::new(RefCell::new(Vec::new())), scene.backend.clone());
        let noted = seen.clone();
        scene.meddler.instead("destroy", 3, move || {
            // Resources in memory can be read at once.
            let state = futures_util::FutureExt::now_or_never(backend.load()).unwrap().unwrap().unwrap();
            noted.borrow_mut().push((state.resources.contains_key("services.web"), state.journal.len()));
            let mut response =
                Answer::from(Problem::new(Code::Unavailable, "in the lunch break")).into_response();
            response.headers_mut().remove("retry-after");
            response
        });
        assert!(scene.destroy(ONE).await.unwrap().ok);
        assert_eq!(*seen.borrow(), [(true, 1); 3]);
        assert_eq!((scene.carried(), scene.wire.writes()), (vec!["destroy destroyed".to_owned()], vec![4]));
        let reported = |it: &&Event| {
            matches!(it, Event::Step(view) if view.state == StepState::Running
                && view.message.as_deref() == Some("in the lunch break"))
        };
        assert_eq!(scene.reported.borrow().iter().filter(reported).count(), 3);
        assert!(scene.state().await.resources.is_empty());
    })
    .unwrap();
}

async fn slow() -> Scene {
    let latency_ms = serde_json::from_value(serde_json::json!({"create": 300})).unwrap();
    Scene::with(
        SimulatorConfig { latency_ms, ..SimulatorConfig::default() },
        Limits { sync_wait_ms: 100, ..Limits::default() },
    )
    .await
}

/// Cancels the run while the create is in progress; then destroys the resources that it has created meanwhile, or is still
/// creating.
async fn case_69(pause: u64) {
    let scene = slow().await;
    let engine = scene.engine(ONE, false);
    let running = start(&engine);
    let stopper = engine.clone();
    let wire = scene.wire.clone();
    tokio::task::spawn_local(async move {
        while wire.writes().is_empty() {
            sleep(Duration::from_millis(5)).await;
        }
        sleep(Duration::from_millis(40)).await;
        stopper.cancel(Stop::AtOnce);
    });
    engine.open("apply").await.unwrap();
    let planned = engine.plan(true).await.unwrap();
    let report = engine.apply(&planned.digest, ApplyOptions::default()).await.unwrap();
    engine.close().await.unwrap();
    engine.stop();
    running.await.unwrap();
    assert_eq!(report.steps[0].error.as_ref().unwrap().code, "engine/given-up");
    assert_eq!(scene.state().await.journal.len(), 1);
    sleep(Duration::from_millis(pause)).await;
    let report = scene.destroy(ONE).await.unwrap();
    assert!(report.ok, "{report:#?}");
    let tally = scene.simulator.call_counts();
    assert_eq!((tally.made, tally.destroyed, scene.simulator.resources().len()), (1, 1, 0));
    let state = scene.state().await;
    assert!(state.resources.is_empty() && state.journal.is_empty(), "{state:?}");
}

#[test]
fn case_69_what_was_given_up_and_made_all_the_same_is_destroyed() {
    run(case_69(500)).unwrap();
}

#[test]
fn case_69_what_was_given_up_and_is_still_being_made_is_destroyed() {
    run(case_69(0)).unwrap();
}

#[test]
fn case_69_what_never_arrived_leaves_nothing() {
    run(async {
        let mut scene = Scene::new().await;
        scene.settings.call_timeout = Duration::from_millis(200);
        scene.settings.tries = 1;
        scene.faults.order(FaultOrder::before(CallMatcher::call("create").times(1), Fault::Silence));
        assert!(!scene.apply(ONE).await.unwrap().ok);
        assert_eq!(scene.state().await.journal.len(), 1);
        scene.settings.call_timeout = Duration::from_secs(4);
        assert!(scene.destroy(ONE).await.unwrap().ok);
        assert!(scene.carried().is_empty() && scene.state().await.journal.is_empty());
    })
    .unwrap();
}
