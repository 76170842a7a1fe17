//! Deployments of a service that are upgraded from one version to another, while clients write.
//!
//! Each [`Region`] has a storage for each version, servers and copiers, which are processes that crash, and its entry in a registry.
//! Each storage has values in a form of its own. What clients have written is the truth that judges the servers: it is part of the
//! simulation, and no process reads it.

mod action;
mod beginning;
mod checks;
mod fair_end;
mod network;
mod possible;
mod processes;
mod region;
mod scenario;
mod storage;
mod world;

pub use action::{Action, Body, Envelope, Place};
pub use processes::{Copying, Server};
pub use region::Region;
pub use scenario::Scenario;
pub use storage::{Form, ResourceId, Storage, Value};
pub use world::Upgrades;
