//! The simulated world of a deployment: the resources that the simulator has created, kept as surely as real ones are.
//!
//! Every change is written down at once, and no call is answered before: a page that is closed in the middle of an
//! apply finds the resources it had begun, as it would find real ones.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    fmt,
    rc::Rc,
};

use adapter::{
    CallMatcher, Deliver, Drift, Latency, LocalTransport, MemoryLedger, Order, OrderEffect, Record,
    ResourceRequest, Service, Setup, Simulator, SimulatorConfig, SimulatorSnapshot,
};
use http::{Request, Response};
use protocol::{Caller, Code, LocalFuture, Problem, ResourceId, Transport, TransportError};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use state::{Entry, Snapshot};
use workspace::engine::{Connection, Environment};

use crate::{DeploymentStorage, Host};

/// The kinds it makes.
const KINDS: [&str; 2] = ["service", "network"];
/// The address of the simulator in a connection; nothing else can reach it.
const ADDRESS: &str = "http://simulator.invalid";

/// A simulator with a service around it.
#[derive(Clone)]
pub struct World(Rc<Inner>);

struct Inner {
    simulator: Simulator,
    ledger: MemoryLedger,
    service: Service<Simulator>,
    host: Host,
    place: DeploymentStorage,
    /// The number of changes so far; `kept` is the number of those that are saved.
    changed: Cell<u64>,
    kept: RefCell<tokio::sync::watch::Sender<u64>>,
    is_saving: Cell<bool>,
    /// As it is kept, if nobody else has changed it.
    text: RefCell<Option<String>>,
}

/// All of it, as it is kept.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Whole {
    simulator: SimulatorSnapshot,
    records: Vec<Record>,
    latency: u32,
}

impl World {
    /// The world as it was kept, or an empty one.
    ///
    /// # Errors
    /// The reason why there is none, in one line.
    pub fn open(host: &Host, storage: &DeploymentStorage) -> Result<Self, String> {
        let whole = storage.world.as_deref().and_then(|text| serde_json::from_str::<Whole>(text).ok());
        let Whole { simulator: kept, records, latency } =
            whole.unwrap_or_else(|| Whole { latency: 300, ..Whole::default() });
        let simulator = Simulator::new(host.environment.timer.clone(), config(latency));
        simulator.restore(kept);
        // It makes nothing real, so that of another browser, or of a terminal, may go on with a state that is brought here:
        // what is not in this one is planned to be created again.
        let mut ledger = MemoryLedger::of("simulator");
        records.iter().try_for_each(|record| adapter::Ledger::put(&mut ledger, record))?;
        let Environment { timer, spawn, .. } = host.environment.clone();
        let setup =
            Setup { ledger: Box::new(ledger.clone()), timer, spawn, token: None, base: String::new() };
        let service = Service::new(Simulator::description(&KINDS), simulator.clone(), setup)?;
        let world = Self(Rc::new(Inner {
            simulator,
            ledger,
            service,
            host: host.clone(),
            place: storage.clone(),
            changed: Cell::default(),
            kept: RefCell::new(tokio::sync::watch::Sender::new(0)),
            is_saving: Cell::default(),
            text: RefCell::new(storage.world.clone()),
        }));
        let weak = Rc::downgrade(&world.0);
        world.0.simulator.on_change(move || weak.upgrade().iter().for_each(Inner::changed));
        Ok(world)
    }

    /// The connection to the simulator.
    pub fn connection(&self) -> Option<Connection> {
        let caller = Caller::new(ADDRESS, None)?;
        Some(Connection { name: "simulator".into(), ..Connection::new(caller, Rc::new(self.clone())) })
    }

    /// True if it is still what is kept; another page may have changed that.
    pub async fn is_current(&self) -> bool {
        self.0.settle().await;
        let kept = (self.0.place.reread)().await;
        !self.0.place.kept || kept == *self.0.text.borrow()
    }

    /// The simulator, for orders and for reading its resources.
    pub fn simulator(&self) -> &Simulator {
        &self.0.simulator
    }

    /// The latency of its calls, in milliseconds.
    pub fn latency(&self) -> u32 {
        self.0.simulator.config().latency_ms.create
    }

    /// From now on its calls take so long, some a little longer.
    pub fn set_latency(&self, latency: u32) {
        self.0.simulator.set(config(latency));
        self.0.changed();
    }

