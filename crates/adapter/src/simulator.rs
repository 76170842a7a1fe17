mod config;
mod journal;
mod kept;
mod order;
mod outputs;
mod pool;
mod resource;
mod resources;
mod spread;

use std::{
    cell::{Cell, RefCell},
    fmt,
    future::pending,
    rc::Rc,
};

use protocol::{Code, Description, Feature, Problem, ResourceId};
use runtime::{SplitMix64, Timer};
use serde_json::Value as Json;

use crate::{Adapter, Known, ObservedResource, ResourceRequest, call_matcher::Orders};
pub use config::{Latency, SimulatorConfig};
pub use journal::{CallCounts, JournalEntry};
use journal::{Journal, Outcome};
pub use kept::SimulatorSnapshot;
pub use order::{Drift, Order, OrderEffect};
pub use resource::SimulatedResource;
use resources::SimulatedResources;

/// An adapter for every kind that only creates entries in memory, with configured latency and failures.
/// Clones are the same simulator: one goes into a service, and a test keeps another to give orders and to
/// inspect it.
///
/// Networks give addresses to the services that name them, each from its own range, and the same address to
/// the same service; proxies have local ports; each resource has an identity of its own. The behaviour
/// depends on the calls, the orders, the config and its seed, and on nothing else. The cost of a call does
/// not depend on the number of resources.
#[derive(Clone)]
pub struct Simulator {
    inner: Rc<Inner>,
}

struct Inner {
    timer: Rc<dyn Timer>,
    config: RefCell<SimulatorConfig>,
    random: RefCell<SplitMix64>,
    orders: RefCell<Orders<Order>>,
    resources: RefCell<SimulatedResources>,
    journal: RefCell<Journal>,
    number: Cell<u64>,
    changed: RefCell<Option<Rc<dyn Fn()>>>,
}

impl fmt::Debug for Simulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = self.call_counts();
        f.debug_struct("Simulator").field("tally", &tally).finish_non_exhaustive()
    }
}

impl Simulator {
    /// A simulator that uses a timer.
    pub fn new(timer: Rc<dyn Timer>, config: SimulatorConfig) -> Self {
        let random = RefCell::new(SplitMix64::seeded(config.seed));
        let (orders, resources, journal) = (RefCell::default(), RefCell::default(), RefCell::default());
        let (config, number) = (RefCell::new(config), Cell::new(0));
        let changed = RefCell::default();
        Self { inner: Rc::new(Inner { timer, config, random, orders, resources, journal, number, changed }) }
    }

    /// The description of an adapter of these kinds.
    pub fn description(kinds: &[&str]) -> Description {
        let types = kinds.iter().map(|kind| ((*kind).to_owned(), Json::Null)).collect();
        let features = Feature::ALL.iter().map(|feature| feature.as_str().to_owned()).collect();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Description { name: "simulator".into(), version, features, types, ..Description::default() }
    }

    /// The current config.
    pub fn config(&self) -> SimulatorConfig {
        self.inner.config.borrow().clone()
    }

    /// Replaces the config. The sequence of random numbers restarts from the seed.
    pub fn set(&self, config: SimulatorConfig) {
        self.inner.random.replace(SplitMix64::seeded(config.seed));
        self.inner.config.replace(config);
    }

    /// Adds an order. The first order that matches a call is applied.
    pub fn order(&self, order: Order) {
        self.inner.orders.borrow_mut().add(order);
    }

    /// The orders that still apply to further calls.
    pub fn orders(&self) -> Vec<Order> {
        self.inner.orders.borrow().all()
    }

    /// Removes all orders.
    pub fn clear_orders(&self) {
        self.inner.orders.borrow_mut().clear();
    }

    /// Changes existing resources without a call; returns the number of resources that were changed.
    pub fn drift(&self, drift: &Drift) -> usize {
        let count = self.inner.resources.borrow_mut().drift(drift);
        self.inner.notify();
        count
    }

    /// Calls a listener whenever existing resources may have changed, before any call returns. It replaces
    /// the previous listener.
    pub fn on_change(&self, listener: impl Fn() + 'static) {
        self.inner.changed.replace(Some(Rc::new(listener)));
    }

    /// The existing resources, in the order of kind and id.
    pub fn resources(&self) -> Vec<SimulatedResource> {
        self.inner.resources.borrow().all()
    }

    /// Addresses at which there is more than one resource now.
    pub fn duplicates(&self) -> Vec<String> {
        self.inner.resources.borrow().duplicates()
    }

    /// The calls that were executed, in their order; reads only if the config says so.
    pub fn journal(&self) -> Vec<JournalEntry> {
        self.inner.journal.borrow().all()
    }

    /// The number of calls that were executed, and of resources that were created and destroyed.
    pub fn call_counts(&self) -> CallCounts {
        self.inner.journal.borrow().tally()
    }

    /// Clears the journal and the counts. Resources are kept.
    pub fn clear_journal(&self) {
        self.inner.journal.replace(Journal::default());
    }

