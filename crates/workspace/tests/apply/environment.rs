//! A world with a simulated adapter and a state in memory, and engines that come and go in it.

use std::{cell::Cell, cell::RefCell, rc::Rc};

use adapter::{
    Deliver, Faults, Faulty, LocalTransport, MemoryLedger, Service, Setup as ServiceSetup, Simulator,
    SimulatorConfig, testing::World,
};
use planloom_workspace::{
    Deployment, File, PlanOptions, Workspace,
    engine::{
        ApplyOptions, Connection, Engine, EngineError, Event, FormerAdapters, Planned, Report, Route,
        Settings, Setup,
    },
};
use protocol::{Caller, Transport};
use state::{Backend, MemoryBackend};

/// Everything that outlives an engine.
pub(crate) struct Environment {
    pub(crate) world: World,
    pub(crate) simulator: Simulator,
    pub(crate) faults: Faults,
    pub(crate) backend: MemoryBackend,
    pub(crate) settings: Settings,
    pub(crate) service: Service<Simulator>,
    pub(crate) drawn: Rc<Cell<u64>>,
    /// The times at which a `PUT` was sent.
    pub(crate) puts: Option<Rc<RefCell<Vec<i64>>>>,
}

/// Notes when each `PUT` that reaches the adapter's port is sent.
struct Clocked {
    inner: Rc<dyn Transport>,
    world: World,
    puts: Rc<RefCell<Vec<i64>>>,
}

impl Transport for Clocked {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> protocol::LocalFuture<Result<http::Response<Vec<u8>>, protocol::TransportError>> {
        if request.method() == http::Method::PUT {
            self.puts.borrow_mut().push(self.world.now());
        }
        self.inner.send(request)
    }
}

/// An engine in a site, and its events.
pub(crate) struct Worker {
    pub(crate) engine: Engine,
    pub(crate) events: Rc<RefCell<Vec<Event>>>,
}

impl Environment {
    pub(crate) fn new() -> Self {
        Self::with(SimulatorConfig { journal_reads: true, ..SimulatorConfig::default() })
    }

    pub(crate) fn with(knobs: SimulatorConfig) -> Self {
        let world = World::new();
        let simulator = Simulator::new(world.timer(), knobs);
        let setup = ServiceSetup {
            ledger: Box::new(MemoryLedger::default()),
            timer: world.timer(),
            spawn: world.spawner(),
            token: None,
            base: String::new(),
        };
        let description = Simulator::description(&["service", "network"]);
        let service = Service::new(description, simulator.clone(), setup).expect("a service");
        Self {
            faults: Faults::new(),
            backend: MemoryBackend::default().recording_commits(),
            settings: Settings::default(),
            world,
            simulator,
            service,
            drawn: Rc::default(),
            puts: None,
        }
    }

    pub(crate) fn transport(&self) -> Rc<dyn Transport> {
        self.transport_through(&self.faults)
    }

    /// Another transport to the same adapter, with its own faults.
    pub(crate) fn transport_through(&self, faults: &Faults) -> Rc<dyn Transport> {
        let faulty = Faulty::new(Rc::new(self.service.clone()), faults.clone(), self.world.timer(), "");
        let server: Rc<dyn Deliver> = Rc::new(faulty);
        let local = LocalTransport::new(server, self.world.timer());
        match self.puts.clone() {
            Some(puts) => Rc::new(Clocked { inner: Rc::new(local), world: self.world.clone(), puts }),
            None => Rc::new(local),
        }
    }

    pub(crate) fn worker(&self, yaml: &str, options: &PlanOptions) -> Worker {
        self.worker_on(yaml, options, Rc::new(self.backend.clone()), self.transport())
    }

    pub(crate) fn worker_on(
        &self,
        yaml: &str,
        options: &PlanOptions,
        backend: Rc<dyn Backend>,
        transport: Rc<dyn Transport>,
    ) -> Worker {
        self.worker_with(deployment(yaml, options), backend, vec![Self::route(transport)])
    }

    /// The simulator makes everything.
    pub(crate) fn route(transport: Rc<dyn Transport>) -> Route {
        let caller = Caller::new("http://127.0.0.1:1", None).expect("an address");
        let connection = Connection { name: "simulator".into(), transport, caller, credentials: None };
        Route { kind: None, connection }
    }

    /// With adapters of its own.
    pub(crate) fn worker_of(&self, yaml: &str, routes: Vec<Route>) -> Worker {
        let planner = deployment(yaml, &PlanOptions::default());
        self.worker_with(planner, Rc::new(self.backend.clone()), routes)
    }

    pub(crate) fn worker_with(
        &self,
        planner: Rc<Deployment>,
        backend: Rc<dyn Backend>,
        routes: Vec<Route>,
    ) -> Worker {
        self.worker_moving(planner, backend, routes, FormerAdapters::default())
    }

