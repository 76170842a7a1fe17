//! A region whose resources are copied to other regions.
//!
//! The [`Owner`] has a few resources, a policy and a log of its last writes. Each [`ReaderNode`] keeps copies. Clients write and
//! delete resources and change the policy. The [`History`] of all that the owner has written judges the copies: it is part of
//! the simulation, and no deployment reads it.

mod action;
mod fair_end;
mod history;
mod network;
mod owner;
mod possible;
mod reader;
mod scenario;
mod world;

pub use action::{Action, Body, Envelope};
pub use history::History;
pub use owner::{NodeId, OWNER, Owner, ResourceId, Value};
pub use reader::ReaderNode;
pub use scenario::Scenario;
pub use world::Replication;
