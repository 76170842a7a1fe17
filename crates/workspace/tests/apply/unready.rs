//! Resources that an earlier run began and left before they were ready.

use std::time::Duration;

use adapter::SimulatorConfig;
use planloom_workspace::{PlanOptions, engine::Settings};

use crate::{
    crash::die_after,
    environment::{Environment, actions},
};

/// Each takes an output that only a ready resource has: the address.
const CHAIN: &str = "
meta: {name: chain}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services:
  store: {payload: p, network: lan}
  page: {payload: p, network: lan, init: [[run, '${services.store.network_node.ip}']]}
";

/// Longer than the lease of the engine that died.
const READY: u32 = 200_000;

fn slow() -> Environment {
    Environment::with(SimulatorConfig { ready_ms: READY, ..SimulatorConfig::default() })
}

/// The next run waits for it, and so do its dependents: it ends as if no engine had died.
#[test]
fn it_is_waited_for_by_who_comes_next() {
    let mut writes = 0;
    let mut waits = 0;
    loop {
        writes += 1;
        let site = slow();
        let died = die_after(&site, CHAIN, &PlanOptions::default(), writes);
        site.world.advance(61_000);
        waits += usize::from(site.plan(CHAIN).plan.actions.iter().any(|it| it.waits));
        let report = site.apply(CHAIN);
        assert!(report.ok, "after {writes} writes: {report:#?}");
        let active = ["networks.lan active", "services.page active", "services.store active"];
        assert_eq!(site.recorded(), active, "after {writes} writes");
        assert!(site.load().resources.values().all(|it| !it.outputs.is_empty()), "after {writes} writes");
        assert_eq!(site.simulator.call_counts().made, 3, "after {writes} writes");
        assert_eq!(actions(&site.plan(CHAIN)), [""; 0], "after {writes} writes");
        if !died {
            break;
        }
    }
    assert!(waits >= 3, "only {waits} times something was not ready");
}

/// Resources that became ready between two runs are recorded as ready, with their outputs at that time.
#[test]
fn resources_that_became_ready_are_recorded_as_ready() {
    for writes in 1..8 {
        let site = slow();
        die_after(&site, CHAIN, &PlanOptions::default(), writes);
        site.world.advance(i64::from(READY) + 61_000);
        let report = site.apply(CHAIN);
        assert!(report.ok, "after {writes} writes: {report:#?}");
        let active = ["networks.lan active", "services.page active", "services.store active"];
        assert_eq!(site.recorded(), active, "after {writes} writes");
        assert!(site.load().resources.values().all(|it| !it.outputs.is_empty()), "after {writes} writes");
        assert_eq!(actions(&site.plan(CHAIN)), [""; 0], "after {writes} writes");
    }
}

/// A resource that does not get ready fails each time, delays its dependents, and does not count as being as described.
#[test]
fn resources_that_never_get_ready_fail_each_time() {
    let mut site = slow();
    site.settings = Settings { step_timeout: Duration::from_secs(5), ..Settings::default() };
    site.simulator.set(SimulatorConfig { ready_ms: u32::MAX, ..SimulatorConfig::default() });
    for _ in 0..3 {
        let report = site.apply(CHAIN);
        assert!(!report.ok, "{report:#?}");
        let error = report.steps[0].error.as_ref().expect("why");
        assert_eq!(error.code, "engine/timeout");
        assert_eq!(site.recorded(), ["networks.lan pending"]);
    }
    assert_eq!(site.simulator.call_counts().made, 1);
}
