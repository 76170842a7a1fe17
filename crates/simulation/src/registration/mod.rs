//! Deployments that register themselves in a registry, and follow what others do there.
//!
//! Each [`Process`] belongs to a deployment and has a goal. It crashes and starts again, and clients let it withdraw. The
//! [`History`] of the registry judges what processes know: it is part of the simulation, and no process reads it.

mod action;
mod checks;
mod history;
mod process;
mod scenario;
mod world;

pub use action::{Action, Body, Envelope};
pub use history::History;
pub use process::{Process, ProcessId};
pub use scenario::{Plan, Scenario};
pub use world::Registrations;