    /// The recorded resources that this world never had, networks before what is attached to them: they were created by
    /// another one, or by none, as those of an example.
    pub fn absent<'a>(&self, snapshot: &'a Snapshot) -> Vec<&'a str> {
        let known: BTreeSet<ResourceId> =
            self.0.ledger.records().into_iter().map(|it| it.id().clone()).collect();
        let is_absent = |entry: &Entry| {
            !entry.id.is_empty()
                && entry.phase != "terminated"
                && KINDS.contains(&&*entry.kind)
                && !known.contains(&ResourceId::new(&entry.kind, &entry.id))
        };
        let mut absent: Vec<_> = snapshot.resources.iter().filter(|(_, entry)| is_absent(entry)).collect();
        absent.sort_by_key(|(_, entry)| KINDS.iter().rev().position(|kind| **kind == *entry.kind));
        absent.into_iter().map(|(address, _)| &**address).collect()
    }

    /// Adds the recorded resources that it never had, as they are recorded. It has to be opened again to know them.
    ///
    /// # Errors
    /// The reason why one of them cannot be kept, in one line.
    pub async fn import(&self, snapshot: &Snapshot) -> Result<usize, String> {
        let mut count = 0;
        for address in self.absent(snapshot) {
            let Some(entry) = snapshot.resources.get(address) else { continue };
            let request = ResourceRequest {
                id: ResourceId::new(&entry.kind, &entry.id),
                deployment: snapshot.lineage.clone(),
                address: address.to_owned(),
                generation: entry.generation,
                spec: entry.spec.clone(),
            };
            let Some(seen) = self.0.simulator.import(&request, entry.outputs.clone()) else { continue };
            let record = Record::seen(request, seen).of_deployment(&snapshot.deployment);
            adapter::Ledger::put(&mut self.0.ledger.clone(), &record)?;
            count += 1;
        }
        self.0.changed();
        self.0.settle().await;
        Ok(count)
    }

    /// Removes a resource, as after a crash.
    pub fn remove(&self, address: &str) {
        self.0.simulator.drift(&Drift::Remove { address: address.into() });
    }

    /// Changes the first text of a resource, as somebody else would.
    pub fn change(&self, address: &str) {
        let things = self.0.simulator.resources();
        let thing = things.iter().find(|thing| thing.address == address);
        let text = thing.and_then(|thing| first_text("", &Json::Object(thing.actual.clone())));
        if let Some((pointer, text)) = text {
            let value = Json::String(format!("{text}-changed"));
            self.0.simulator.drift(&Drift::Change { address: address.into(), pointer, value });
        }
    }

    /// Makes the next create, update or destroy call for a resource fail and blame an attribute.
    pub fn fail(&self, address: &str, pointer: &str) {
        let detail = "the simulator injected this failure";
        let problem = Problem::new(Code::InvalidSpec, detail).at(pointer, detail);
        for call in ["create", "update", "destroy"] {
            let which = CallMatcher::call(call).at(address).times(1);
            self.0.simulator.order(Order::new(which, OrderEffect::Fail(problem.clone())));
        }
    }
}

/// The first text in a value with its pointer; networks and names of others are left alone, because they connect
/// resources.
fn first_text(at: &str, json: &Json) -> Option<(String, String)> {
    const HOLDS: [&str; 6] = ["network", "ip", "mask", "owner_ip", "depends_on", "runtime"];
    match json {
        Json::String(text) => Some((at.to_owned(), text.clone())),
        Json::Object(fields) => {
            fields.iter().filter(|(key, _)| !HOLDS.contains(&key.as_str())).find_map(|(key, it)| {
                first_text(&format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), it)
            })
        }
        _ => None,
    }
}

fn config(latency: u32) -> SimulatorConfig {
    let latency_ms = Latency { read: latency / 8, ..Latency::all(latency) };
    SimulatorConfig {
        latency_ms,
        jitter_ms: latency / 2,
        ready_ms: latency / 2,
        journal_reads: false,
        ..SimulatorConfig::default()
    }
}

impl Inner {
    fn changed(self: &Rc<Self>) {
        self.changed.set(self.changed.get() + 1);
        if !self.is_saving.replace(true) {
            let this = self.clone();
            (self.host.environment.spawn)(Box::pin(async move { this.save().await }));
        }
    }

    /// Keeps the world until nothing of it has changed meanwhile.
    async fn save(&self) {
        loop {
            let changed = self.changed.get();
            let records = self.ledger.records();
            let whole = Whole {
                simulator: self.simulator.kept(),
                records,
                latency: self.simulator.config().latency_ms.create,
            };
            let text = serde_json::to_string(&whole).unwrap_or_default();
            self.text.replace(Some(text.clone()));
            (self.place.save)(text).await;
            self.kept.borrow().send_replace(changed);
            if self.changed.get() == changed {
                break;
            }
        }
        self.is_saving.set(false);
    }

    /// Waits until all that has changed so far is kept.
    async fn settle(&self) {
        let changed = self.changed.get();
        let mut kept = self.kept.borrow().subscribe();
        // The sender lives as long as this does.
        let _ = kept.wait_for(|kept| *kept >= changed).await;
    }
}

impl Transport for World {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let server: Rc<dyn Deliver> = Rc::new(self.0.service.clone());
        let sent = LocalTransport::new(server, self.0.host.environment.timer.clone()).send(request);
        let inner = self.0.clone();
        Box::pin(async move {
            let answer = sent.await;
            inner.settle().await;
            answer
        })
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("simulator", &self.0.simulator).finish_non_exhaustive()
    }
}