    /// Runs one of the four methods: half of the latency, the work, the other half.
    async fn perform<T>(
        &self,
        verb: &'static str,
        request: &ResourceRequest,
        work: impl FnOnce(&Inner) -> (Result<T, Problem>, Outcome),
    ) -> Result<T, Problem> {
        let order = self.inner.orders.borrow_mut().next(|order| &order.matcher, verb, Some(&request.address));
        let what = order.map(|order| order.what);
        let (before, after) = self.inner.latency(verb, what.as_ref());
        self.inner.sleep(before).await;
        match &what {
            Some(OrderEffect::Fail(problem)) => {
                return Err(self.inner.refuse(verb, request, problem.clone()));
            }
            Some(OrderEffect::RebuildRequired) => {
                return Err(self.inner.refuse(verb, request, no_update("as configured")));
            }
            Some(OrderEffect::Hang) => pending().await,
            _ => {}
        }
        let (result, outcome) = work(&self.inner);
        self.inner.note(verb, request, outcome);
        if let (Some(OrderEffect::NeverReady), Ok(_)) = (&what, &result) {
            self.inner.resources.borrow_mut().never_ready(&request.id);
        }
        if verb != "read" {
            self.inner.notify();
        }
        self.inner.sleep(after).await;
        match what {
            Some(OrderEffect::FailAfter(problem)) => Err(problem),
            _ => result,
        }
    }
}

impl Inner {
    fn notify(&self) {
        let listener = self.changed.borrow().clone();
        listener.into_iter().for_each(|listener| listener());
    }

    fn now(&self) -> i64 {
        self.timer.now().0
    }

    async fn sleep(&self, millis: u64) {
        if millis > 0 {
            let mut until = self.timer.now();
            until.0 = until.0.saturating_add(millis.cast_signed());
            self.timer.sleep_until(until).await;
        }
    }

    /// The latency before and after the work, in milliseconds.
    fn latency(&self, verb: &str, what: Option<&OrderEffect>) -> (u64, u64) {
        let config = self.config.borrow();
        let more = match what {
            Some(OrderEffect::Slow { ms }) => u64::from(*ms),
            _ => 0,
        };
        let jitter = match config.jitter_ms {
            0 => 0,
            most => self.random.borrow_mut().below(u64::from(most) + 1),
        };
        let whole = u64::from(config.latency_ms.of(verb)) + jitter + more;
        (whole / 2, whole - whole / 2)
    }

    fn refuse(&self, verb: &'static str, request: &ResourceRequest, problem: Problem) -> Problem {
        self.note(verb, request, Outcome::Refused(problem.code.clone()));
        problem
    }

    fn note(&self, verb: &'static str, request: &ResourceRequest, outcome: Outcome) {
        let reads = self.config.borrow().journal_reads;
        self.journal.borrow_mut().note(self.now(), verb, request, outcome, reads);
    }

    fn seen(&self, id: &ResourceId) -> Option<ObservedResource> {
        self.resources.borrow().get(id).map(|resource| resource.seen(self.now()))
    }

    fn make(&self, request: &ResourceRequest) -> (Result<ObservedResource, Problem>, Outcome) {
        let took_over = self.resources.borrow().get(&request.id).is_some();
        let number = self.number.get() + 1;
        let ready = self.now().saturating_add(i64::from(self.config.borrow().ready_ms));
        let made = self.resources.borrow_mut().create(request, number, ready);
        match made {
            Ok(()) => {
                self.number.set(number);
                let seen =
                    self.seen(&request.id).ok_or_else(|| Problem::new(Code::Internal, "it does not exist"));
                (seen, if took_over { Outcome::TookOver } else { Outcome::Made })
            }
            Err(problem) => refused(problem),
        }
    }

    fn change(&self, request: &ResourceRequest) -> (Result<ObservedResource, Problem>, Outcome) {
        if let Some(place) =
            self.config.borrow().needs_rebuild(self.resources.borrow().get(&request.id), request)
        {
            return refused(
                no_update("it cannot be changed in place").at(place, "only set when it is created"),
            );
        }
        let ready = self.now().saturating_add(i64::from(self.config.borrow().ready_ms));
        let changed = self.resources.borrow_mut().change(request, ready);
        match changed.map(|()| self.seen(&request.id)) {
            Ok(Some(seen)) => (Ok(seen), Outcome::Changed),
            Ok(None) => refused(Problem::new(Code::NotFound, "it does not exist")),
            Err(problem) => refused(problem),
        }
    }

    fn remove(&self, id: &ResourceId) -> (Result<(), Problem>, Outcome) {
        let strict = self.config.borrow().strict_networks;
        match self.resources.borrow_mut().remove(id, strict) {
            Ok(true) => (Ok(()), Outcome::Destroyed),
            Ok(false) => (Ok(()), Outcome::WasGone),
            Err(problem) => refused(problem),
        }
    }
}

fn refused<T>(problem: Problem) -> (Result<T, Problem>, Outcome) {
    let code = problem.code.clone();
    (Err(problem), Outcome::Refused(code))
}

fn no_update(why: &str) -> Problem {
    Problem::new(Code::RebuildRequired, why)
}

impl Adapter for Simulator {
    async fn create(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        self.perform("create", request, |inner| inner.make(request)).await
    }

    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        let id = &known.request.id;
        self.perform("read", &known.request, |inner| (Ok(inner.seen(id)), Outcome::Read)).await
    }

    async fn update(&self, _: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        self.perform("update", request, |inner| inner.change(request)).await
    }

    async fn destroy(&self, known: &Known) -> Result<(), Problem> {
        let id = &known.request.id;
        self.perform("destroy", &known.request, |inner| inner.remove(id)).await
    }
}
