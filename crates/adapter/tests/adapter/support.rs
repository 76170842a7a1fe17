//! Shared by the tests: a simulator behind a service, and shorthands to call it.

use std::rc::Rc;

use http::{Request, Response};
use planloom_adapter::{
    Cors, Faults, Faulty, LocalTransport, MemoryLedger, Service, Setup, Simulator, SimulatorConfig,
    testing::World,
};
use protocol::{
    Call, Caller, Reply, Resource, ResourceBody, ResourceId, Token, Transport, read_reply, resource_id,
};
use serde_json::{Map, Value as Json, json};

pub(crate) const TOKEN: &str = "a-token-of-the-tests";
pub(crate) const LINEAGE: &str = "lineage";

pub(crate) struct Shop {
    pub(crate) world: World,
    pub(crate) simulator: Simulator,
    pub(crate) ledger: MemoryLedger,
    pub(crate) service: Service<Simulator>,
    pub(crate) faults: Faults,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self::with(SimulatorConfig::default())
    }

    pub(crate) fn with(config: SimulatorConfig) -> Self {
        let world = World::new();
        let simulator = Simulator::new(world.timer(), config);
        Self::on(world, simulator, MemoryLedger::of("an-instance"))
    }

    /// A service that begins with the records of a ledger.
    pub(crate) fn on(world: World, simulator: Simulator, ledger: MemoryLedger) -> Self {
        let service =
            service(&world, simulator.clone(), &ledger, Simulator::description(&["service", "network"]));
        Self { world, simulator, ledger, service, faults: Faults::new() }
    }

    /// Restarts the adapter's process; the resources that it has created stay.
    pub(crate) fn restarted(self) -> Self {
        self.world.kill();
        Self::on(self.world, self.simulator, self.ledger)
    }

    pub(crate) fn transport(&self) -> LocalTransport {
        let service = Rc::new(self.service.clone());
        let faulty = Faulty::new(service, self.faults.clone(), self.world.timer(), "/sim");
        LocalTransport::new(Rc::new(faulty), self.world.timer())
    }

    /// Calls the service, and advances time until it responds.
    pub(crate) fn call(&self, call: Call) -> Reply {
        let transport = self.transport();
        self.world.run(async move { read_reply(&call, transport.send(caller().request(&call)).await) })
    }

    pub(crate) fn send(&self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        self.world.run(self.service.handle(request))
    }

    /// Sends a call without waiting for a response.
    pub(crate) fn begin(&self, call: &Call) {
        let answer = self.service.handle(caller().request(call));
        self.world.spawn(async move {
            answer.await;
        });
        self.world.settle();
    }

    pub(crate) fn made(&self, address: &str) -> Resource {
        resource(self.call(put(address, &spec())))
    }

    pub(crate) fn read(&self, address: &str) -> Reply {
        self.call(Call::Read(id(address)))
    }
}

pub(crate) fn service<A: planloom_adapter::Adapter + 'static>(
    world: &World,
    adapter: A,
    ledger: &MemoryLedger,
    description: protocol::Description,
) -> Service<A> {
    let setup = Setup {
        ledger: Box::new(ledger.clone()),
        timer: world.timer(),
        spawn: world.spawner(),
        token: Some(TOKEN.into()),
        base: "/sim".into(),
    };
    let origins = vec!["https://app.example".to_owned()];
    Service::new(description, adapter, setup).unwrap().with_cors(Cors { origins })
}

pub(crate) fn caller() -> Caller {
    Caller::new("http://adapter.example/sim", Token::new(TOKEN)).unwrap()
}

pub(crate) fn spec() -> Map<String, Json> {
    map(json!({ "payload": { "runtime": "vm" }, "labels": { "tier": "a" } }))
}

pub(crate) fn map(value: Json) -> Map<String, Json> {
    match value {
        Json::Object(map) => map,
        other => panic!("{other} is no map"),
    }
}

pub(crate) fn id(address: &str) -> ResourceId {
    let kind = if address.starts_with("networks.") { "network" } else { "service" };
    ResourceId::new(kind, resource_id(LINEAGE, address, 1))
}

pub(crate) fn body(address: &str, spec: &Map<String, Json>) -> ResourceBody {
    ResourceBody {
        deployment: LINEAGE.into(),
        deployment_name: "shop".into(),
        address: address.into(),
        generation: 1,
        spec: spec.clone(),
    }
}

pub(crate) fn put(address: &str, spec: &Map<String, Json>) -> Call {
    put_with(address, spec, &format!("create {address}"))
}

pub(crate) fn put_with(address: &str, spec: &Map<String, Json>, key: &str) -> Call {
    Call::Create { id: id(address), body: body(address, spec), key: key.into() }
}

pub(crate) fn patch(address: &str, spec: &Map<String, Json>, if_match: Option<String>, key: &str) -> Call {
    Call::Update { id: id(address), body: body(address, spec), key: key.into(), if_match }
}

pub(crate) fn delete(address: &str, if_match: Option<String>, key: &str) -> Call {
    Call::Destroy { id: id(address), key: key.into(), if_match, deployment: None }
}

#[track_caller]
pub(crate) fn resource(reply: Reply) -> Resource {
    match reply {
        Reply::Resource(resource) => *resource,
        other => panic!("{other:?}"),
    }
}
