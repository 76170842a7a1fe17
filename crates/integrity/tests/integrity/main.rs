//! Tests of references, transactions and deletions.

mod deletions;
mod laws;
mod models;
mod paths;
mod references;
mod stuck;
mod support;
mod transactions;
