//! The conformance suite over the network: a service behaves the same in one process and through a server.

use std::rc::Rc;

use crate::support::{local, serve, transport};
use adapter::{
    Latency, MemoryLedger, Service, Setup, Simulator, SimulatorConfig,
    conformance::{Options, Report, run},
};
use planloom_host::{AdapterHandler, Mounts, SystemTimer, spawn};
use protocol::{Caller, Token};
use runtime::Timer;
use serde_json::{Map, Value as Json, json};

const BASE: &str = "/adapters/simulator";
const TOKEN: &str = "a-token-of-the-tests";

fn map(value: Json) -> Map<String, Json> {
    value.as_object().cloned().unwrap_or_default()
}

async fn test(config: SimulatorConfig) -> (Report, Simulator) {
    let timer: Rc<dyn Timer> = SystemTimer::new();
    let simulator = Simulator::new(timer.clone(), config);
    let setup = Setup {
        ledger: Box::new(MemoryLedger::default()),
        timer: timer.clone(),
        spawn: spawn(),
        token: Some(TOKEN.to_owned()),
        base: BASE.to_owned(),
    };
    let service = Service::new(Simulator::description(&["service"]), simulator.clone(), setup).unwrap();
    let server =
        serve(Rc::new(Mounts::new().mount(BASE, Rc::new(AdapterHandler::new(Rc::new(service)))))).await;
    let caller = Caller::new(&format!("{}{BASE}", server.origin()), Token::new(TOKEN)).unwrap();
    let spec = map(json!({ "payload": { "runtime": "vm" }, "labels": { "tier": "a" } }));
    let mut options = Options::new("service", spec, "conformance over the network");
    options.changed = Some(map(json!({ "payload": { "runtime": "vm" }, "labels": { "tier": "{n}" } })));
    options.rebuild = Some(map(json!({ "payload": { "runtime": "vm2" } })));
    (run(Rc::new(transport()), caller, timer, options).await, simulator)
}

#[track_caller]
fn check(config: SimulatorConfig) {
    let (report, simulator) = local(test(config));
    assert!(report.is_ok(), "{report}");
    assert!(report.passed >= 32, "{report}");
    assert!(simulator.resources().is_empty());
}

#[test]
fn a_service_behind_a_server_keeps_the_protocol() {
    check(SimulatorConfig::default());
}

#[test]
fn so_does_one_that_takes_its_time() {
    check(SimulatorConfig { latency_ms: Latency::all(5), jitter_ms: 5, ..SimulatorConfig::default() });
}
