//! Tests of references, transactions and deletions.

#[cfg(feature = "deployments")]
mod copies;
mod cost;
mod deletions;
#[cfg(feature = "deployments")]
mod deployments;
mod histories;
mod interleavings;
mod laws;
mod metadata;
mod models;
mod oracle;
mod owners;
mod paths;
mod plugins;
mod real;
mod references;
mod schemas;
mod stuck;
mod support;
mod transactions;
