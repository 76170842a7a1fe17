//! A run that cannot succeed destroys nothing first.

use std::rc::Rc;

use adapter::{
    CallMatcher, Drift, Fault, FaultOrder, LocalTransport, MemoryLedger, Order, OrderEffect, Service, Setup,
    Simulator, SimulatorConfig,
};
use planloom_workspace::{
    Deployment, File, PlanOptions, Workspace,
    engine::{ApplyOptions, Connection, EngineError, Report, Route},
};
use protocol::{Caller, Code, Problem, Transport};
use state::{MemoryBackend, Snapshot};

use crate::{
    cases::S0,
    environment::{Environment, Worker, actions, outcomes, plan_and_apply},
};

const BASE: &str = include_str!("../../../../static/examples/release/base.yaml");
const RELEASE: &str = include_str!("../../../../static/examples/release/release.yaml");
const STATE: &str = include_str!("../../../../static/examples/release/state.json");

fn release(options: &PlanOptions) -> Rc<Deployment> {
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into(), package: None };
    let mut workspace = Workspace::new();
    workspace.set_files(vec![file("base.yaml", BASE), file("release.yaml", RELEASE)]);
    workspace.deployment(options)
}

/// A site with the state that is shipped with the example, which says no ids.
fn shipped() -> Environment {
    let snapshot: Snapshot = serde_json::from_str(STATE).expect("a state");
    Environment { backend: MemoryBackend::of(snapshot), ..Environment::new() }
}

fn worker(site: &Environment, options: &PlanOptions) -> Worker {
    let routes = vec![Environment::route(site.transport())];
    site.worker_with(release(options), Rc::new(site.backend.clone()), routes)
}

/// A resource that is recorded without an id would otherwise count as existing forever, and could not be created.
#[test]
fn vanished_resources_are_created_again_before_any_destroy() {
    let site = shipped();
    let made = worker(&site, &PlanOptions::default());
    let engine = made.engine.clone();
    let (planned, report) = site.run(&made.engine, async move {
        engine.open("apply").await.expect("open");
        let planned = engine.plan(true).await.expect("a plan");
        let report = engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report");
        engine.close().await.expect("closed");
        (planned, report)
    });
    let expected = [
        "networks.station",
        "services.archive",
        "services.collector",
        "services.weather",
        "services.dashboard",
    ];
    let mut created = actions(&planned);
    created.sort();
    let mut wanted = expected.map(|it| format!("create {it}"));
    wanted.sort();
    assert_eq!(created, wanted);
    let gone = planned.plan.actions.iter().filter_map(|it| Some(it.reason.as_ref()?.kind()));
    assert!(gone.clone().all(|it| it == "gone"), "{:?}", gone.collect::<Vec<_>>());
    assert!(report.ok, "{report:#?}");
    assert_eq!(site.resources().len(), 5);
    assert!(site.calls().iter().all(|it| it.starts_with("create ")), "{:?}", site.calls());
    assert!(!site.recorded().iter().any(|it| it.starts_with("services.mailer")), "{:?}", site.recorded());
    let ended = worker(&site, &PlanOptions { destroy: true, ..PlanOptions::default() });
    assert!(site.drive(&ended, "destroy", ApplyOptions::default()).expect("a report").ok);
    assert_eq!((site.resources(), site.recorded()), (Vec::new(), Vec::new()));
}

/// The ids are those that it would have been made under, so existing resources are found.
#[test]
fn recorded_resources_without_an_id_are_found() {
    let site = Environment::new();
    site.apply(S0);
    let mut snapshot = site.load();
    snapshot.resources.values_mut().for_each(|it| it.id.clear());
    let site = Environment { backend: MemoryBackend::of(snapshot), ..site };
    assert_eq!(actions(&site.plan(S0)), [""; 0]);
    assert!(site.destroy(S0).ok);
    assert_eq!((site.resources(), site.recorded()), (Vec::new(), Vec::new()));
}

fn fails(call: &str, address: &str) -> Order {
    Order::new(CallMatcher::call(call).at(address), OrderEffect::Fail(Problem::new(Code::InvalidSpec, "no")))
}

/// Its dependents have to be rebuilt in it: they are left alone until it is there.
#[test]
fn a_failed_recreation_destroys_nothing_else() {
    let site = Environment::new();
    site.apply(S0);
    site.simulator.drift(&Drift::Remove { address: "networks.lan".into() });
    site.simulator.order(fails("create", "networks.lan"));
    let before = site.resources();
    assert!(before.contains(&"services.web".to_owned()));
    let report = site.apply(S0);
    assert!(
        !report.ok && outcomes(&report).contains(&"create networks.lan failed".to_owned()),
        "{:?}",
        outcomes(&report)
    );
    assert_eq!(site.resources(), before, "{:?}", outcomes(&report));
    site.simulator.clear_orders();
    let report = site.apply(S0);
    assert!(report.ok, "{report:#?}");
    assert_eq!(site.resources(), ["networks.lan", "services.db", "services.web"]);
    assert_eq!(site.simulator.duplicates(), [""; 0]);
}

