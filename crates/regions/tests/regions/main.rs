//! The regions of resources, routing and merging: examples of Goten's guide, refusals, laws.

mod criteria;
mod deployments;
mod guide;
mod merging;
mod policies;
mod routing;
mod store;
mod support;
mod sync_types;
mod syncing;
mod transactions;
mod world;
