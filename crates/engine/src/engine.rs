use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    sync::Arc,
};

use runtime::{AlreadyStarted, Runtime, Timer};
use state::{Backend, Claim, Snapshot};
use store::{Actor, Clock, Draft, Key, Kind, Query, Spec, Store, StoreError};
use tokio::sync::watch;

use crate::{
    Event, Orphan, Planned, Planner, Report, Route, Settings, StepView, Stop, Terms, Traffic, Trouble,
    decide,
    desk::{Current, Desk, Listeners},
    execute, keep,
    kinds::{self, ApprovalSpec, LookSpec, PlanSpec, ResourceSpec, THE_ONE},
    ledger::Ledger,
    observe, orphans,
    pace::Pace,
    recover::recover,
    routes::{Readers, Writers},
    schedule,
};

/// What an engine works with.
pub struct Setup {
    /// What makes plans of the descriptors.
    pub planner: Rc<dyn Planner>,
    /// Where the state is kept.
    pub backend: Rc<dyn Backend>,
    /// Which adapter makes what.
    pub routes: Vec<Route>,
    /// Time.
    pub timer: Rc<dyn Timer>,
    /// The same time, for the store.
    pub clock: Arc<dyn Clock>,
    /// Random bits that nobody can guess.
    pub random: Rc<dyn Fn() -> [u8; 16]>,
    /// Who works, for who finds the state held, e.g. `ada@host (1234)`.
    pub who: String,
    /// How it behaves.
    pub settings: Settings,
}

/// Observes, plans and carries out, with one state and some adapters. Its copies are the same engine.
///
/// It works while [`run`](Self::run) is polled; the other methods wait for that.
#[derive(Clone)]
pub struct Engine(Rc<Inner>);

struct Inner {
    desk: Rc<Desk>,
    readers: Readers,
    writers: Writers,
    store: Store,
    runtime: Runtime,
    looks: Cell<u64>,
    who: String,
}

impl Engine {
    /// An engine that has opened nothing yet.
    pub fn new(setup: Setup) -> Self {
        let store = Store::in_memory(setup.clock);
        // A chain is as long as the longest way through the graph of resources, not as the controllers in a row.
        let options = runtime::Options { longest_chain: u32::MAX, ..runtime::Options::default() };
        let runtime = Runtime::new(store.clone(), setup.timer.clone(), options);
        let pace = Pace::new(setup.timer, setup.settings);
        let listeners = Listeners::default();
        let told = listeners.clone();
        let ledger = Ledger::new(setup.backend, move |serial| {
            let listeners = told.borrow().clone();
            listeners.iter().for_each(|listener| listener(&Event::Committed { serial }));
        });
        let writers = Writers::new(setup.routes, &pace);
        let desk = Rc::new(Desk {
            ledger,
            pace,
            planner: RefCell::new(setup.planner),
            observed: RefCell::default(),
            etags: RefCell::default(),
            made: RefCell::default(),
            unseen: RefCell::default(),
            current: RefCell::default(),
            stop: watch::Sender::default(),
            listeners,
            random: setup.random,
        });
        let readers = writers.readers();
        for controller in [
            observe::controller(desk.clone(), readers.clone()),
            decide::controller(desk.clone()),
            schedule::controller(desk.clone()),
            execute::controller(desk.clone(), writers.clone()),
            keep::controller(desk.clone()),
        ] {
            let registered = runtime.register(controller);
            debug_assert!(registered.is_ok(), "{registered:?}");
        }
        Self(Rc::new(Inner {
            desk,
            readers,
            writers,
            store,
            runtime,
            looks: Cell::default(),
            who: setup.who,
        }))
    }

    /// Works until [`stop`](Self::stop): the host polls it beside the other methods.
    ///
    /// # Errors
    /// When it runs already or has ended.
    pub async fn run(&self) -> Result<(), AlreadyStarted> {
        self.0.runtime.run().await
    }

    /// Ends [`run`](Self::run).
    pub fn stop(&self) {
        self.0.runtime.stop();
    }

    /// The controllers and what they do, to draw and to ask how they are.
    pub fn runtime(&self) -> &Runtime {
        &self.0.runtime
    }

    /// Tells a listener of all that happens from now on.
    pub fn subscribe(&self, listener: impl Fn(&Event) + 'static) {
        self.0.desk.listeners.borrow_mut().push(Rc::new(listener));
    }

