//! Resources that ended on their own and are still known to their adapter: a stopped container, a log.

use adapter::{Drift, Latency, SimulatorConfig};
use planloom_workspace::PlanOptions;

use crate::{
    crash::die_after,
    environment::{Environment, outcomes},
};

const PAIR: &str = "
meta: {name: pair}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services:
  store: {payload: p, network: lan}
  page: {payload: p, network: lan}
";

fn stopped(address: &str) -> Environment {
    let site = Environment::new();
    assert!(site.apply(PAIR).ok);
    stop(&site, address);
    site.simulator.clear_journal();
    site
}

fn stop(site: &Environment, address: &str) {
    assert_eq!(site.simulator.drift(&Drift::Stop { address: address.into() }), 1);
}

/// Its adapter keeps some data of it until it is destroyed.
#[test]
fn a_terminated_resource_is_destroyed_before_it_is_recreated() {
    let site = stopped("services.page");
    assert!(site.apply(PAIR).ok);
    assert_eq!(site.calls(), ["destroy services.page", "create services.page"]);
    assert_eq!(site.resources(), ["networks.lan", "services.page", "services.store"]);
    assert_eq!(site.load().resources["services.page"].generation, 2);
}

/// The network that it is in is destroyed after it.
#[test]
fn a_terminated_resource_no_longer_desired_is_destroyed() {
    let site = stopped("services.page");
    let report = site.destroy(PAIR);
    let expected = ["destroy services.store done", "destroy services.page done", "destroy networks.lan done"];
    let mut steps = outcomes(&report);
    steps.sort();
    let mut sorted = expected;
    sorted.sort_unstable();
    assert_eq!(steps, sorted);
    assert_eq!(site.calls().last().map(String::as_str), Some("destroy networks.lan"));
    assert_eq!((site.resources(), site.recorded()), (Vec::new(), Vec::new()));
}

/// Resources that are really gone are only forgotten.
#[test]
fn ended_resources_without_leftovers_need_no_call() {
    let site = stopped("services.page");
    site.simulator.drift(&Drift::Remove { address: "services.page".into() });
    assert!(site.destroy(PAIR).ok);
    assert_eq!(site.calls(), ["destroy services.store", "destroy networks.lan"]);
}

/// A run that dies while destroying or creating it leaves nothing behind that the next run does not find.
#[test]
fn it_is_found_by_who_comes_next() {
    for destroy in [false, true] {
        let options = PlanOptions { destroy, ..PlanOptions::default() };
        let mut writes = 0;
        loop {
            writes += 1;
            let site = Environment::new();
            if destroy {
                assert!(site.apply(PAIR).ok);
            }
            let died = die_after(&site, PAIR, &options, writes);
            site.world.advance(120_000);
            site.simulator.drift(&Drift::Stop { address: "services.*".into() });
            let report = if destroy { site.destroy(PAIR) } else { site.apply(PAIR) };
            assert!(report.ok, "after {writes} writes: {report:#?}");
            let there = if destroy { 0 } else { 3 };
            assert_eq!(
                (site.resources().len(), site.recorded().len()),
                (there, there),
                "after {writes} writes"
            );
            if !died {
                break;
            }
        }
        assert!(writes > 6, "it died only {writes} times");
    }
}

/// An adapter continues a destroy that it has begun, whichever engine died: a resource that is desired after all is created
/// again, and not confused with the one that is about to end.
#[test]
fn resources_being_destroyed_are_not_kept() {
    let mut died = 0;
    for writes in 1..12 {
        let site = Environment::new();
        assert!(site.apply(PAIR).ok);
        let knobs = site.simulator.config();
        let latency_ms = Latency { destroy: 200_000, ..knobs.latency_ms };
        site.simulator.set(SimulatorConfig { latency_ms, ..knobs });
        let destroy = PlanOptions { destroy: true, ..PlanOptions::default() };
        died += usize::from(die_after(&site, PAIR, &destroy, writes));
        site.world.advance(61_000);
        let report = site.apply(PAIR);
        assert!(report.ok, "after {writes} writes: {report:#?}");
        site.world.advance(600_000);
        let expected = ["networks.lan", "services.page", "services.store"];
        assert_eq!(site.resources(), expected, "after {writes} writes");
        assert_eq!(site.recorded(), expected.map(|it| format!("{it} active")), "after {writes} writes");
        assert_eq!(outcomes(&site.apply(PAIR)), [""; 0], "after {writes} writes");
    }
    assert!(died >= 2, "it died only {died} times");
}