/// A plan with a rebuild in it, and something that happens between the plan and the run.
fn rebuild(
    site: &Environment,
    terms: ApplyOptions,
    meanwhile: impl FnOnce() + 'static,
) -> Result<Report, EngineError> {
    let yaml = changed();
    let worker = site.worker(&yaml, &PlanOptions::default());
    let engine = worker.engine.clone();
    site.run(&worker.engine, async move {
        engine.open("apply").await?;
        let planned = engine.plan(true).await?;
        assert!(actions(&planned).iter().any(|it| it.starts_with("rebuild ")), "{:?}", actions(&planned));
        meanwhile();
        let report = engine.apply(&planned.digest, terms).await;
        engine.close().await?;
        report
    })
}

fn changed() -> String {
    S0.replacen("image_hash: p1", "image_hash: p2", 1)
}

#[test]
fn an_adapter_that_cannot_be_read_stops_a_run_before_it_destroys() {
    for call in ["batch_read", "describe"] {
        let site = Environment::new();
        site.apply(S0);
        let (before, faults) = (site.resources(), site.faults.clone());
        let calls = site.calls();
        let lose = move || {
            faults.order(FaultOrder::before(
                CallMatcher::call(call),
                Fault::Status { code: 500, retry_after: None },
            ))
        };
        let done = rebuild(&site, ApplyOptions::default(), lose);
        match call {
            "batch_read" => {
                let error = done.expect_err("it cannot begin");
                assert!(error.message.contains("nothing was started"), "{error:?}");
                assert!(error.about.contains(&"services.db".to_owned()), "{error:?}");
                assert_eq!((site.resources(), site.calls()), (before, calls));
            }
            // What an adapter is, was asked once.
            _ => assert!(done.expect("a report").ok),
        }
    }
}

/// The option to keep going requests the rest, whatever fails.
#[test]
fn keep_going_is_not_stopped_by_preflight() {
    let site = Environment::new();
    site.apply(S0);
    let faults = site.faults.clone();
    let lose = move || {
        faults.order(FaultOrder::before(
            CallMatcher::call("batch_read").times(1),
            Fault::Status { code: 400, retry_after: None },
        ))
    };
    let report =
        rebuild(&site, ApplyOptions { keep_going: true, ..ApplyOptions::default() }, lose).expect("a report");
    assert!(report.ok, "{report:#?}");
}

const ALONE: &str = "payloads: {p: {runtime: vm, params: {image_hash: p1}}}\nservices: {db: {payload: p}}\n";

/// It would be found out only once something else was destroyed.
#[test]
fn a_kind_that_an_adapter_does_not_make_stops_a_run_before_it_destroys() {
    let site = Environment::new();
    site.apply(ALONE);
    let setup = Setup {
        ledger: Box::new(MemoryLedger::default()),
        timer: site.world.timer(),
        spawn: site.world.spawner(),
        token: None,
        base: String::new(),
    };
    let stranger = Simulator::new(site.world.timer(), SimulatorConfig::default());
    let stranger = Service::new(Simulator::description(&["volume"]), stranger, setup).expect("a service");
    let transport = Rc::new(LocalTransport::new(Rc::new(stranger), site.world.timer()));
    let route = |kind: &str, port: u16, transport: Rc<dyn Transport>| {
        let caller = Caller::new(&format!("http://127.0.0.1:{port}"), None).expect("an address");
        let connection = Connection { name: format!("for-{kind}"), transport, caller, credentials: None };
        Route { kind: Some(kind.into()), connection }
    };
    let routes = vec![route("service", 1, site.transport()), route("network", 2, transport)];
    let yaml = ALONE.replace("p1", "p2") + "networks: {lan: {ip: 10.0.0.0/24}}\n";
    let worker = site.worker_of(&yaml, routes);
    let engine = worker.engine.clone();
    let calls = site.calls();
    let done = site.run(&worker.engine, async move {
        engine.open("apply").await?;
        let done = plan_and_apply(&engine, ApplyOptions::default()).await;
        engine.close().await?;
        done
    });
    let error = done.expect_err("it cannot begin");
    let why = "adapter `for-network` failed: the adapter does not support the kind `network`";
    assert!(error.message.contains(why), "{error:?}");
    assert_eq!((error.about, site.calls()), (vec!["networks.lan".to_owned()], calls));
}
