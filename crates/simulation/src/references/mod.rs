//! Deployments whose resources refer to each other.
//!
//! Each [`Node`] is a deployment with a few resources, each of which may refer to one resource of another node. Clients set and
//! clear these references, delete resources and create them again.

mod action;
mod envelope;
mod fair_end;
mod node;
mod receive;
mod transactions;
mod world;

pub use action::Action;
pub use envelope::{Body, Envelope};
pub use node::{Behavior, Node, NodeId, Resource, ResourceId};
pub use world::{References, Scenario};
