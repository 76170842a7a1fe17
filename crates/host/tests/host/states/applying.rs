//! An engine whose state is in a cluster that loses a member during an apply.

use std::{cell::RefCell, rc::Rc, time::Duration};

use adapter::{LocalTransport, MemoryLedger, Service, Setup as ServiceSetup, Simulator, SimulatorConfig};
use planloom_host::{HttpTransport, SystemRandom, SystemTimer, TransportOptions, run, spawn};
use protocol::Caller;
use state::{
    Backend, Random,
    etcd::{EtcdBackend, EtcdOptions},
};
use workspace::{
    File, PlanOptions, Workspace,
    engine::{ApplyOptions, Connection, Engine, Event, FormerAdapters, Report, Route, Settings, Setup},
};

use super::members::{Cluster, etcd};

/// Forty services, each of which depends on the fourth before it.
fn forty() -> String {
    let needs = |it: usize| it.checked_sub(4).map_or_else(String::new, |it| format!("s{it}"));
    let services: String =
        (0..40).map(|it| format!("  s{it}: {{payload: p, depends_on: [{}]}}\n", needs(it))).collect();
    format!("meta: {{name: forty}}\npayloads: {{p: {{runtime: vm}}}}\nservices:\n{services}")
}

fn engine(backend: Rc<dyn Backend>, simulator: &Simulator, timer: &Rc<SystemTimer>) -> Engine {
    let mut workspace = Workspace::new();
    workspace.set_files(vec![File { name: "app.yaml".into(), text: forty(), package: None }]);
    let setup = ServiceSetup {
        ledger: Box::new(MemoryLedger::default()),
        timer: timer.clone(),
        spawn: spawn(),
        token: None,
        base: String::new(),
    };
    let description = Simulator::description(&["service"]);
    let service = Service::new(description, simulator.clone(), setup).expect("a service");
    let transport = Rc::new(LocalTransport::new(Rc::new(service), timer.clone()));
    let caller = Caller::new("http://127.0.0.1:1", None).expect("an address");
    let connection = Connection { name: "simulator".into(), transport, caller, credentials: None };
    Engine::new(Setup {
        planner: workspace.deployment(&PlanOptions::default()),
        backend,
        routes: vec![Route { kind: None, connection }],
        former: FormerAdapters::default(),
        clock: timer.clock(),
        timer: timer.clone(),
        random: Rc::new(|| {
            let mut bytes = [0; 16];
            SystemRandom.fill(&mut bytes);
            bytes
        }),
        who: "test".into(),
        settings: Settings::default(),
    })
}

async fn apply(engine: Engine) -> Report {
    let running = engine.clone();
    tokio::task::spawn_local(async move { running.run().await.expect("it runs once") });
    engine.open("apply").await.expect("open");
    let planned = engine.plan(true).await.expect("a plan");
    let report = engine.apply(&planned.digest, ApplyOptions::default()).await.expect("a report");
    engine.close().await.expect("closed");
    engine.stop();
    report
}

#[test]
fn an_apply_goes_on_where_a_member_dies() {
    let Some(program) = etcd() else { return };
    run(async {
        let cluster = Rc::new(RefCell::new(Cluster::start(program, 3)));
        let endpoints = cluster.borrow().endpoints();
        let timer = SystemTimer::new();
        let options = TransportOptions { timeout: Duration::from_secs(3), ..TransportOptions::default() };
        let transport = Rc::new(HttpTransport::new(options).expect("there is TLS"));
        let options = EtcdOptions { rounds: 40, ..EtcdOptions::at(endpoints, "planloom/forty") };
        let backend: Rc<dyn Backend> = Rc::new(EtcdBackend::new(transport, timer.clone(), options));
        let config = SimulatorConfig { jitter_ms: 20, ..SimulatorConfig::default() };
        let simulator = Simulator::new(timer.clone(), config);
        let first = engine(backend.clone(), &simulator, &timer);
        let (members, commits) = (cluster.clone(), Rc::new(RefCell::new(0)));
        first.subscribe(move |event| {
            if matches!(event, Event::Committed { .. }) {
                *commits.borrow_mut() += 1;
                if *commits.borrow() == 10 {
                    members.borrow_mut().kill(0);
                }
            }
        });
        let report = apply(first).await;
        assert!(report.ok, "{report:#?}");
        let snapshot = backend.load().await.expect("a state").expect("one that was written");
        assert_eq!((snapshot.resources.len(), snapshot.journal.len()), (40, 0));
        let tally = simulator.call_counts();
        assert_eq!((tally.made, tally.destroyed, simulator.resources().len()), (40, 0, 40));
        assert_eq!(backend.holder().await, Ok(None));
    })
    .expect("it runs");
}
