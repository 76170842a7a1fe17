//! The regions of resources, routing, merging, registration and upgrades: examples of Goten's guide, refusals, laws.

mod criteria;
mod deployments;
mod guide;
mod merging;
mod policies;
mod registrations;
mod routing;
mod store;
mod support;
mod sync_types;
mod syncing;
mod transactions;
mod upgrades;
mod world;