    /// What went over each connection, by the adapter's name.
    pub fn traffic(&self) -> BTreeMap<String, Traffic> {
        self.0.readers.traffic()
    }

    /// What is recorded.
    pub fn snapshot(&self) -> Rc<Snapshot> {
        self.0.desk.ledger.snapshot()
    }

    /// Other descriptors from now on; the next plan is made of these.
    pub fn describe(&self, planner: Rc<dyn Planner>) {
        *self.0.desk.planner.borrow_mut() = planner;
    }

    /// Reads the state, to look and plan only. Takes no lock and writes nothing.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn inspect(&self) -> Result<(), Trouble> {
        self.0.desk.ledger.load(self.new_snapshot()).await?;
        self.opened()
    }

    /// Takes the state, reads it, and finds out what came of what an earlier run had begun.
    ///
    /// # Errors
    /// Where somebody else holds it, it cannot be read, or an adapter cannot tell what came of something. It is given
    /// back then.
    pub async fn open(&self, operation: &str) -> Result<(), Trouble> {
        let desk = &self.0.desk;
        let (now, ttl) = (desk.pace.now().0, desk.pace.settings.lease);
        let claim =
            Claim { id: desk.name(), who: self.0.who.clone(), operation: operation.to_owned(), now, ttl };
        desk.ledger.acquire(claim).await?;
        desk.stop.send_replace(Stop::No);
        self.put(kinds::leases().key(THE_ONE), &true)?;
        let opened = self.open_held().await;
        if opened.is_err() {
            self.close().await?;
        }
        opened
    }

    async fn open_held(&self) -> Result<(), Trouble> {
        let desk = &self.0.desk;
        desk.ledger.load(self.new_snapshot()).await?;
        recover(desk, &self.0.readers).await?;
        self.opened()
    }

    fn new_snapshot(&self) -> Snapshot {
        let desk = &self.0.desk;
        let desired = desk.planner.borrow().desired();
        Snapshot::new(desired.deployment.as_deref().unwrap_or("deployment"), desk.name())
    }

    fn opened(&self) -> Result<(), Trouble> {
        let snapshot = self.snapshot();
        let entries = snapshot.resources.iter().map(|(address, entry)| {
            let (kind, phase) = (entry.kind.clone(), Some(entry.phase.clone()));
            (address.clone(), ResourceSpec { kind, phase, message: None })
        });
        self.mirror(&kinds::persisted(), entries.collect())?;
        let (serial, resources) = (snapshot.serial, snapshot.resources.len());
        self.0.desk.tell(&Event::Opened { serial, resources });
        Ok(())
    }

    /// Gives the state back.
    ///
    /// # Errors
    /// Where that cannot be told to it; its lease ends by itself then.
    pub async fn close(&self) -> Result<(), Trouble> {
        self.remove(&kinds::leases().key(THE_ONE))?;
        Ok(self.0.desk.ledger.release().await?)
    }

    /// Makes a plan of what is described now; `observe`: having asked the adapters how things are.
    ///
    /// # Errors
    /// Where adapters cannot be asked.
    pub async fn plan(&self, observe: bool) -> Result<Planned, Trouble> {
        let number = self.0.looks.get() + 1;
        self.0.looks.set(number);
        let desired = self.0.desk.planner.borrow().desired();
        let entries = desired.resources.iter().map(|it| {
            let spec = ResourceSpec { kind: it.kind.to_string(), phase: None, message: None };
            (it.address.to_string(), spec)
        });
        self.mirror(&kinds::desired(), entries.collect())?;
        self.put(kinds::looks().key(THE_ONE), &LookSpec { number, observe })?;
        let is_made = |plan: Option<&store::Resource>| {
            plan.and_then(|it| it.read::<PlanSpec>().ok()).is_some_and(|it| it.number >= number)
        };
        self.0.store.wait_for(&kinds::plans().key(THE_ONE), is_made).await.map_err(internal)?;
        if let Some(trouble) = self.0.desk.unseen.borrow().clone().filter(|_| observe) {
            return Err(trouble);
        }
        Ok(self.0.desk.current().planned.clone())
    }

    /// Carries out the plan of that digest, the last one that was made, and tells what came of it.
    ///
    /// # Errors
    /// Where another plan counts by now, it may not be carried out, or the state is not held: nothing is done then.
    pub async fn apply(&self, digest: &str, terms: Terms) -> Result<Report, Trouble> {
        let mut report = self.carry_out(digest, terms).await?;
        let mut rebuilt = self.0.desk.current().rebuilt.borrow().len();
        // What takes values of something that had to be rebuilt is part of what was allowed.
        while report.ok && rebuilt > 0 {
            let planned = self.plan(true).await?;
            if !planned.plan.actions.iter().any(|it| it.verb.acts()) {
                break;
            }
            let next = self.carry_out(&planned.digest, terms).await?;
            rebuilt = self.0.desk.current().rebuilt.borrow().len();
            report = report.then(next);
        }
        self.0.desk.tell(&Event::Finished(report.clone()));
        Ok(report)
    }

    async fn carry_out(&self, digest: &str, terms: Terms) -> Result<Report, Trouble> {
        let current = self.0.desk.current();
        may_be_carried_out(&current, digest)?;
        current.terms.set(Some(terms));
        let approval = kinds::approvals().key(THE_ONE);
        self.put(approval.clone(), &ApprovalSpec { number: current.number, digest: digest.to_owned() })?;
        while !schedule::is_over(&self.0.desk, &current) {
            current.ended.notified().await;
        }
        self.remove(&approval)?;
        let (steps, trouble) = (current.states.borrow().clone(), self.0.desk.ledger.trouble());
        Ok(Report::new(steps, trouble.map(Into::into), self.snapshot().serial))
    }

    /// Ends a run before its time.
    pub fn cancel(&self, stop: Stop) {
        self.0.desk.stop.send_if_modified(|now| {
            let is_more = stop > *now;
            *now = stop.max(*now);
            is_more
        });
        self.0.desk.current().ended.notify_one();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.desk.is_stopped()
    }

    pub(crate) fn stops(&self) -> watch::Receiver<Stop> {
        self.0.desk.stop.subscribe()
    }

    pub(crate) fn pace(&self) -> &Pace {
        &self.0.desk.pace
    }

    pub(crate) fn tell(&self, event: &Event) {
        self.0.desk.tell(event);
    }

    /// What the adapters have of this deployment, and nobody recorded.
    ///
    /// # Errors
    /// Where an adapter cannot tell.
    pub async fn orphans(&self) -> Result<Vec<Orphan>, Trouble> {
        orphans::orphans(&self.0.desk, &self.0.readers).await
    }

    /// Destroys an orphan.
    ///
    /// # Errors
    /// Where it is still there.
    pub async fn remove_orphan(&self, orphan: &Orphan) -> Result<(), Trouble> {
        orphans::remove(&self.0.desk, &self.0.writers, orphan).await
    }

    /// The steps of the last plan, as they are.
    pub fn steps(&self) -> Vec<StepView> {
        self.0.desk.current().states.borrow().clone()
    }

    /// The resources of a kind are these from now on.
    fn mirror(&self, kind: &Kind, wanted: BTreeMap<String, ResourceSpec>) -> Result<(), Trouble> {
        for resource in self.0.store.list(kind, &Query::all()).iter() {
            if !wanted.contains_key(&**resource.id()) {
                self.remove(resource.key())?;
            }
        }
        wanted.into_iter().try_for_each(|(id, spec)| self.put(kind.key(id), &spec))
    }

    fn put(&self, key: Key, spec: &impl serde::Serialize) -> Result<(), Trouble> {
        let spec = Spec::of(spec).map_err(internal)?;
        let change = |resource: &mut store::Resource| {
            resource.spec = spec.clone();
            Ok::<(), StoreError>(())
        };
        let draft = Draft::new(key, spec.clone());
        self.0.store.upsert(&Actor::user(), draft, change).map(drop).map_err(internal)
    }

    fn remove(&self, key: &Key) -> Result<(), Trouble> {
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

fn may_be_carried_out(current: &Current, digest: &str) -> Result<(), Trouble> {
    if let Some(trouble) = &current.planned.refused {
        return Err(trouble.clone());
    }
    if current.planned.digest != digest {
        let message = "what was approved is not what would be done now: the state or the descriptors changed";
        return Err(
            Trouble::new("engine/plan-changed", message).help("nothing was done; look at the plan again")
        );
    }
    if current.terms.get().is_some() {
        let message = "the plan was carried out already";
        return Err(Trouble::new("engine/plan-used", message).help("plan again"));
    }
    Ok(())
}

fn internal(error: StoreError) -> Trouble {
    Trouble::new("engine/internal", error.to_string()).help("what was done is recorded; apply again")
}
