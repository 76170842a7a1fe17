//! Adapters that answer late or not at all, as far as that is about time; other cases are in the host's `matrix`.

use std::time::Duration;

use adapter::{CallMatcher, Fault, FaultOrder};
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Event, Settings, StepState, Watching},
};

use crate::{
    cases::S0,
    environment::{Environment, outcomes},
    watching::{EVERY, watch},
};

const ONE: &str = "payloads: {p: {runtime: vm}}\nservices: {web: {payload: p}}\n";

fn busy(seconds: Option<u32>, times: u32) -> FaultOrder {
    let fault = Fault::Status { code: 429, retry_after: seconds };
    FaultOrder::before(CallMatcher::call("create").times(times), fault)
}

/// The times of the requests to create it, counted from the first one, in milliseconds.
fn request_times(site: &Environment) -> Vec<i64> {
    let all = site.puts.as_ref().expect("clocked").borrow();
    all.iter().map(|at| at - all[0]).collect()
}

fn clocked(site: Environment) -> Environment {
    Environment { puts: Some(Default::default()), ..site }
}

#[test]
fn case_67_retry_after_sets_the_time_of_the_next_request() {
    let site = clocked(Environment::new());
    site.faults.order(busy(Some(7), 1));
    let report = site.apply(ONE);
    let at = request_times(&site);
    assert!(report.ok, "{report:#?}");
    assert_eq!(at.len(), 2);
    assert!((7_000..7_500).contains(&at[1]), "{at:?}");
}

/// Ten `Retry-After` are ten waits of that length, and no pause grows; the first response without one causes the first
/// back-off.
#[test]
fn case_67_retry_after_does_not_increase_the_back_off() {
    let site = clocked(Environment::new());
    site.faults.order(busy(Some(7), 10));
    site.faults.order(busy(None, 1));
    let report = site.apply(ONE);
    let at = request_times(&site);
    assert!(report.ok, "{report:#?}");
    let pauses: Vec<i64> = at.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(pauses.len(), 11);
    assert!(pauses[..10].iter().all(|it| (7_000..7_500).contains(it)), "{pauses:?}");
    assert!((125..=250).contains(&pauses[10]), "{pauses:?}");
}

#[test]
fn case_67_waiting_longer_than_there_is_time_is_not_begun() {
    let site = clocked(Environment::new());
    site.faults.order(busy(Some(3_600), u32::MAX));
    let start = site.world.now();
    let report = site.apply(ONE);
    assert_eq!(outcomes(&report), ["create services.web failed"]);
    let error = report.steps[0].error.clone().expect("why");
    assert!(error.passing, "{error:?}");
    assert!(site.world.now() - start < 1_000, "it does not sit the time out");
    assert!(site.load().journal.is_empty() && site.calls().is_empty());
}

/// An overloaded adapter that says so is retried until the step's time is over, and no longer.
#[test]
fn case_67_it_ends_with_the_step() {
    let site = clocked(Environment::new());
    site.faults.order(busy(Some(0), u32::MAX));
    let start = site.world.now();
    let report = site.apply(ONE);
    let at = request_times(&site);
    assert_eq!(outcomes(&report), ["create services.web failed"]);
    assert!(site.world.now() - start <= 600_000);
    assert!(at.windows(2).all(|two| two[1] - two[0] >= 250), "not without pause");
}

fn forty() -> String {
    let services: String = (0..40).map(|it| format!("  s{it}: {{payload: p}}\n")).collect();
    format!("payloads: {{p: {{runtime: vm}}}}\nservices:\n{services}")
}

/// The adapter cannot be reached for ten minutes; then forty steps are due at once.
#[test]
fn case_70_after_ten_minutes_offline_all_is_made_once_and_four_at_a_time() {
    let latency_ms = serde_json::from_str("{\"create\": 200}").expect("knobs");
    let knobs = adapter::SimulatorConfig { latency_ms, ..adapter::SimulatorConfig::default() };
    let settings = Settings { per_adapter: 4, ..Settings::default() };
    let site = Environment { settings, ..clocked(Environment::with(knobs)) };
    site.faults.order(FaultOrder::before(CallMatcher::default(), Fault::Refuse));
    let worker = site.worker(&forty(), &PlanOptions::default());
    watch(&site, &worker, Watching { creates: true, ..EVERY }, 660, |second| {
        if second == 600 {
            assert_eq!(site.simulator.call_counts().create, 0);
            site.faults.clear();
        }
    });
    assert_eq!((site.resources().len(), site.simulator.call_counts().create), (40, 40));
    assert!(site.simulator.duplicates().is_empty());
    assert_eq!(request_times(&site).len(), 40, "none was sent twice");
    assert_eq!(worker.engine.traffic()["simulator"].most_in_flight, 4);
    assert!(site.load().journal.is_empty());
}

/// The tab slept for ten minutes while forty steps waited for their next try.
#[test]
fn case_70_who_slept_for_ten_minutes_goes_on_where_it_was() {
    let site = Environment {
        settings: Settings {
            per_adapter: 4,
            step_timeout: Duration::from_secs(3_600),
            ..Settings::default()
        },
        ..Environment::new()
    };
    site.faults.order(FaultOrder::before(CallMatcher::call("create").times(40), Fault::Refuse));
    let worker = site.worker(&forty(), &PlanOptions::default());
    let (engine, running) = (worker.engine.clone(), worker.engine.clone());
    site.world.spawn(async move { running.run().await.expect("runs") });
    let done = std::rc::Rc::new(std::cell::RefCell::new(None));
    let place = done.clone();
    site.world.spawn(async move {
        engine.open("apply").await.expect("open");
        let report =
            crate::environment::plan_and_apply(&engine, ApplyOptions::default()).await.expect("a report");
        place.replace(Some(report));
        engine.close().await.expect("closed");
        engine.stop();
    });
    site.world.settle();
    assert_eq!(site.simulator.call_counts().create, 0);
    // All at once, as a machine wakes.
    site.world.timer().advance(600_000);
    site.world.advance(10_000);
    let report = done.take().expect("it is over");
    assert!(report.ok, "{report:#?}");
    assert_eq!((site.resources().len(), site.simulator.call_counts().create), (40, 40));
    assert!(worker.engine.traffic()["simulator"].most_in_flight <= 4);
}

/// A `DELETE` that is not possible for a while: the record stays, and the problem is reported.
#[test]
fn case_68_what_cannot_be_destroyed_yet_stays_recorded() {
    let site = Environment::new();
    assert!(site.apply(S0).ok);
    let fault = Fault::Status { code: 503, retry_after: None };
    site.faults.order(FaultOrder::before(CallMatcher::call("destroy").at("services.web").times(3), fault));
    let options = PlanOptions { destroy: true, ..PlanOptions::default() };
    let worker = site.worker(S0, &options);
    let report = site.drive(&worker, "destroy", ApplyOptions::default()).expect("a report");
    assert!(report.ok, "{report:#?}");
    let reported = worker.events.borrow().iter().filter(|it| is_reported(it)).count();
    assert_eq!(reported, 3, "each time");
    assert_eq!(site.recorded(), [""; 0]);
}

fn is_reported(event: &Event) -> bool {
    let Event::Step(view) = event else { return false };
    let message = view.message.as_deref().unwrap_or_default();
    view.state == StepState::Running && message.contains("as configured")
}
