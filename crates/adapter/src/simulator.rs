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

/// An adapter for every kind that makes nothing but entries in memory, as slowly and badly as it is told to. Clones
/// are the same simulator: one goes into a service, another stays with who gives orders and looks.
///
/// Networks give addresses to services that name them, each from its own range and the same for the same address;
/// proxies have local ports; each thing has an identity of its own. What happens depends on the calls, the orders, the
/// knobs and their seed, and on nothing else. A call costs the same however many things there are.
#[derive(Clone)]
pub struct Simulator {
    inner: Rc<Inner>,
}

struct Inner {
    timer: Rc<dyn Timer>,
    config: RefCell<SimulatorConfig>,
    random: RefCell<SplitMix64>,
    orders: RefCell<Orders<Order>>,
    things: RefCell<SimulatedResources>,
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
    /// One that takes time from a timer.
    pub fn new(timer: Rc<dyn Timer>, config: SimulatorConfig) -> Self {
        let random = RefCell::new(SplitMix64::seeded(config.seed));
        let (orders, things, journal) = (RefCell::default(), RefCell::default(), RefCell::default());
        let (config, number) = (RefCell::new(config), Cell::new(0));
        let changed = RefCell::default();
        Self { inner: Rc::new(Inner { timer, config, random, orders, things, journal, number, changed }) }
    }

    /// What it says of itself, as the adapter of these kinds.
    pub fn description(kinds: &[&str]) -> Description {
        let types = kinds.iter().map(|kind| ((*kind).to_owned(), Json::Null)).collect();
        let features = Feature::ALL.iter().map(|feature| feature.as_str().to_owned()).collect();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Description { name: "simulator".into(), version, features, types, ..Description::default() }
    }

    /// How it behaves.
    pub fn config(&self) -> SimulatorConfig {
        self.inner.config.borrow().clone()
    }

    /// From now on it behaves so. The seed starts anew.
    pub fn set(&self, knobs: SimulatorConfig) {
        self.inner.random.replace(SplitMix64::seeded(knobs.seed));
        self.inner.config.replace(knobs);
    }

    /// Adds an order. The first that fits a call is carried out.
    pub fn order(&self, order: Order) {
        self.inner.orders.borrow_mut().add(order);
    }

    /// The orders that are still to be met.
    pub fn orders(&self) -> Vec<Order> {
        self.inner.orders.borrow().all()
    }

    /// Forgets all orders.
    pub fn clear_orders(&self) {
        self.inner.orders.borrow_mut().clear();
    }

    /// Changes what is really there behind everybody's back; to how many things that happened.
    pub fn drift(&self, drift: &Drift) -> usize {
        let count = self.inner.things.borrow_mut().drift(drift);
        self.inner.tell();
        count
    }

    /// Tells a listener whenever what is really there may have changed, before anybody is answered; in place of the
    /// listener before.
    pub fn on_change(&self, listener: impl Fn() + 'static) {
        self.inner.changed.replace(Some(Rc::new(listener)));
    }

    /// What is really there, in the order of kind and id.
    pub fn resources(&self) -> Vec<SimulatedResource> {
        self.inner.things.borrow().all()
    }

    /// Addresses at which there is more than one thing now.
    pub fn duplicates(&self) -> Vec<String> {
        self.inner.things.borrow().duplicates()
    }

    /// The calls that were really carried out, in their order; reads only where the knobs say so.
    pub fn journal(&self) -> Vec<JournalEntry> {
        self.inner.journal.borrow().all()
    }

    /// How many calls were carried out, and how many things were made and destroyed.
    pub fn call_counts(&self) -> CallCounts {
        self.inner.journal.borrow().tally()
    }

    /// Forgets the journal and begins to count anew. Things stay.
    pub fn clear_journal(&self) {
        self.inner.journal.replace(Journal::default());
    }

    /// One of the four methods: half of the latency, what is done, the other half.
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
            self.inner.things.borrow_mut().never_ready(&request.id);
        }
        if verb != "read" {
            self.inner.tell();
        }
        self.inner.sleep(after).await;
        match what {
            Some(OrderEffect::FailAfter(problem)) => Err(problem),
            _ => result,
        }
    }
}

impl Inner {
    fn tell(&self) {
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

    /// How long before and after what is done.
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

    fn refuse(&self, verb: &'static str, asked: &ResourceRequest, problem: Problem) -> Problem {
        self.note(verb, asked, Outcome::Refused(problem.code.clone()));
        problem
    }

    fn note(&self, verb: &'static str, asked: &ResourceRequest, outcome: Outcome) {
        let reads = self.config.borrow().journal_reads;
        self.journal.borrow_mut().note(self.now(), verb, asked, outcome, reads);
    }

    fn seen(&self, id: &ResourceId) -> Option<ObservedResource> {
        self.things.borrow().get(id).map(|thing| thing.seen(self.now()))
    }

    fn make(&self, asked: &ResourceRequest) -> (Result<ObservedResource, Problem>, Outcome) {
        let took_over = self.things.borrow().get(&asked.id).is_some();
        let number = self.number.get() + 1;
        let ready = self.now().saturating_add(i64::from(self.config.borrow().ready_ms));
        let made = self.things.borrow_mut().create(asked, number, ready);
        match made {
            Ok(()) => {
                self.number.set(number);
                let seen =
                    self.seen(&asked.id).ok_or_else(|| Problem::new(Code::Internal, "it does not exist"));
                (seen, if took_over { Outcome::TookOver } else { Outcome::Made })
            }
            Err(problem) => refused(problem),
        }
    }

    fn change(&self, request: &ResourceRequest) -> (Result<ObservedResource, Problem>, Outcome) {
        if let Some(place) =
            self.config.borrow().needs_rebuild(self.things.borrow().get(&request.id), request)
        {
            return refused(
                no_update("it cannot be changed in place").at(place, "only set when it is created"),
            );
        }
        let ready = self.now().saturating_add(i64::from(self.config.borrow().ready_ms));
        let changed = self.things.borrow_mut().change(request, ready);
        match changed.map(|()| self.seen(&request.id)) {
            Ok(Some(seen)) => (Ok(seen), Outcome::Changed),
            Ok(None) => refused(Problem::new(Code::NotFound, "it does not exist")),
            Err(problem) => refused(problem),
        }
    }

    fn remove(&self, id: &ResourceId) -> (Result<(), Problem>, Outcome) {
        let strict = self.config.borrow().strict_networks;
        match self.things.borrow_mut().remove(id, strict) {
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
    async fn create(&self, asked: &ResourceRequest) -> Result<ObservedResource, Problem> {
        self.perform("create", asked, |inner| inner.make(asked)).await
    }

    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        let id = &known.request.id;
        self.perform("read", &known.request, |inner| (Ok(inner.seen(id)), Outcome::Read)).await
    }

    async fn update(&self, _: &Known, asked: &ResourceRequest) -> Result<ObservedResource, Problem> {
        self.perform("update", asked, |inner| inner.change(asked)).await
    }

    async fn destroy(&self, known: &Known) -> Result<(), Problem> {
        let id = &known.request.id;
        self.perform("destroy", &known.request, |inner| inner.remove(id)).await
    }
}