    pub(crate) fn worker_moving(
        &self,
        planner: Rc<Deployment>,
        backend: Rc<dyn Backend>,
        routes: Vec<Route>,
        former: FormerAdapters,
    ) -> Worker {
        let drawn = self.drawn.clone();
        let engine = Engine::new(Setup {
            planner,
            backend,
            routes,
            former,
            timer: self.world.timer(),
            clock: self.world.timer().clock(),
            random: Rc::new(move || {
                drawn.set(drawn.get() + 1);
                u128::from(drawn.get()).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes()
            }),
            who: "test".into(),
            settings: self.settings.clone(),
        });
        let events: Rc<RefCell<Vec<Event>>> = Rc::default();
        let log = events.clone();
        engine.subscribe(move |event| log.borrow_mut().push(event.clone()));
        Worker { engine, events }
    }

    /// Opens, plans, applies the plan, closes.
    pub(crate) fn apply(&self, yaml: &str) -> Report {
        self.apply_with(yaml, ApplyOptions::default()).expect("it can be applied")
    }

    pub(crate) fn apply_with(&self, yaml: &str, terms: ApplyOptions) -> Result<Report, EngineError> {
        self.drive(&self.worker(yaml, &PlanOptions::default()), "apply", terms)
    }

    pub(crate) fn destroy(&self, yaml: &str) -> Report {
        let options = PlanOptions { destroy: true, ..PlanOptions::default() };
        self.drive(&self.worker(yaml, &options), "destroy", ApplyOptions::default())
            .expect("it can be destroyed")
    }

    pub(crate) fn drive(
        &self,
        worker: &Worker,
        operation: &'static str,
        terms: ApplyOptions,
    ) -> Result<Report, EngineError> {
        let engine = worker.engine.clone();
        self.run(&worker.engine, async move {
            engine.open(operation).await?;
            let done = plan_and_apply(&engine, terms).await;
            engine.close().await?;
            done
        })
    }

    /// A plan, without taking the state.
    pub(crate) fn plan(&self, yaml: &str) -> Planned {
        let worker = self.worker(yaml, &PlanOptions::default());
        let engine = worker.engine.clone();
        self.run(&worker.engine, async move {
            engine.inspect().await?;
            engine.plan(true).await
        })
        .expect("it can be planned")
    }

    /// The result of some work, while an engine runs beside it.
    pub(crate) fn run<T: 'static>(&self, engine: &Engine, work: impl Future<Output = T> + 'static) -> T {
        let running = engine.clone();
        self.world.spawn(async move {
            running.run().await.expect("it runs once");
        });
        let engine = engine.clone();
        self.world.run(async move {
            let done = work.await;
            engine.stop();
            done
        })
    }

    /// The addresses of the resources that really exist, sorted.
    pub(crate) fn resources(&self) -> Vec<String> {
        let mut things: Vec<String> =
            self.simulator.resources().iter().map(|it| it.address.clone()).collect();
        things.sort();
        things
    }

    /// The calls that changed something, in order, e.g. `create services.db`.
    pub(crate) fn calls(&self) -> Vec<String> {
        let journal = self.simulator.journal();
        let writes = journal.iter().filter(|it| it.verb != "read");
        writes.map(|it| format!("{} {}", it.verb, it.address)).collect()
    }

    /// The recorded resources, with their phases.
    pub(crate) fn recorded(&self) -> Vec<String> {
        let snapshot = self.load();
        let line = |(address, entry): (&String, &state::Entry)| format!("{address} {}", entry.phase);
        snapshot.resources.iter().map(line).collect()
    }

    pub(crate) fn load(&self) -> state::Snapshot {
        let backend = self.backend.clone();
        self.world.run(async move { backend.load().await }).expect("a state").expect("one that was written")
    }
}

pub(crate) async fn plan_and_apply(engine: &Engine, terms: ApplyOptions) -> Result<Report, EngineError> {
    let planned = engine.plan(true).await?;
    engine.apply(&planned.digest, terms).await
}

pub(crate) fn deployment(yaml: &str, options: &PlanOptions) -> Rc<Deployment> {
    let mut workspace = Workspace::new();
    workspace.set_files(vec![File { name: "app.yaml".into(), text: yaml.into(), package: None }]);
    workspace.deployment(options)
}

/// The plan in short: `create services.db`.
pub(crate) fn actions(planned: &Planned) -> Vec<String> {
    let acting = planned.plan.actions.iter().filter(|it| it.action.acts());
    acting.map(|it| format!("{} {}", it.action.as_str(), it.address)).collect()
}

/// The steps in short: `create services.db done`.
pub(crate) fn outcomes(report: &Report) -> Vec<String> {
    let line = |it: &planloom_workspace::engine::StepView| {
        let state = serde_json::to_value(it.state).expect("a state");
        let because = it.because.as_ref().map(|step| format!(" because of {step}")).unwrap_or_default();
        format!("{} {} {}{because}", it.verb, it.address, state.as_str().unwrap_or_default())
    };
    report.steps.iter().map(line).collect()
}
