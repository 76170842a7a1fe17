use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
};

use runtime::{AlreadyStarted, Runtime, Timer};
use state::{Backend, Snapshot};
use store::{Actor, Clock, Draft, Key, Spec, Store, StoreError};
use tokio::sync::watch;

use crate::{
    EngineError, Event, FormerAdapters, Orphan, Planner, Route, Settings, StepView, Stop, Traffic, codes,
    decide, execute, keep,
    ledger::Ledger,
    observe, orphans,
    remote::EventListener,
    retry_timing::RetryTiming,
    routes::{Readers, Writers},
    run_context::{Listeners, RunContext},
    schedule,
    secrets::Secrets,
};

/// The dependencies of an engine.
pub struct Setup {
    /// Makes plans from the descriptors.
    pub planner: Rc<dyn Planner>,
    /// The backend that keeps the state.
    pub backend: Rc<dyn Backend>,
    /// The adapters by kind.
    pub routes: Vec<Route>,
    /// The treatment of resources that another adapter created.
    pub former: FormerAdapters,
    /// The timer.
    pub timer: Rc<dyn Timer>,
    /// The same time as a clock, for the store.
    pub clock: Arc<dyn Clock>,
    /// A source of unpredictable random bits.
    pub random: Rc<dyn Fn() -> [u8; 16]>,
    /// The user and process that hold the lease, e.g. `ada@host (1234)`; shown to others who find the state
    /// held.
    pub who: String,
    /// Limits and timeouts.
    pub settings: Settings,
}

/// Observes, plans and applies, with one state and some adapters. Clones share the same engine.
///
/// It works while [`run`](Self::run) is polled; the other methods wait for that.
#[derive(Clone)]
pub struct Engine(pub(crate) Rc<Inner>);

pub(crate) struct Inner {
    pub(crate) context: Rc<RunContext>,
    pub(crate) readers: Readers,
    pub(crate) writers: Writers,
    pub(crate) store: Store,
    runtime: Runtime,
    pub(crate) looks: Cell<u64>,
    pub(crate) who: String,
}

impl Engine {
    /// An engine that has not opened a state yet.
    pub fn new(setup: Setup) -> Self {
        let store = Store::in_memory(setup.clock);
        // A chain is as long as the longest path in the graph of resources, not as the number of controllers
        // in a row.
        let options = runtime::Options { longest_chain: u32::MAX, ..runtime::Options::default() };
        let runtime = Runtime::new(store.clone(), setup.timer.clone(), options);
        let timing = RetryTiming::new(setup.timer, setup.settings);
        let listeners = Listeners::default();
        let reported = listeners.clone();
        let reported: EventListener = Rc::new(move |event| {
            let listeners = reported.borrow().clone();
            listeners.iter().for_each(|listener| listener(event));
        });
        let secrets = Secrets::default();
        secrets.describe(&*setup.planner);
        let writers = Writers::new(setup.routes, setup.former, &timing, &reported, &secrets);
        let ledger = Ledger::new(setup.backend, move |serial| reported(&Event::Committed { serial }));
        let context = Rc::new(RunContext {
            ledger,
            timing,
            planner: RefCell::new(setup.planner),
            observed: RefCell::default(),
            observed_versions: RefCell::default(),
            became_ready: RefCell::default(),
            made: RefCell::default(),
            leftovers: RefCell::default(),
            moving: RefCell::default(),
            creates: Cell::new(true),
            changes: Cell::new(true),
            back_off: RefCell::default(),
            cleared: RefCell::default(),
            failed_observation: RefCell::default(),
            unsettled: RefCell::default(),
            current: RefCell::default(),
            stop: watch::Sender::default(),
            listeners,
            random: setup.random,
            secrets,
        });
        let readers = writers.readers();
        for controller in [
            observe::controller(context.clone(), readers.clone()),
            decide::controller(context.clone()),
            schedule::controller(context.clone()),
            execute::controller(context.clone(), writers.clone()),
            keep::controller(context.clone()),
        ] {
            let registered = runtime.register(controller);
            debug_assert!(registered.is_ok(), "{registered:?}");
        }
        Self(Rc::new(Inner {
            context,
            readers,
            writers,
            store,
            runtime,
            looks: Cell::default(),
            who: setup.who,
        }))
    }

