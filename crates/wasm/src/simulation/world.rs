use std::rc::Rc;

use adapter::{
    Deliver, Latency, Ledger, LocalTransport, MemoryLedger, Record, ResourceRequest, Service, Setup,
    Simulator, SimulatorConfig,
};
use protocol::{Caller, ResourceId, resource_id};
use serde_json::{Map, Value as Json};
use state::{Entry, Snapshot};
use workspace::engine::{Connection, Environment};

/// The kinds that the simulator creates; networks come before the services in them.
const KINDS: [&str; 2] = ["network", "service"];
/// Nobody else can reach it.
const ADDRESS: &str = "http://simulator.invalid";

/// A simulator with a service around it.
pub(super) struct World {
    service: Service<Simulator>,
    environment: Environment,
}

impl World {
    /// A simulator that has what a state records.
    ///
    /// # Errors
    /// The reason why there is none, in one line.
    pub(super) fn new(
        environment: &Environment,
        recorded: Option<&Snapshot>,
        latency_ms: u32,
    ) -> Result<Self, String> {
        let Environment { timer, spawn, .. } = environment.clone();
        let simulator = Simulator::new(timer.clone(), config(latency_ms));
        let mut ledger = MemoryLedger::of("simulator");
        if let Some(snapshot) = recorded {
            import(&simulator, &mut ledger, snapshot)?;
        }
        let setup = Setup { ledger: Box::new(ledger), timer, spawn, token: None, base: String::new() };
        let service = Service::new(Simulator::description(&KINDS), simulator, setup)?;
        Ok(Self { service, environment: environment.clone() })
    }

    /// The connection to the simulator; `None` if its address is invalid.
    pub(super) fn connection(&self) -> Option<Connection> {
        let server: Rc<dyn Deliver> = Rc::new(self.service.clone());
        let transport = Rc::new(LocalTransport::new(server, self.environment.timer.clone()));
        Some(Connection {
            name: "simulator".into(),
            ..Connection::new(Caller::new(ADDRESS, None)?, transport)
        })
    }
}

/// Adds the recorded resources as they are recorded.
fn import(simulator: &Simulator, ledger: &mut MemoryLedger, snapshot: &Snapshot) -> Result<(), String> {
    for kind in KINDS {
        let recorded = snapshot.resources.iter().filter(|(_, entry)| is_there(entry) && *entry.kind == *kind);
        for (address, entry) in recorded {
            let request = ResourceRequest {
                id: ResourceId::new(&entry.kind, id_of(snapshot, address, entry)),
                deployment: snapshot.lineage.clone(),
                address: address.clone(),
                generation: entry.generation,
                spec: entry.spec.clone(),
            };
            let Some(seen) = simulator.import(&request, entry.outputs.clone()) else { continue };
            ledger.put(&Record::seen(request, seen).of_deployment(&snapshot.deployment))?;
        }
    }
    Ok(())
}

/// The id that the engine knows it by: a state that was written by hand may have none.
fn id_of(snapshot: &Snapshot, address: &str, entry: &Entry) -> String {
    if entry.id.is_empty() {
        return resource_id(&snapshot.lineage, address, entry.generation);
    }
    entry.id.clone()
}

fn is_there(entry: &Entry) -> bool {
    let is_identified = !entry.identity.is_null() && entry.identity != Json::Object(Map::new());
    entry.phase != "terminated" && (is_identified || !entry.id.is_empty())
}

fn config(latency_ms: u32) -> SimulatorConfig {
    let latency = Latency { read: latency_ms / 8, ..Latency::all(latency_ms) };
    SimulatorConfig { latency_ms: latency, ready_ms: latency_ms / 2, ..SimulatorConfig::default() }
}
