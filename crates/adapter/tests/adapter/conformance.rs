#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::rc::Rc;

use planloom_adapter::{
    CallMatcher, Fault, FaultOrder, Latency, SimulatorConfig,
    conformance::{Options, Outcome, Report, run},
};
use serde_json::json;

use crate::support::{Shop, caller, map, spec};

fn options() -> Options {
    let mut options = Options::new("service", spec(), "a-lineage-of-the-suite");
    options.changed = Some(map(json!({ "payload": { "runtime": "vm" }, "labels": { "tier": "{n}" } })));
    options.rebuild = Some(map(json!({ "payload": { "runtime": "vm2" }, "labels": { "tier": "a" } })));
    options.origin = Some("https://app.example".into());
    options
}

fn test(shop: &Shop, options: Options) -> Report {
    shop.world.run(run(Rc::new(shop.transport()), caller(), shop.world.timer(), options))
}

#[test]
fn the_simulator_passes_everything_and_nothing_is_left() {
    let slow = SimulatorConfig {
        latency_ms: Latency::all(15_000),
        ready_ms: 3_000,
        jitter_ms: 900,
        ..SimulatorConfig::default()
    };
    let quick = SimulatorConfig {
        latency_ms: Latency::all(30),
        jitter_ms: 20,
        ready_ms: 500,
        ..SimulatorConfig::default()
    };
    for (config, skipped) in [(SimulatorConfig::default(), 1), (quick, 1), (slow, 0)] {
        let shop = Shop::with(config);
        let report = test(&shop, options());
        assert!(report.is_ok(), "{report}");
        assert_eq!((report.skipped, report.passed + report.skipped), (skipped, 38), "{report}");
        assert!(shop.simulator.resources().is_empty());
        let tally = shop.simulator.call_counts();
        assert_eq!(tally.made, tally.destroyed);
        assert!(shop.service.records().is_empty());
    }
}

#[test]
fn conformance_reports_checks_skipped_for_missing_input() {
    let shop = Shop::new();
    let report = test(&shop, Options::new("service", spec(), "l"));
    assert!(report.is_ok(), "{report}");
    for id in ["cors", "update", "update-again", "update-stale", "rebuild", "key-reused", "long-poll"] {
        let check = report.check(id).unwrap();
        assert_eq!(check.outcome, Outcome::Skipped, "{id}");
        assert!(!check.detail.is_empty(), "{id}");
    }
}

#[test]
fn only_requested_checks_run() {
    let shop = Shop::new();
    let only = vec!["create".to_owned(), "clean".to_owned()];
    let report = test(&shop, Options { only, ..options() });
    assert_eq!(report.checks.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["create", "clean"]);
    assert_eq!(report.check("clean").unwrap().detail, "1 resources were created");
}

#[test]
fn conformance_stops_early_for_an_unresponsive_adapter() {
    for fault in [Fault::Refuse, Fault::Silence, Fault::Reset { after: 0 }] {
        let shop = Shop::new();
        shop.faults.order(FaultOrder::before(CallMatcher::default(), fault.clone()));
        let report = test(&shop, options());
        assert_eq!((report.passed, report.failed, report.not_run), (0, 1, 37), "{fault:?} {report}");
        assert!(report.to_string().ends_with("37 not run: there was never a response"), "{report}");
        assert_eq!(report.check("describe").unwrap().outcome, Outcome::Failed);
        assert_eq!(shop.faults.injected().len(), 1, "{fault:?}");
    }
}

#[test]
fn a_report_reads_back_and_reads_well() {
    let shop = Shop::new();
    let report = test(&shop, options());
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
    let text = report.to_string();
    assert!(text.starts_with("simulator 0.1.0 at http://adapter.example/sim, kind `service`\n"), "{text}");
    assert!(text.ends_with("37 passed, 0 failed, 1 skipped"), "{text}");
    let lines = &report.check("create").unwrap().lines;
    assert!(lines[0].starts_with("PUT /v1/resources/service/"), "{lines:?}");
    assert!(lines[0].contains(" → 201 {"), "{lines:?}");
    assert!(!json.contains(crate::support::TOKEN));
}
