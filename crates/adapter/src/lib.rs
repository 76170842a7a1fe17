//! Write an adapter in four methods; the simulator; the conformance suite.
//!
//! An [`Adapter`] creates, reads, updates and destroys one real resource at a time. A [`Service`] serves it over the
//! protocol: it checks tokens and keys, remembers requests in a [`Ledger`], answers repeated calls as it did the first
//! time, continues long work after its caller disconnected, and lets at most one call work on a resource. The ledger has
//! everything that outlives the service: the records, each with the lineage of its deployment, so that requests of other
//! deployments are refused; and the instance, which distinguishes the adapter from all others.
//!
//! ```text
//! request ──▶ Deliver ──▶ Delivered { response, delivery } ──▶ a server's socket, or LocalTransport
//!               │
//!               Faulty (injected faults) ──▶ Service ──▶ Adapter (yours, or the Simulator)
//! ```
//!
//! - [`Simulator`] is an adapter for every kind, with configurable latency, failures and drift; it runs in a
//!   page too.
//! - [`Faults`] corrupt or suppress responses, as networks and broken servers do.
//! - [`spec`] reads a requested spec, and collects every error in it.
//! - [`conformance::run`] tests whether an adapter, in any language, implements the protocol.
//!
//! ```
//! use std::{cell::RefCell, collections::BTreeMap};
//!
//! use model::Phase;
//! use planloom_adapter::{Adapter, ResourceRequest, Known, MemoryLedger, ObservedResource, Service, Setup, testing::World};
//! use protocol::{Call, Caller, Description, Problem, ResourceId, ResourceBody, spec_hash};
//! use serde_json::{Map, Value};
//!
//! /// Creates notes: a text under the id of a resource.
//! #[derive(Default)]
//! struct Notes(RefCell<BTreeMap<String, Map<String, Value>>>);
//!
//! fn seen(spec: &Map<String, Value>) -> ObservedResource {
//!     let (identity, outputs) = (Map::new(), Map::from_iter([("hash".into(), spec_hash(&spec["text"]).into())]));
//!     ObservedResource { phase: Phase::Active, identity, spec: spec.clone(), outputs, message: None }
//! }
//!
//! impl Adapter for Notes {
//!     async fn create(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
//!         self.0.borrow_mut().insert(request.id.id.clone(), request.spec.clone());
//!         Ok(seen(&request.spec))
//!     }
//!     async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
//!         Ok(self.0.borrow().get(&known.request.id.id).map(seen))
//!     }
//!     async fn update(&self, _: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
//!         self.create(request).await
//!     }
//!     async fn destroy(&self, known: &Known) -> Result<(), Problem> {
//!         self.0.borrow_mut().remove(&known.request.id.id);
//!         Ok(())
//!     }
//! }
//!
//! let world = World::new();
//! let types = BTreeMap::from([("note".to_owned(), Value::Null)]);
//! let description = Description { name: "notes".into(), types, ..Description::default() };
//! let (ledger, timer, spawn) = (Box::new(MemoryLedger::default()), world.timer(), world.spawner());
//! let setup = Setup { ledger, timer, spawn, token: None, base: String::new() };
//! let service = Service::new(description, Notes::default(), setup).unwrap();
//!
//! let spec = Map::from_iter([("text".to_owned(), Value::from("hello"))]);
//! let (deployment, deployment_name, address) = ("d".into(), "shop".into(), "notes.a".into());
//! let body = ResourceBody { deployment, deployment_name, address, generation: 1, spec };
//! let call = Call::Create { id: ResourceId::new("note", "a"), body, key: "k".into() };
//! let caller = Caller::new("http://notes.example", None).unwrap();
//! assert_eq!(world.run(service.handle(caller.request(&call))).status(), 201);
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

pub mod conformance;
pub mod spec;
pub mod testing;

mod adapter;
mod call_matcher;
mod cors;
mod definitions;
mod delivery;
mod faults;
mod gather;
mod ledger;
mod local;
mod service;
mod simulator;

pub use adapter::{Adapter, Known, ObservedResource, ResourceRequest};
pub use call_matcher::CallMatcher;
pub use cors::Cors;
pub use definitions::{definitions, of_runtimes};
pub use delivery::{Deliver, Delivered, Delivery};
pub use faults::{Fault, FaultOrder, Faults, Faulty};
pub use ledger::{Ledger, MemoryLedger, Record};
pub use local::LocalTransport;
pub use service::{Limits, Service, Setup, Spawn};
pub use simulator::{
    CallCounts, Drift, JournalEntry, Latency, Order, OrderEffect, SimulatedResource, Simulator,
    SimulatorConfig, SimulatorSnapshot,
};