    /// Runs the controllers until [`stop`](Self::stop); the host polls it concurrently with the other
    /// methods.
    ///
    /// # Errors
    /// If it is already running or has ended.
    pub async fn run(&self) -> Result<(), AlreadyStarted> {
        self.0.runtime.run().await
    }

    /// Ends [`run`](Self::run).
    pub fn stop(&self) {
        self.0.runtime.stop();
    }

    /// The controllers and their status, to draw and inspect.
    pub fn runtime(&self) -> &Runtime {
        &self.0.runtime
    }

    /// Notifies a listener of all further events.
    pub fn subscribe(&self, listener: impl Fn(&Event) + 'static) {
        self.0.context.listeners.borrow_mut().push(Rc::new(listener));
    }

    /// The traffic of each connection, by the adapter's name.
    pub fn traffic(&self) -> BTreeMap<String, Traffic> {
        self.0.readers.traffic()
    }

    /// The recorded state.
    pub fn snapshot(&self) -> Rc<Snapshot> {
        self.0.context.ledger.recorded()
    }

    /// Replaces the descriptors; the next plan is made from the new ones.
    pub fn describe(&self, planner: Rc<dyn Planner>) {
        self.0.context.secrets.describe(&*planner);
        *self.0.context.planner.borrow_mut() = planner;
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.context.is_stopped()
    }

    pub(crate) fn stops(&self) -> watch::Receiver<Stop> {
        self.0.context.stop.subscribe()
    }

    pub(crate) fn timing(&self) -> &RetryTiming {
        &self.0.context.timing
    }

    pub(crate) fn notify(&self, event: &Event) {
        self.0.context.notify(event);
    }

    /// The resources that adapters have of this deployment and no state records.
    ///
    /// # Errors
    /// If an adapter cannot list its resources.
    pub async fn orphans(&self) -> Result<Vec<Orphan>, EngineError> {
        orphans::orphans(&self.0.context, &self.0.readers).await
    }

    /// Destroys an orphan.
    ///
    /// # Errors
    /// If it could not be destroyed.
    pub async fn remove_orphan(&self, orphan: &Orphan) -> Result<(), EngineError> {
        orphans::remove(&self.0.context, &self.0.writers, orphan).await
    }

    /// The steps of the last plan, with their state.
    pub fn steps(&self) -> Vec<StepView> {
        self.0.context.current().states.borrow().clone()
    }

    pub(crate) fn put(&self, key: Key, spec: &impl serde::Serialize) -> Result<(), EngineError> {
        let spec = Spec::of(spec).map_err(internal)?;
        let change = |resource: &mut store::Resource| {
            resource.spec = spec.clone();
            Ok::<(), StoreError>(())
        };
        let draft = Draft::new(key, spec.clone());
        self.0.store.upsert(&Actor::user(), draft, change).map(drop).map_err(internal)
    }

    pub(crate) fn remove(&self, key: &Key) -> Result<(), EngineError> {
        let user = Actor::user();
        match self.0.store.teardown(&user, key).and_then(|_| self.0.store.destroy(&user, key)) {
            Err(StoreError::NotFound { .. }) => Ok(()),
            done => done.map_err(internal),
        }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("who", &self.0.who).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup").field("who", &self.who).field("routes", &self.routes).finish_non_exhaustive()
    }
}

pub(crate) fn internal(error: StoreError) -> EngineError {
    EngineError::new(codes::INTERNAL, error.to_string()).help("all completed steps are recorded; apply again")
}
